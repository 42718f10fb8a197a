import { formatNumber } from "./format.ts";

/** "0.8%", "12%": one decimal under ten. */
export function percentOf(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return `${formatNumber(percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent))}%`;
}
