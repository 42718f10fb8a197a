import { Send } from "lucide-react";
import { CAMPAIGN } from "../../text/campaign.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { type SEND_FAILURES, useSendCampaign } from "./send_campaign.ts";

interface SendButtonProps {
  campaignId: number;
  /** Where it stands: the screens title a failed send differently. */
  screen: keyof typeof SEND_FAILURES;
  className: string;
  onSent?: () => void;
}

/** 'שלח', wherever a ready campaign stands. */
export function SendButton({ campaignId, screen, className, onSent }: SendButtonProps) {
  const send = useSendCampaign(screen, onSent);
  return (
    <BusyButton
      className={`btn-primary ${className}`}
      busy={send.isPending}
      busyText={CAMPAIGN.sending}
      onClick={() => send.mutate(campaignId)}
    >
      <Send className="size-4 -scale-x-100" />
      {CAMPAIGN.send}
    </BusyButton>
  );
}
