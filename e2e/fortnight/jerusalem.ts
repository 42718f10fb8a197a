/**
 * Jerusalem's calendar from ICU and from the announced dates: the judge of the taps must not use the product's own
 * calendar.
 */
const clock = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Asia/Jerusalem",
  hourCycle: "h23",
  weekday: "short",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
});
const hebrew = new Intl.DateTimeFormat("en-u-ca-hebrew", { timeZone: "UTC", month: "long", day: "numeric" });

/** Days of rest on fixed dates. */
const RESTS = new Set([
  ...["Tishri 1", "Tishri 2", "Tishri 10", "Tishri 15", "Tishri 22"],
  ...["Nisan 15", "Nisan 21", "Sivan 6"],
]);
/** Holocaust Remembrance Day, Memorial Day, Independence Day and 9 Av, on their announced dates. */
const MOVED = new Set([
  ...["2026-04-14", "2026-04-21", "2026-04-22", "2026-07-23"],
  ...["2027-05-04", "2027-05-11", "2027-05-12", "2027-08-12"],
]);
const DAY_MS = 24 * 60 * 60_000;

/** Returns the local time; `day` as 2026-11-22. */
export function localClock(at: number): { day: string; hour: number; weekday: string } {
  const shown = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = `${shown.get("year")}-${shown.get("month")}-${shown.get("day")}`;
  return { day, hour: Number(shown.get("hour")), weekday: shown.get("weekday")! };
}

/** Returns whether marketing is forbidden on a day. */
export function isDayOfRest(day: string): boolean {
  const at = new Date(`${day}T12:00:00Z`);
  const parts = new Map(hebrew.formatToParts(at).map(({ type, value }) => [type, value]));
  return MOVED.has(day) || RESTS.has(`${parts.get("month")} ${parts.get("day")}`);
}

/** Returns whether marketing may be tapped at a time, by the default hours. */
export function mayAdvertise(at: number): boolean {
  const { day, hour, weekday } = localClock(at);
  const tomorrow = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  const closing = weekday === "Fri" || isDayOfRest(tomorrow) ? 13 : 20;
  return weekday !== "Sat" && !isDayOfRest(day) && hour >= 9 && hour < closing;
}

/** Returns the times at which the rules of a day change: midnight, opening, and both closings. */
export function turningPoints(from: number, to: number): number[] {
  const points: number[] = [];
  let before = localClock(from);
  const quarterMs = 15 * 60_000;
  for (let at = Math.ceil(from / quarterMs) * quarterMs; at < to; at += quarterMs) {
    const shown = localClock(at);
    if (shown.hour !== before.hour && [0, 9, 13, 20].includes(shown.hour)) points.push(at);
    before = shown;
  }
  return points;
}
