import { useQueryClient } from "@tanstack/react-query";
import { Eye, EyeOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { NUMBERS_REASON_CHARS } from "shared/reason.ts";
import { NUMBERS_VIEW } from "./text/numbers_view.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ReasonDialog } from "../../ui/reason_dialog.tsx";
import { deliveriesKey } from "./get_deliveries.ts";
import { useHideNumbers, useShowNumbers } from "./show_numbers.ts";

interface NumbersViewProps {
  campaignId: number;
  /** Null means masked. */
  shownUntil: number | null;
}

/** Shows whether an administrator sees the numbers, and the button to show them. */
export function NumbersView({ campaignId, shownUntil }: NumbersViewProps) {
  const [isAsking, setAsking] = useState(false);
  const show = useShowNumbers(campaignId, () => setAsking(false));
  const hide = useHideNumbers(campaignId);
  useMaskedAgain(campaignId, shownUntil === null);
  if (shownUntil !== null) {
    return (
      <Notice
        tone="warn"
        icon={Eye}
        lead={NUMBERS_VIEW.shownUntil(shownUntil)}
        body={NUMBERS_VIEW.shownBody}
        action={
          <BusyButton
            className="btn-secondary btn-sm"
            busy={hide.isPending}
            busyText={NUMBERS_VIEW.hiding}
            onClick={() => hide.mutate()}
          >
            {NUMBERS_VIEW.hide}
          </BusyButton>
        }
      />
    );
  }
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-sm justify-self-start border-base-300"
        onClick={() => setAsking(true)}
      >
        <EyeOff className="size-4" />
        {NUMBERS_VIEW.show}
      </button>
      {isAsking && (
        <ReasonDialog
          words={NUMBERS_VIEW}
          {...NUMBERS_REASON_CHARS}
          busy={show.isPending}
          onConfirm={(reason) => show.mutate(reason)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** Fetches the rows again when the time is over: the page still contains the unmasked numbers. */
function useMaskedAgain(campaignId: number, isMasked: boolean): void {
  const cache = useQueryClient();
  const wasMasked = useRef(isMasked);
  useEffect(() => {
    if (isMasked && !wasMasked.current) void cache.resetQueries({ queryKey: deliveriesKey(campaignId) });
    wasMasked.current = isMasked;
  }, [cache, campaignId, isMasked]);
}
