import { useQuery } from "@tanstack/react-query";
import { adminNoticeText } from "../../features/campaigns/text/admin_campaigns.ts";
import { estimateWords } from "../../features/campaigns/text/estimate.ts";
import { CapacityBoard } from "../../features/capacity/capacity_board.tsx";
import { capacityQuery } from "../../features/capacity/get_capacity.ts";
import { CAPACITY } from "../../features/capacity/text.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";

const CLOCK_STEP_MS = 10_000;

/** Shows what is left today by site, the queue against it, and when each campaign ends. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(CAPACITY.heading));
  const now = useNow(CLOCK_STEP_MS);
  const capacity = useQuery(capacityQuery);
  return (
    <>
      <PageHead heading={CAPACITY.heading}>{CAPACITY.subtitle}</PageHead>
      {capacity.data && (
        <CapacityBoard
          capacity={capacity.data}
          endOf={({ estimate, waiting }) => estimate && estimateWords(estimate, waiting, now).value}
          whyOf={({ notices: [notice] }) => notice && adminNoticeText(notice, now).lead}
        />
      )}
      {capacity.isPending && <Skeleton text={CAPACITY.loading} rows={6} />}
      {capacity.isError && !capacity.data && (
        <FailedBox title={CAPACITY.failed} error={capacity.error} onRetry={capacity.refetch} />
      )}
    </>
  );
}
