import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { isOpen } from "../time/sending_hours.ts";
import { endByRule, estimateEnd, type EstimateFacts, isFirstMoment, measuredPace } from "./estimate_end.ts";

const MINUTE = 60_000;
const at = (text: string) => Date.parse(`${text}+02:00`);
/** A Sunday morning. */
const NOW = at("2026-11-22T10:00:00");
const HOURS = { sendingOpensAt: 9, sendingClosesAt: 20, fridayClosesAt: 13 };

const AMPLE = { leftNow: 1e6, leftToday: 1e6, perHour: 1e6, perDay: 1e6, phones: 1, paceMs: 1000 };

function facts(given: Partial<EstimateFacts>): EstimateFacts {
  return {
    now: NOW,
    waiting: 100,
    ahead: 0,
    others: [],
    hours: null,
    capacity: AMPLE,
    pace: null,
    startsAt: 0,
    lastNotBefore: 0,
    ...given,
  };
}
const moment = (given: Partial<EstimateFacts>) => {
  const end = estimateEnd(facts(given));
  return end === null ? null : new Date(end + 2 * 60 * MINUTE).toISOString().slice(5, 16);
};

Deno.test("estimateEnd() goes by the measured pace, and by three seconds a message and phone without one", () => {
  assert.equal(moment({ pace: 10 }), "11-22T10:10");
  assert.equal(moment({}), "11-22T10:05");
  assert.equal(moment({ capacity: { ...AMPLE, phones: 5 } }), "11-22T10:01");
  assert.equal(
    moment({ capacity: { ...AMPLE, paceMs: 60_000 } }),
    "11-22T11:40",
    "the phones' pace is slower",
  );
});

Deno.test("estimateEnd() waits for the next hour and the next day where the caps say so", () => {
  const capacity = { ...AMPLE, leftNow: 10, leftToday: 60, perHour: 25, perDay: 100 };
  assert.equal(moment({ waiting: 10, capacity, pace: 60 }), "11-22T10:00");
  assert.equal(moment({ waiting: 36, capacity, pace: 1 }), "11-22T12:01", "10 + 25 + 1");
  assert.equal(moment({ waiting: 61, capacity, pace: 1 }), "11-23T00:01", "60 today");
  assert.equal(moment({ waiting: 161, capacity, pace: 1 }), "11-24T00:01", "100 more tomorrow");
});

Deno.test("estimateEnd() keeps the hours, the Sabbath and holidays", () => {
  const capacity = { ...AMPLE, leftToday: 100, perDay: 100, perHour: 25 };
  const friday = { now: at("2026-11-27T12:30:00"), hours: HOURS, capacity, pace: 1 };
  assert.equal(moment({ ...friday, waiting: 31 }), "11-29T09:01", "until one o'clock, then on Sunday");
  assert.equal(moment({ ...friday, waiting: 131 }), "11-30T09:01");
  assert.equal(moment({ ...friday, hours: null, waiting: 31 }), "11-27T13:01", "service has no hours");
  assert.equal(moment({ ...friday, now: at("2026-11-28T12:00:00"), waiting: 5 }), "11-29T09:05");
  // The eve and the day of New Year, a Friday and a Sabbath of 2026, and its second day.
  assert.equal(moment({ ...friday, now: at("2026-09-11T13:30:00"), waiting: 5 }), "09-14T08:05");
});

Deno.test("estimateEnd() lets the client's earlier campaigns go first, and takes turns with other clients", () => {
  assert.equal(moment({ waiting: 10, ahead: 20, capacity: { ...AMPLE, phones: 1 } }), "11-22T10:01");
  assert.equal(moment({ waiting: 20, others: [1_000_000] }), "11-22T10:02");
  assert.equal(moment({ waiting: 20, others: [10, 10] }), "11-22T10:02");
});

