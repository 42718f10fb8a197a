import assert from "node:assert/strict";
import fc from "./testing/fast_check.ts";
import { dayAfter } from "./israel_time.ts";
import { HEBREW_MONTHS, isRunDay, type RepeatRule, runDays } from "./series_days.ts";

const day = fc.integer({ min: 0, max: 365 * 15 }).map((days) => dayAfter("2026-01-01", days));
const YEAR = 366;

Deno.test("a weekly repeat runs every seven days, also in the weeks of both clock changes", () => {
  fc.assert(fc.property(day, fc.integer({ min: 0, max: 6 }), (first, weekday) => {
    const days = runDays({ kind: "weekly", weekdays: [weekday] }, first, dayAfter(first, YEAR));
    assert.ok(days.length >= 52);
    for (const [no, one] of days.slice(1).entries()) assert.equal(dayAfter(days[no]!, 7), one);
  }));
  const sundays: RepeatRule = { kind: "weekly", weekdays: [0] };
  assert.deepEqual(runDays(sundays, "2027-03-22", "2027-04-05"), ["2027-03-28", "2027-04-04"]);
});

Deno.test("a monthly repeat has one run in each month; a day that a month lacks is its last", () => {
  fc.assert(fc.property(day, fc.integer({ min: 1, max: 31 }), (first, date) => {
    const from = `${first.slice(0, 7)}-01`;
    const days = runDays({ kind: "monthly", days: [date] }, from, dayAfter(from, YEAR * 2));
    const months = days.map((one) => one.slice(0, 7));
    assert.equal(new Set(months).size, months.length);
    assert.ok(days.length >= 24);
  }));
  const days = runDays({ kind: "monthly", days: [31] }, "2027-01-01", "2027-04-30");
  assert.deepEqual(days, ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]);
});

Deno.test("a repeat on days of the Hebrew month has one run in each, 29 or 30 days apart", () => {
  fc.assert(fc.property(day, fc.integer({ min: 1, max: 30 }), (first, date) => {
    const days = runDays({ kind: "hebrew_monthly", days: [date] }, first, dayAfter(first, YEAR));
    assert.ok(days.length >= 11 && days.length <= 13, String(days.length));
    for (const [no, one] of days.slice(1).entries()) {
      const apart = (Date.parse(one) - Date.parse(days[no]!)) / 86_400_000;
      assert.ok(apart >= 29 && apart <= 30, `${days[no]} ${one}`);
    }
  }));
  // 1 Nisan 5787 is 8 April 2027; Adar II before it has 29 days.
  assert.deepEqual(runDays({ kind: "hebrew_monthly", days: [30] }, "2027-03-01", "2027-04-20"), [
    "2027-03-09",
    "2027-04-07",
  ]);
});

Deno.test("a repeat on a date of the Hebrew year has one run in each year, of Adar in its second month", () => {
  const month = fc.constantFrom(...HEBREW_MONTHS);
  fc.assert(
    fc.property(day, month, fc.integer({ min: 1, max: 29 }), (first, month, date) => {
      const rule: RepeatRule = { kind: "hebrew_yearly", dates: [{ month, day: date }] };
      const days = runDays(rule, first, dayAfter(first, 800));
      assert.ok(days.length >= 1 && days.length <= 3);
      for (const [no, one] of days.slice(1).entries()) {
        const apart = (Date.parse(one) - Date.parse(days[no]!)) / 86_400_000;
        assert.ok(apart >= 353 && apart <= 385, `${days[no]} ${one}`);
      }
    }),
    { numRuns: 50 },
  );
  const pesach: RepeatRule = { kind: "hebrew_yearly", dates: [{ month: "Nisan", day: 15 }] };
  assert.deepEqual(runDays(pesach, "2026-01-01", "2028-12-31"), ["2026-04-02", "2027-04-22", "2028-04-11"]);
  const purim: RepeatRule = { kind: "hebrew_yearly", dates: [{ month: "Adar", day: 14 }] };
  assert.deepEqual(runDays(purim, "2026-01-01", "2027-12-31"), ["2026-03-03", "2027-03-23"]);
});

Deno.test("runDays() gives no day twice, whatever the rule names twice", () => {
  const rule: RepeatRule = { kind: "monthly", days: [28, 29, 30, 31, 31] };
  assert.deepEqual(runDays(rule, "2027-02-01", "2027-02-28"), ["2027-02-28"]);
  assert.ok(isRunDay(rule, "2027-03-29"));
  assert.equal(runDays(rule, "2027-03-01", "2027-12-31", 3).length, 3);
});
