import { ESTIMATE_SECONDS_PER_MESSAGE, SEND_DELAY_SECONDS } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";

/** Returns when a ready campaign would begin if it were sent now, in ms: after the wait, and within its hours. */
export function expectedStart({ notices }: Pick<Campaign, "notices">, now: number): number {
  const opensAt = notices.find(({ code }) => code === "opens_later")?.until ?? 0;
  return Math.max(now + SEND_DELAY_SECONDS * 1000, opensAt);
}

/**
 * Returns when a ready campaign of `messages` messages would end if it were sent now, in ms. This is the one place
 * that the review asks: today by the stated seconds a message, because the server says nothing of the fleet's capacity.
 */
export function expectedEnd(campaign: Pick<Campaign, "notices">, messages: number, now: number): number {
  return expectedStart(campaign, now) + messages * ESTIMATE_SECONDS_PER_MESSAGE * 1000;
}
