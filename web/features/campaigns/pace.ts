import type { Campaign } from "shared/http_api.ts";

/** Messages a minute from the start to the last one sent, or undefined while there is too little to measure. */
export function measuredPace({ startedAt, lastSentAt, sentCount }: Campaign): number | undefined {
  if (startedAt === null || lastSentAt === null || sentCount < 2) return undefined;
  const minutes = (lastSentAt - startedAt) / 60_000;
  return minutes > 0 ? sentCount / minutes : undefined;
}

/** When the last message goes out if the pace holds, in ms since the epoch. */
export function endByPace(campaign: Campaign, now: number): number | undefined {
  const perMinute = measuredPace(campaign);
  if (perMinute === undefined) return undefined;
  const remaining = campaign.counts.queued + campaign.counts.leased;
  return now + (remaining / perMinute) * 60_000;
}
