/** Times of exported files: local, with the offset from UTC, so that every program reads the same moment. */
const local = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Jerusalem",
  dateStyle: "short",
  timeStyle: "medium",
});
const MINUTE_MS = 60_000;

/** Returns "2026-11-22T10:00:00+02:00" of a time in ms; "" for null. */
export function zonedTime(at: number | null): string {
  if (at === null) return "";
  const shown = local.format(at).replace(" ", "T");
  const minutes = Math.round((Date.parse(`${shown}Z`) - at) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, "0");
  const sign = minutes < 0 ? "-" : "+";
  const offset = Math.abs(minutes);
  return `${shown}${sign}${two(Math.floor(offset / 60))}:${two(offset % 60)}`;
}
