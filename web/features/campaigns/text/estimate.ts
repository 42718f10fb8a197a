/** The product's stated estimate for a campaign in progress; a rule, not a measurement. */
import { ESTIMATE_SECONDS_PER_MESSAGE } from "shared/campaign.ts";

/** Returns "~73 דקות" for the rest at three seconds a message, rounded up; "בקרוב..." when nothing remains. */
export function estimateText(totalContacts: number, sentCount: number): string {
  const remaining = totalContacts - sentCount;
  if (remaining <= 0) return "בקרוב...";
  return `~${Math.ceil((remaining * ESTIMATE_SECONDS_PER_MESSAGE) / 60)} דקות`;
}
