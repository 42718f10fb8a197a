import { Link } from "react-router-dom";
import { PATHS } from "../paths.ts";
import { NOT_FOUND } from "../text/not_found.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { Wordmark } from "../ui/wordmark.tsx";

/** Shown for unknown paths. */
export function Screen() {
  usePageTitle(NOT_FOUND.title);
  return (
    <main className="mx-auto grid min-h-dvh max-w-[1200px] content-center justify-items-start gap-3 px-4 sm:px-6">
      <Wordmark size="header" />
      <h1 className="mt-6 text-3xl font-extrabold tracking-tight">
        <bdi dir="ltr">{NOT_FOUND.title}</bdi>
      </h1>
      <p className="text-ink-2">{NOT_FOUND.hint}</p>
      <Link to={PATHS.landing} className="btn btn-primary mt-3">{NOT_FOUND.toLanding}</Link>
    </main>
  );
}
