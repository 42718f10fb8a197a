import { Printer } from "lucide-react";
import { PATHS } from "../../paths.ts";
import { SITES } from "../../text/admin_sites.ts";

/** Opens the page beside the phones in its own tab: an install line is shown only once, and must stay. */
export function DeskLink() {
  return (
    <a href={PATHS.desk} target="_blank" rel="noopener" className="btn btn-ghost border-base-300">
      <Printer className="size-4" />
      {SITES.deskPage}
    </a>
  );
}
