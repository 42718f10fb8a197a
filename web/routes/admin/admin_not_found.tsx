import { Link } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { NOT_FOUND } from "../../text/not_found.ts";
import { usePageTitle } from "../../ui/page_title.ts";

/** Shown for unknown paths below /admin. */
export function AdminNotFound() {
  usePageTitle(NOT_FOUND.title);
  return (
    <>
      <h1 className="text-3xl font-extrabold tracking-tight">
        <bdi dir="ltr">{NOT_FOUND.title}</bdi>
      </h1>
      <p className="mt-3 text-ink-2">{NOT_FOUND.hint}</p>
      <Link to={ADMIN_PATHS.dashboard} className="btn btn-primary mt-5">{NOT_FOUND.toAdmin}</Link>
    </>
  );
}
