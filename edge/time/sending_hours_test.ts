import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { localDate, localHour } from "./local_day.ts";
import { closesAt, dayKind, isOpen, opensAt, type SendingHours } from "./sending_hours.ts";

const at = (text: string) => Date.parse(text);
const open = (text: string) => isOpen(at(text), DEFAULT_SETTINGS);
const next = (text: string) => opensAt(at(text), DEFAULT_SETTINGS);
const end = (text: string) => closesAt(at(text), DEFAULT_SETTINGS);

Deno.test("isOpen() follows the week: Sunday to Thursday 9 to 20, Friday 9 to 13, closed on the Sabbath", () => {
  assert.ok(!open("2026-11-22T08:59:59+02:00"));
  assert.ok(open("2026-11-22T09:00:00+02:00"));
  assert.ok(open("2026-11-26T19:59:59+02:00"));
  assert.ok(!open("2026-11-26T20:00:00+02:00"));
  assert.ok(open("2026-11-27T12:59:59+02:00"));
  assert.ok(!open("2026-11-27T13:00:00+02:00"));
  assert.ok(!open("2026-11-28T10:00:00+02:00"));
  assert.ok(!open("2026-11-28T19:00:00+02:00"), "the evening after the Sabbath waits for Sunday");
});

Deno.test("opensAt() and closesAt() return the times across a Sabbath, a holiday and its eve", () => {
  assert.equal(next("2026-11-27T13:00:00+02:00"), at("2026-11-29T09:00:00+02:00"));
  assert.equal(end("2026-11-27T12:30:00+02:00"), at("2026-11-27T13:00:00+02:00"));
  assert.equal(end("2026-11-26T10:00:00+02:00"), at("2026-11-26T20:00:00+02:00"));
  const closed = at("2026-11-28T10:00:00+02:00");
  assert.equal(closesAt(closed, DEFAULT_SETTINGS), closed);
  // In 5786 the eve of Passover is a Wednesday, its first day a Thursday, and then comes a Friday.
  assert.equal(end("2026-04-01T09:30:00+03:00"), at("2026-04-01T13:00:00+03:00"));
  assert.equal(next("2026-04-01T13:00:00+03:00"), at("2026-04-03T09:00:00+03:00"));
  // New Year 5787 falls on a Sabbath and a Sunday.
  assert.equal(next("2026-09-11T13:00:00+03:00"), at("2026-09-14T09:00:00+03:00"));
});

Deno.test("opensAt() keeps nine o'clock through both changes of the clock", () => {
  // In 2026, Friday 27 March has 23 hours and Sunday 25 October has 25.
  assert.equal(next("2026-03-26T20:00:00+02:00"), at("2026-03-27T09:00:00+03:00"));
  assert.equal(end("2026-03-27T09:00:00+03:00"), at("2026-03-27T13:00:00+03:00"));
  assert.equal(next("2026-10-24T23:00:00+03:00"), at("2026-10-25T09:00:00+02:00"));
  assert.equal(end("2026-10-25T09:00:00+02:00"), at("2026-10-25T20:00:00+02:00"));
});

Deno.test("isOpen(), opensAt() and closesAt() agree with each other at any time and any hours", () => {
  const hours = fc.record({
    sendingOpensAt: fc.integer({ min: 7, max: 11 }),
    sendingClosesAt: fc.integer({ min: 16, max: 22 }),
    fridayClosesAt: fc.integer({ min: 12, max: 15 }),
  });
  const moment = fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2040-12-31T00:00:00Z") });
  fc.assert(
    fc.property(moment, hours, (now, hours: SendingHours) => {
      const opening = opensAt(now, hours);
      assert.ok(isOpen(opening, hours) && opening >= now);
      if (opening > now) {
        assert.ok(!isOpen(opening - 1, hours));
        assert.equal(localHour(opening), hours.sendingOpensAt);
      }
      const closing = closesAt(opening, hours);
      assert.ok(isOpen(closing - 1, hours) && !isOpen(closing, hours));
      assert.notEqual(dayKind(localDate(opening)), "closed");
      assert.ok(closing - opening <= 15 * 60 * 60_000);
    }),
    { numRuns: 1_000 },
  );
});
