import { Send } from "lucide-react";
import { CAMPAIGN } from "./text/campaign.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { isReachedBefore, type SEND_FAILURES, useSendCampaign } from "./send_campaign.ts";

const ReachedDialog = lazyPart(async () => (await import("./reached_dialog.tsx")).ReachedDialog, {
  isQuiet: true,
});

interface SendButtonProps {
  campaignId: number;
  /** The screen with the button; each screen has its own title for a failed send. */
  screen: keyof typeof SEND_FAILURES;
  className: string;
  onSent?: () => void;
}

/** 'שלח' for a ready campaign; after a restore it asks about contacts who received a message already. */
export function SendButton({ campaignId: id, screen, className, onSent }: SendButtonProps) {
  const send = useSendCampaign(screen, onSent);
  return (
    <>
      <BusyButton
        className={`btn-primary ${className}`}
        busy={send.isPending}
        busyText={CAMPAIGN.sending}
        onClick={() => send.mutate({ id })}
      >
        <Send className="size-4 -scale-x-100" />
        {CAMPAIGN.send}
      </BusyButton>
      {isReachedBefore(send.error) && (
        <ReachedDialog
          refusal={send.error}
          onChoose={(reached) => send.mutate({ id, reached })}
          onClose={send.reset}
        />
      )}
    </>
  );
}
