import type { Campaign } from "shared/http_api.ts";

/** Ends of waits on this page's own clock, by campaign and end. */
const ends = new Map<string, number>();

/**
 * Returns the end of a campaign's wait, in ms of `performance.now()`, which no wrong clock of the computer moves; null
 * without a wait. A list that the server did not send again still has its earlier `leftMs`: the first end counts.
 */
export function endOfWait(
  { id, takeBack }: Pick<Campaign, "id" | "takeBack">,
  now: number = performance.now(),
): number | null {
  if (takeBack === null) return null;
  const key = `${id}:${takeBack.until}`;
  const end = Math.min(ends.get(key) ?? Infinity, now + takeBack.leftMs);
  ends.set(key, end);
  return end;
}
