/** The estimated end of a campaign in words; the server estimates it. */
import type { Estimate } from "shared/http_api.ts";
import { formatDate, formatTime, ZONE } from "../../../text/format.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A later end is shown as a time. */
const MOST_MINUTES = 90;
const weekdayOf = new Intl.DateTimeFormat("he-IL", { timeZone: ZONE, weekday: "long" });

/** An estimate as a label and its value. */
export interface EstimateWords {
  label: string;
  value: string;
}

/**
 * Returns "~73 דקות", "כדקה", "היום ב־16:40", "ביום רביעי" or "ב־23.12.2026", under the label that fits; "בקרוב..."
 * when nothing remains.
 */
export function estimateWords(
  { endsAt }: Pick<Estimate, "endsAt">,
  remaining: number,
  now: number,
): EstimateWords {
  const label = "זמן משוער";
  if (remaining <= 0 || endsAt <= now) return { label, value: "בקרוב..." };
  const minutes = Math.ceil((endsAt - now) / MINUTE_MS);
  if (minutes <= 1) return { label, value: "כדקה" };
  if (minutes <= MOST_MINUTES) return { label, value: `~${minutes} דקות` };
  return { label: "יסתיים", value: dayText(endsAt, now) };
}

/** Returns when a ready campaign would end: "אם יישלח עכשיו, יסתיים ביום רביעי." */
export function readyEstimate(estimate: Pick<Estimate, "endsAt">, now: number): string {
  return `אם יישלח עכשיו, יסתיים ${readyEnd(estimate, now)}.`;
}

/** Returns when a campaign would end if it were sent now: "תוך ~73 דקות", "תוך כדקה", "ביום רביעי". */
export function readyEnd({ endsAt }: Pick<Estimate, "endsAt">, now: number): string {
  const { value } = estimateWords({ endsAt: Math.max(endsAt, now + 1) }, 1, now);
  return value.startsWith("~") || value === "כדקה" ? `תוך ${value}` : value;
}

function dayText(at: number, now: number): string {
  const day = formatDate(at);
  if (day === formatDate(now)) return `היום ב־${formatTime(at)}`;
  if (day === formatDate(now + DAY_MS)) return `מחר ב־${formatTime(at)}`;
  return at - now < 6 * DAY_MS ? `ב${weekdayOf.format(at)}` : `ב־${day}`;
}
