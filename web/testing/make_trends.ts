import type { TrendKey } from "shared/trend_keys.ts";
import type { Trends } from "shared/trends.ts";

/** What a sample of trends is made from. */
export interface TrendSample {
  /** Messages of the day `ago` days before the end of the period; null = not measured. */
  sent: (ago: number) => number | null;
  /** Names of the list, most messages first. */
  names?: Partial<Record<TrendKey, string[]>>;
  more?: number;
  sentSince?: number;
  /** The midnight that ends the period. */
  until?: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** 26.11.2026, 00:00 in Israel. */
const UNTIL = Date.parse("2026-11-26T00:00:00+02:00");

/** Returns the server's answer about a sample; a chosen row has half of everything. */
export function makeTrends(
  { days, by, id }: { days: number; by: TrendKey; id?: number | undefined },
  { sent, names = {}, more = 0, sentSince = 0, until = UNTIL }: TrendSample,
): Trends {
  const part = id === undefined ? 1 : 0.5;
  const dayOf = (ago: number) => {
    const whole = sent(ago);
    return whole === null ? null : Math.round(whole * part);
  };
  const agos = Array.from({ length: days }, (_, index) => days - index);
  const earlier = agos.map((ago) => dayOf(ago + days));
  const total = sumOf(agos.map(dayOf));
  const before = earlier.includes(null) ? null : sumOf(earlier);
  const all = names[by] ?? [];
  const measured = Array.from({ length: 400 }, (_, index) => 400 - index).find((ago) => sent(ago) !== null);
  return {
    days,
    by,
    from: until - days * DAY_MS,
    until,
    measuredSince: measured === undefined ? null : until - measured * DAY_MS,
    total,
    before,
    sentSince,
    points: agos.map((ago, index) => ({
      at: until - ago * DAY_MS,
      ...outcomesOf(dayOf(ago)),
      sentBefore: earlier[index]!,
    })),
    items: all.map((name, index) => ({
      id: index + 1,
      name,
      place: by === "account" ? "מחסן חולון" : "",
      account: by === "account" ? "com.whatsapp.w4b/0" : "",
      ...outcomesOf(Math.round(total.sent / 2 ** (index + 1))) as Trends["total"],
      sentBefore: before && Math.round(before.sent / 2 ** (all.length - index)),
    })),
    more,
  };
}

function outcomesOf(sent: number | null) {
  if (sent === null) return { sent, failed: null, unknown: null };
  return { sent, failed: Math.round(sent / 40), unknown: Math.round(sent / 400) };
}

function sumOf(days: (number | null)[]): Trends["total"] {
  const sent = days.reduce<number>((sum, day) => sum + (day ?? 0), 0);
  return outcomesOf(sent) as Trends["total"];
}
