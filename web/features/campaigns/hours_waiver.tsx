import { Clock } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { AdminCampaignDetail } from "shared/admin_api.ts";
import type { CampaignStatus } from "shared/campaign.ts";
import { EXCEPTION_REASON_CHARS } from "shared/reason.ts";
import { HOURS_WAIVER } from "./text/hours_waiver.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { focusHeading, isFocusLost } from "../../ui/lost_focus.ts";
import { Notice } from "../../ui/notice.tsx";
import { ReasonDialog } from "../../ui/reason_dialog.tsx";
import { useRestoreHours, useWaiveHours } from "./waive_hours.ts";

// Only after the send: before it the client could still change the text that the reason is given for.
const CAN_GO: readonly CampaignStatus[] = ["processing", "active", "paused"];

interface HoursWaiverProps {
  campaign: AdminCampaignDetail;
  now: number;
}

/**
 * Shows a campaign's exception from the sending hours and its author, or the button to make one; nothing when the
 * hours do not apply.
 */
export function HoursWaiver({ campaign: { id, kind, status, hours }, now }: HoursWaiverProps) {
  const [isAsking, setAsking] = useState(false);
  const waive = useWaiveHours(id, () => setAsking(false));
  const restore = useRestoreHours(id);
  const { place, focusWhatComes } = useNextInFocus(hours.waived !== null, isAsking);
  // Another administrator made the exception: close the dialog, and do not open it again by itself after a later
  // removal.
  useEffect(() => {
    if (hours.waived !== null) setAsking(false);
  }, [hours.waived !== null]);
  if (kind === "marketing" || !CAN_GO.includes(status)) return null;
  return (
    <div ref={place} className="mt-3 empty:hidden">
      {hours.waived === null ? hours.kept && asked() : waived(hours.waived)}
    </div>
  );

  function waived({ by, at, reason }: NonNullable<AdminCampaignDetail["hours"]["waived"]>) {
    return (
      <Notice
        tone="idle"
        icon={Clock}
        lead={HOURS_WAIVER.waived(by, at, now)}
        body={HOURS_WAIVER.why(reason, hours.kept)}
        action={
          <BusyButton
            className="btn-secondary btn-sm"
            busy={restore.isPending}
            busyText={HOURS_WAIVER.restoring}
            onClick={() => {
              focusWhatComes();
              restore.mutate();
            }}
          >
            {HOURS_WAIVER.restore}
          </BusyButton>
        }
      />
    );
  }

  function asked() {
    return (
      <>
        <button
          type="button"
          className="btn btn-ghost btn-sm border-base-300"
          onClick={() => setAsking(true)}
        >
          <Clock className="size-4" />
          {HOURS_WAIVER.waive}
        </button>
        {isAsking && (
          <ReasonDialog
            words={HOURS_WAIVER}
            {...EXCEPTION_REASON_CHARS}
            busy={waive.isPending}
            onConfirm={(reason) => {
              focusWhatComes();
              waive.mutate(reason);
            }}
            onClose={() => setAsking(false)}
          />
        )}
      </>
    );
  }
}

/**
 * Moves the focus after a change of `state` to the button that replaced the pressed one, or to the heading. It
 * remembers the press, because the dialog may close before the new state arrives.
 */
function useNextInFocus(state: boolean, isAsking: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const hasActed = useRef(false);
  useEffect(() => {
    if (!hasActed.current && !isAsking) return;
    hasActed.current = false;
    if (!isFocusLost()) return;
    const button = place.current?.querySelector("button");
    if (button) button.focus();
    else focusHeading();
  }, [state]);
  return { place, focusWhatComes: () => void (hasActed.current = true) };
}
