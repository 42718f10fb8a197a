import assert from "node:assert/strict";
import { holidaysOf, isHoliday, newYearDay, weekdayOf } from "./hebrew_calendar.ts";

const DAY_MS = 24 * 60 * 60_000;
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
/** A second implementation, from ICU. */
const hebrew = new Intl.DateTimeFormat("en-u-ca-hebrew", {
  timeZone: "UTC",
  day: "numeric",
  month: "long",
  year: "numeric",
});
const FEASTS = [
  "1 Tishri",
  "2 Tishri",
  "10 Tishri",
  "15 Tishri",
  "22 Tishri",
  "15 Nisan",
  "21 Nisan",
  "6 Sivan",
];

Deno.test("isHoliday() agrees with Intl's Hebrew calendar on every feast of every day from 2020 to 2040", () => {
  let feasts = 0;
  for (let day = dayOf("2020-01-01"); day <= dayOf("2040-12-31"); day++) {
    const [date, month, year] = hebrew.format(day * DAY_MS).split(" ");
    if (date === "1" && month === "Tishri") assert.equal(newYearDay(Number(year)), day);
    if (!FEASTS.includes(`${date} ${month}`)) continue;
    assert.ok(isHoliday(day), dateOf(day));
    feasts++;
  }
  assert.equal(feasts, 21 * FEASTS.length);
});

Deno.test("holidaysOf() gives the dates announced for 5786 and 5787, moved days among them", () => {
  assert.deepEqual(holidaysOf(5786).map(dateOf), [
    "2025-09-23",
    "2025-09-24",
    "2025-10-02",
    "2025-10-07",
    "2025-10-14",
    "2026-04-02",
    "2026-04-08",
    "2026-04-14",
    "2026-04-21",
    "2026-04-22",
    "2026-05-22",
    "2026-07-23",
  ]);
  const memorial = { 2024: "2024-05-13", 2025: "2025-04-30", 2027: "2027-05-11", 2028: "2028-05-01" };
  for (const date of Object.values(memorial)) assert.ok(isHoliday(dayOf(date)), date);
  assert.ok(isHoliday(dayOf("2024-05-06")), "27 Nisan 5784 was a Sunday, so it was kept on Monday");
  assert.ok(!isHoliday(dayOf("2024-05-05")));
  assert.ok(isHoliday(dayOf("2029-07-22")), "9 Av 5789 is a Sabbath, so the fast is on Sunday");
});

Deno.test("holidaysOf() keeps remembrance days off the Sabbath, and returns twelve days in order each year", () => {
  for (let year = 5700; year < 6000; year++) {
    const days = holidaysOf(year);
    assert.equal(days.length, 12);
    assert.ok(days.every((day, index) => index === 0 || day > days[index - 1]!));
    assert.ok([2, 3, 4].includes(weekdayOf(days[9]!)), `Independence Day ${year}`);
    assert.ok(![5, 6, 0].includes(weekdayOf(days[7]!)), `27 Nisan ${year}`);
    assert.ok(days.every((day) => isHoliday(day)));
  }
});
