/** The estimate the product states for a campaign in progress; a rule, not a measurement. */
import { ESTIMATE_SECONDS_PER_MESSAGE } from "shared/campaign.ts";

/** "~73 דקות" for what remains at three seconds a message, rounded up; "בקרוב..." when nothing remains. */
export function estimateText(totalContacts: number, sentCount: number): string {
  const remaining = totalContacts - sentCount;
  if (remaining <= 0) return "בקרוב...";
  return `~${Math.ceil((remaining * ESTIMATE_SECONDS_PER_MESSAGE) / 60)} דקות`;
}