Deno.test("estimateEnd() waits for a later start and for the last retry, within the hours", () => {
  assert.equal(moment({ startsAt: NOW + 30 * MINUTE, pace: 100 }), "11-22T10:31");
  assert.equal(moment({ lastNotBefore: NOW + 30 * MINUTE, pace: 100 }), "11-22T10:30");
  const late = { hours: HOURS, now: at("2026-11-22T19:50:00"), pace: 100, waiting: 10 };
  assert.equal(moment({ ...late, lastNotBefore: at("2026-11-22T20:10:00") }), "11-23T09:00");
});

Deno.test("estimateEnd() returns nothing when the fleet can send nothing, or only in more than half a year", () => {
  assert.equal(moment({ capacity: { ...AMPLE, phones: 0 } }), null);
  assert.equal(moment({ capacity: { ...AMPLE, leftNow: 0, leftToday: 0, perHour: 0, perDay: 0 } }), null);
  assert.equal(moment({ waiting: 1_000_000, capacity: { ...AMPLE, leftToday: 100, perDay: 100 } }), null);
});

Deno.test("estimateEnd() is never before now, grows with the work, and is within the hours", () => {
  const drawn = fc.record({
    now: fc.integer({ min: NOW, max: NOW + 400 * 24 * 60 * MINUTE }),
    waiting: fc.integer({ min: 1, max: 5_000 }),
    ahead: fc.integer({ min: 0, max: 500 }),
    others: fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 4 }),
    hours: fc.constantFrom(null, HOURS),
    pace: fc.constantFrom(null, 1, 30, 600),
    capacity: fc.record({
      leftNow: fc.integer({ min: 0, max: 300 }),
      leftToday: fc.integer({ min: 0, max: 2_000 }),
      perHour: fc.integer({ min: 1, max: 300 }),
      perDay: fc.integer({ min: 1, max: 2_000 }),
      phones: fc.integer({ min: 1, max: 20 }),
      paceMs: fc.integer({ min: 0, max: 60_000 }),
    }),
  });
  fc.assert(fc.property(drawn, fc.integer({ min: 1, max: 500 }), (given, more) => {
    const end = estimateEnd(facts(given));
    const later = estimateEnd(facts({ ...given, waiting: given.waiting + more, pace: null }));
    const before = estimateEnd(facts({ ...given, pace: null }));
    if (before !== null && later !== null) assert.ok(later >= before);
    if (end === null) return;
    assert.ok(end >= given.now);
    if (given.hours !== null) assert.ok(isOpen(end - 1, given.hours), new Date(end).toISOString());
  }));
});

Deno.test("measuredPace() measures the last minutes, and nothing from an old pace or before a few messages", () => {
  const run = { outcomes: 300, startedAt: NOW - 60 * MINUTE, lastSentAt: NOW };
  assert.equal(measuredPace(run, { at: NOW - 10 * MINUTE, outcomes: 100 }, NOW), 20);
  assert.equal(
    measuredPace({ ...run, lastSentAt: NOW - 6 * MINUTE }, { at: NOW - 8 * MINUTE, outcomes: 100 }, NOW),
    null,
  );
  assert.equal(measuredPace(run, null, NOW), null);
  const young = { outcomes: 5, startedAt: NOW - 30_000, lastSentAt: NOW };
  assert.equal(measuredPace(young, null, NOW), 10);
  assert.equal(measuredPace({ ...young, outcomes: 4 }, null, NOW), null);
  assert.equal(measuredPace({ ...young, startedAt: NOW - 4_000 }, null, NOW), null);
});

Deno.test("the product's stated rule counts in the first minute of a campaign, while its pace is unknown", () => {
  assert.equal(endByRule(40, NOW), NOW + 120_000);
  assert.ok(isFirstMoment(NOW - MINUTE, null, NOW));
  assert.ok(!isFirstMoment(NOW - MINUTE - 1, null, NOW));
  assert.ok(!isFirstMoment(NOW, 10, NOW));
  assert.ok(!isFirstMoment(null, null, NOW));
});
