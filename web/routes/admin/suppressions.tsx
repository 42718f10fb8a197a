import { WaitingReplies } from "../../features/replies/waiting_replies.tsx";
import { UploadCard } from "../../features/files/upload_card.tsx";
import { OptOutCard } from "../../features/opt_outs/opt_out_card.tsx";
import { AddNumbersCard } from "../../features/suppressions/add_numbers_card.tsx";
import { SuppressionList } from "../../features/suppressions/suppression_list.tsx";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { SUPPRESSIONS } from "../../features/suppressions/text/admin_suppressions.ts";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { useNow } from "../../ui/use_now.ts";

const MINUTE_MS = 60_000;

/** The suppressed numbers: add by hand or by file, search, export, remove. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(SUPPRESSIONS.heading));
  const now = useNow(MINUTE_MS);
  return (
    <>
      <PageHead heading={SUPPRESSIONS.heading}>{SUPPRESSIONS.subtitle}</PageHead>
      <div className="mb-4">
        <WaitingReplies now={now} showsClient />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[24rem_1fr]">
        <div className="grid gap-4">
          <AddNumbersCard />
          <UploadCard only="suppressions" />
          <OptOutCard now={now} />
        </div>
        <SuppressionList now={now} />
      </div>
    </>
  );
}
