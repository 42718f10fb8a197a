import { useState } from "react";
import { DELIVERIES, resendQuestion } from "./text/deliveries.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { type ResolveAs, useResolveDeliveries } from "./resolve_deliveries.ts";

const CHOICES: readonly { as: ResolveAs; label: string }[] = [
  { as: "sent", label: DELIVERIES.asSent },
  { as: "resend", label: DELIVERIES.asResend },
  { as: "failed", label: DELIVERIES.asFailed },
];

interface ResolveDialogProps {
  campaignId: number;
  ids: number[] | "all";
  /** Number of recipients affected by the choice. */
  count: number;
  onClose: () => void;
}

/** Asks a person to decide about unknown deliveries; nothing is preselected. */
export function ResolveDialog({ campaignId, ids, count, onClose }: ResolveDialogProps) {
  const [as, setAs] = useState<ResolveAs>();
  const resolve = useResolveDeliveries(campaignId, onClose);
  return (
    <Dialog
      title={count === 1 ? DELIVERIES.resolveTitle : DELIVERIES.resolveTitleMany}
      onClose={onClose}
    >
      <p className="mb-3 text-sm text-ink-2">{DELIVERIES.resolveWhy}</p>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{DELIVERIES.resolveTitle}</legend>
        {CHOICES.map((choice) => (
          <label key={choice.as} className="choice py-2 text-sm">
            <input
              type="radio"
              name="resolve-as"
              className="radio radio-sm radio-primary"
              checked={as === choice.as}
              onChange={() => setAs(choice.as)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </fieldset>
      {as === "resend" && (
        <p className="tone-warn mt-3 text-sm text-tone" role="status">{resendQuestion(count)}</p>
      )}
      <DialogFoot onLeave={onClose}>
        {as && (
          <BusyButton
            className={as === "resend" ? "btn-error" : "btn-primary"}
            busy={resolve.isPending}
            busyText={DELIVERIES.resolving}
            onClick={() => resolve.mutate({ ids, as })}
          >
            {DELIVERIES.confirm[as]}
          </BusyButton>
        )}
      </DialogFoot>
    </Dialog>
  );
}
