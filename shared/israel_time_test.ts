import assert from "node:assert/strict";
import fc from "./testing/fast_check.ts";
import { dayAfter, israelDay, israelInstant, israelMinutes } from "./israel_time.ts";
import { hebrewDate, hebrewNumber, planMoment } from "./hebrew_date.ts";

const HOUR_MS = 60 * 60_000;

Deno.test("israelInstant() is the inverse of israelDay() and israelMinutes(), except in the hour that comes twice", () => {
  const minute = fc.integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2040, 0, 1) / 60_000 });
  fc.assert(fc.property(minute, (minutes) => {
    const at = minutes * 60_000;
    const found = israelInstant(israelDay(at), israelMinutes(at));
    assert.ok(found === at || found === at - HOUR_MS, `${new Date(at).toISOString()} gave ${found}`);
  }));
});

Deno.test("israelInstant() knows both clock changes: an hour that is left out, and an hour that comes twice", () => {
  // Friday 26 March 2027 at 2:00, and Sunday 31 October 2027 at 2:00.
  assert.equal(israelInstant("2027-03-26", 119), Date.parse("2027-03-26T01:59:00+02:00"));
  assert.equal(israelInstant("2027-03-26", 150), null);
  assert.equal(israelInstant("2027-03-26", 180), Date.parse("2027-03-26T03:00:00+03:00"));
  assert.equal(israelInstant("2027-10-31", 90), Date.parse("2027-10-31T01:30:00+03:00"));
  assert.equal(israelInstant("2027-10-31", 120), Date.parse("2027-10-31T02:00:00+02:00"));
  assert.equal(israelInstant("2027-02-30x", 0), null);
});

Deno.test("dayAfter() counts days of the calendar, not of 24 hours", () => {
  assert.equal(dayAfter("2027-03-25", 2), "2027-03-27");
  assert.equal(dayAfter("2027-12-31", 1), "2028-01-01");
});

Deno.test("hebrewDate() writes days and years in letters, and the day begins at midnight", () => {
  assert.equal(hebrewDate(Date.parse("2027-04-22T09:00:00+03:00")), "ט״ו בניסן תשפ״ז");
  assert.equal(hebrewDate(Date.parse("2027-04-22T23:59:00+03:00")), "ט״ו בניסן תשפ״ז");
  assert.equal(hebrewDate(Date.parse("2026-09-12T00:00:00+03:00")), "א׳ בתשרי תשפ״ז");
  assert.equal(hebrewDate(Date.parse("2027-03-10T09:00:00+02:00")), "א׳ באדר ב׳ תשפ״ז");
  assert.equal(
    planMoment(Date.parse("2027-04-22T09:00:00+03:00")),
    "יום חמישי, 22.4.2027, ט״ו בניסן תשפ״ז, בשעה 09:00",
  );
});

Deno.test("hebrewNumber() spells 15 and 16 as is usual, and refuses what letters cannot say", () => {
  assert.deepEqual([15, 16, 30, 1, 115, 787].map(hebrewNumber), ["ט״ו", "ט״ז", "ל׳", "א׳", "קט״ו", "תשפ״ז"]);
  assert.throws(() => hebrewNumber(0), RangeError);
  assert.throws(() => hebrewNumber(1000), RangeError);
});
