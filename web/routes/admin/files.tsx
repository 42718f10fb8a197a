import { useQuery } from "@tanstack/react-query";
import { FileList } from "../../features/files/file_list.tsx";
import { UploadCard } from "../../features/files/upload_card.tsx";
import { FILES } from "../../features/files/text.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { useNow } from "../../ui/use_now.ts";
import { healthQuery } from "./get_health.ts";

const MINUTE_MS = 60_000;

/** Files for import: into a client's draft, or into the suppression list. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(FILES.heading));
  const scan = useQuery(healthQuery).data?.scan;
  return (
    <>
      <PageHead heading={FILES.heading}>{FILES.subtitle} {scan && FILES.scan[scan]}</PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[24rem_1fr]">
        <UploadCard />
        <FileList now={useNow(MINUTE_MS)} />
      </div>
    </>
  );
}
