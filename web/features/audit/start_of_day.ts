import { formatTime } from "../../text/format.ts";

const HOUR_MS = 60 * 60_000;
/** Jerusalem is this far before Greenwich, in winter and in summer. */
const OFFSETS_HOURS = [2, 3];

/** When "2026-11-22", or the day `daysLater`, begins in Jerusalem, in ms. Its clocks never change at midnight. */
export function startOfDay(day: string, daysLater = 0): number {
  const [year, month, date] = day.split("-").map(Number);
  const inGreenwich = Date.UTC(year!, month! - 1, date! + daysLater);
  const starts = OFFSETS_HOURS.map((hours) => inGreenwich - hours * HOUR_MS);
  return starts.find((at) => formatTime(at) === "00:00") ?? starts[0]!;
}
