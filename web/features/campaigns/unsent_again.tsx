import { CircleSlash, TriangleAlert } from "lucide-react";
import type { Campaign } from "shared/http_api.ts";
import { Notice } from "../../ui/notice.tsx";
import { UNSENT } from "./text/unsent.ts";
import { WriteAgain } from "./write_again.tsx";

/** Statuses of an end at which some recipients did not receive the message. */
const ENDED: readonly Campaign["status"][] = ["completed_with_errors", "failed", "cancelled"];

/** Returns how many recipients were left out because they lack a value that the message needs. */
function leftOutOf({ notices }: Pick<Campaign, "notices">): number {
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

/** Says how many recipients an ended campaign did not reach, and asks to whom of them to write again. */
export function UnsentAgain({ campaign, onMade }: UnsentAgainProps) {
  const unsent = unsentOf(campaign);
  if (unsent === 0) return null;
  // People who asked for removal, and those who were left out, are no failure.
  const isBad = campaign.status !== "cancelled" && campaign.counts.failed > 0;
  return (
    <Notice
      tone={isBad ? "bad" : "idle"}
      icon={isBad ? TriangleAlert : CircleSlash}
      lead={UNSENT.lead(unsent, campaign.totalContacts)}
      body={UNSENT.why(campaign.counts, leftOutOf(campaign))}
      action={<WriteAgain campaign={campaign} className="btn-sm btn-secondary" onMade={onMade} />}
      className="mb-4"
    />
  );
}
