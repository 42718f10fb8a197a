import { Send } from "lucide-react";
import { useState } from "react";
import { CAMPAIGN } from "./text/campaign.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";
import type { SEND_FAILURES } from "./send_campaign.ts";

const ReviewDialog = lazyPart(async () => (await import("./review_dialog.tsx")).ReviewDialog);

interface SendButtonProps {
  campaignId: number;
  /** The client's balance. */
  quota: number;
  /** The screen with the button; each screen has its own title for a failed send. */
  screen: keyof typeof SEND_FAILURES;
  className: string;
  onSent?: () => void;
}

/** 'שלח' for a ready campaign: opens the review, which sends or leads to what is missing. */
export function SendButton({ campaignId, quota, screen, className, onSent }: SendButtonProps) {
  const [isReviewing, setReviewing] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`btn btn-primary ${className}`}
        aria-haspopup="dialog"
        onClick={() => setReviewing(true)}
      >
        <Send className="size-4 -scale-x-100" />
        {CAMPAIGN.send}
      </button>
      {isReviewing && (
        <ReviewDialog
          campaignId={campaignId}
          quota={quota}
          screen={screen}
          onSent={onSent}
          onClose={() => setReviewing(false)}
        />
      )}
    </>
  );
}
