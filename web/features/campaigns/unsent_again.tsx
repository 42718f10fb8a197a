import { RotateCw, TriangleAlert } from "lucide-react";
import type { Campaign } from "shared/http_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { useMayDo } from "../../ui/may_do.ts";
import { Notice } from "../../ui/notice.tsx";
import { useDuplicateCampaign } from "./duplicate_campaign.ts";
import { UNSENT } from "./text/unsent.ts";

/** Statuses of an end at which some recipients did not receive the message. */
const ENDED: readonly Campaign["status"][] = ["completed_with_errors", "failed", "cancelled"];

/** Returns how many recipients of an ended campaign did not receive it and may be tried again; unknown ones may not. */
export function unsentOf({ status, counts }: Pick<Campaign, "status" | "counts">): number {
  return ENDED.includes(status) ? counts.failed + counts.cancelled + counts.skipped : 0;
}

interface UnsentAgainProps {
  campaign: Campaign;
  onMade: (copy: Campaign) => void;
}

/** Says how many recipients an ended campaign did not reach, and makes a draft for them. */
export function UnsentAgain({ campaign, onMade }: UnsentAgainProps) {
  const unsent = unsentOf(campaign);
  if (unsent === 0) return null;
  return (
    <Notice
      tone={campaign.status === "cancelled" ? "idle" : "bad"}
      icon={TriangleAlert}
      lead={UNSENT.lead(unsent, campaign.totalContacts)}
      body={UNSENT.why(campaign.counts)}
      action={<AgainButton campaign={campaign} className="btn-sm btn-secondary" onMade={onMade} />}
      className="mb-4"
    />
  );
}

/** The button alone: makes a draft for those who did not receive the message; nothing is sent. */
export function AgainButton(
  { campaign, className, onMade }: UnsentAgainProps & { className: string },
) {
  const duplicate = useDuplicateCampaign(campaign.id, { onMade, onFailed: () => {} });
  return useMayDo("writer") && (
    <BusyButton
      className={className}
      busy={duplicate.isPending}
      busyText={UNSENT.making}
      onClick={() => duplicate.mutate("notSent")}
    >
      <RotateCw className="size-4" />
      {UNSENT.again(unsentOf(campaign))}
    </BusyButton>
  );
}
