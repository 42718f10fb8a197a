import { CircleSlash, RotateCw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useDuplicateCampaign } from "./duplicate_campaign.ts";
import { UNSENT } from "./text/unsent.ts";

/** Statuses of an end at which some recipients did not receive the message. */
const ENDED: readonly Campaign["status"][] = ["completed_with_errors", "failed", "cancelled"];

/** Returns how many recipients were left out because they lack a value that the message needs. */
export function leftOutOf({ notices }: Pick<Campaign, "notices">): number {
  return notices.find(({ code }) => code === "left_out_empty")?.count ?? 0;
}

/** Returns how many recipients of an ended campaign did not receive it; unknown ones may have. */
export function unsentOf({ status, counts }: Pick<Campaign, "status" | "counts">): number {
  return ENDED.includes(status) ? counts.failed + counts.cancelled + counts.skipped : 0;
}

interface UnsentAgainProps {
  campaign: Campaign;
  onMade: (copy: Campaign) => void;
}

/** Says how many recipients an ended campaign did not reach, and makes a draft for them. */
export function UnsentAgain({ campaign, onMade }: UnsentAgainProps) {
  const [withLeftOut, setWithLeftOut] = useState(false);
  const unsent = unsentOf(campaign);
  if (unsent === 0) return null;
  const leftOut = leftOutOf(campaign);
  // People who asked for removal, and those who were left out, are no failure.
  const isBad = campaign.status !== "cancelled" && campaign.counts.failed > 0;
  return (
    <Notice
      tone={isBad ? "bad" : "idle"}
      icon={isBad ? TriangleAlert : CircleSlash}
      lead={UNSENT.lead(unsent, campaign.totalContacts)}
      body={UNSENT.why(campaign.counts, leftOut)}
      action={
        <div className="grid min-w-0 justify-items-start gap-2">
          {leftOut > 0 && (
            <label className="flex min-w-0 items-start gap-2 text-sm">
              <input
                type="checkbox"
                className="checkbox checkbox-sm mt-0.5"
                checked={withLeftOut}
                onChange={(event) => setWithLeftOut(event.currentTarget.checked)}
              />
              <span className="min-w-0">
                {UNSENT.withLeftOut(leftOut)}
                <span className="block text-ink-2">
                  {withLeftOut ? UNSENT.leftOutCome(leftOut) : UNSENT.leftOutStay(leftOut)}
                </span>
              </span>
            </label>
          )}
          <AgainButton
            campaign={campaign}
            withLeftOut={withLeftOut}
            className="btn-sm btn-secondary"
            onMade={onMade}
          />
        </div>
      }
      className="mb-4"
    />
  );
}

interface AgainButtonProps extends UnsentAgainProps {
  /** Whether people who were left out for a missing value come along. @default {false} */
  withLeftOut?: boolean;
  className: string;
}

/** The button alone: makes a draft for those who did not receive the message; nothing is sent. Absent for nobody. */
export function AgainButton({ campaign, withLeftOut = false, className, onMade }: AgainButtonProps) {
  const duplicate = useDuplicateCampaign(campaign.id, { onMade, onFailed: () => {} });
  const count = unsentOf(campaign) - (withLeftOut ? 0 : leftOutOf(campaign));
  if (count === 0) return null;
  return (
    <BusyButton
      className={className}
      busy={duplicate.isPending}
      busyText={UNSENT.making}
      onClick={() => duplicate.mutate(withLeftOut ? "notSentOrLeftOut" : "notSent")}
    >
      <RotateCw className="size-4" />
      {UNSENT.again(count)}
    </BusyButton>
  );
}
