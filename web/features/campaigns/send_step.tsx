import type { Campaign } from "shared/http_api.ts";
import { costSentence } from "./text/campaign.ts";
import { BEYOND_DUTY } from "../../text/duties.ts";
import { useMayDo } from "../../ui/may_do.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { SendButton } from "./send_button.tsx";

const SendNotices = lazyPart(async () => (await import("./send_notices.tsx")).SendNotices, { isQuiet: true });

/** The cost of the send, and the send button. */
export function SendStep(
  { campaign, quota, onSent }: { campaign: Campaign; quota: number; onSent: () => void },
) {
  const maySend = useMayDo("sender");
  if (!maySend) return <p className="text-sm text-ink-2">{BEYOND_DUTY.send}</p>;
  return (
    <>
      <p className="mb-3 text-sm text-ink-2">{costSentence(campaign.totalContacts, quota)}</p>
      <SendButton campaignId={campaign.id} quota={quota} screen="list" className="w-full" onSent={onSent} />
      <SendNotices campaign={campaign} />
    </>
  );
}
