import { formatTime } from "../../text/format.ts";

const HOUR_MS = 60 * 60_000;
/** Jerusalem's offset from UTC in winter and in summer. */
const OFFSETS_HOURS = [2, 3];

/**
 * Returns the start in Jerusalem of "2026-11-22", or of the day `daysLater`, in ms. Clock changes there never
 * happen at midnight.
 */
export function startOfDay(day: string, daysLater = 0): number {
  const [year, month, date] = day.split("-").map(Number);
  const inGreenwich = Date.UTC(year!, month! - 1, date! + daysLater);
  const starts = OFFSETS_HOURS.map((hours) => inGreenwich - hours * HOUR_MS);
  return starts.find((at) => formatTime(at) === "00:00") ?? starts[0]!;
}
