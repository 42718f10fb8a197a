import { Send } from "lucide-react";
import type { Campaign } from "shared/http_api.ts";
import { CAMPAIGN, costSentence } from "../../text/campaign.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { useSendCampaign } from "./send_campaign.ts";

/** What the send will cost, and the send. */
export function SendStep(
  { campaign, quota, onSent }: { campaign: Campaign; quota: number; onSent: () => void },
) {
  const send = useSendCampaign("list", onSent);
  return (
    <>
      <p className="mb-3 text-sm text-ink-2">{costSentence(campaign.totalContacts, quota)}</p>
      <BusyButton
        className="btn-primary w-full"
        busy={send.isPending}
        busyText={CAMPAIGN.sending}
        onClick={() => send.mutate(campaign.id)}
      >
        <Send className="size-[1.125rem] -scale-x-100" />
        {CAMPAIGN.send}
      </BusyButton>
    </>
  );
}
