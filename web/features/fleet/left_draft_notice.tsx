import { MessageSquareWarning } from "lucide-react";
import { noticeIn } from "shared/standing.ts";
import { DEVICE } from "../../text/admin_devices.ts";
import { Notice } from "../../ui/notice.tsx";

/** Shows that an unsent message of ours may be in a chat of the phone, and that nobody must send it there. */
export function LeftDraftNotice({ stateDetail }: { stateDetail: string | null }) {
  if (noticeIn(stateDetail).notice !== "draft_left") return null;
  return (
    <Notice
      tone="warn"
      icon={MessageSquareWarning}
      lead={DEVICE.leftDraft}
      body={DEVICE.leftDraftMeaning}
      className="mb-4"
    />
  );
}
