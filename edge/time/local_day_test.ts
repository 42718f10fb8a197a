import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { localDay, localHour, localMidnight, msToLocalMidnight, sameTimeYesterday } from "./local_day.ts";

const HOUR = 3_600_000;

Deno.test("localDay() is the day in Jerusalem, summer and winter", () => {
  assert.equal(localDay(Date.parse("2026-01-10T21:59:59Z")), 20260110);
  assert.equal(localDay(Date.parse("2026-01-10T22:00:00Z")), 20260111);
  assert.equal(localDay(Date.parse("2026-07-10T20:59:59Z")), 20260710);
  assert.equal(localDay(Date.parse("2026-07-10T21:00:00Z")), 20260711);
  assert.equal(localDay(Date.parse("2026-12-31T23:00:00Z")), 20270101);
});

Deno.test("msToLocalMidnight() handles days of 23 and of 25 hours", () => {
  // In 2026 the clock moves forward on 27 March and back on 25 October, both at 02:00.
  assert.equal(msToLocalMidnight(Date.parse("2026-03-26T22:00:00Z")), 23 * HOUR);
  assert.equal(msToLocalMidnight(Date.parse("2026-10-24T21:00:00Z")), 25 * HOUR);
  assert.equal(msToLocalMidnight(Date.parse("2026-11-21T22:00:00Z")), 24 * HOUR);
});

Deno.test("sameTimeYesterday() uses local clock time", () => {
  const back = (text: string) => Date.parse(text) - sameTimeYesterday(Date.parse(text));
  assert.equal(back("2026-03-27T10:30:00+03:00"), 23 * HOUR);
  assert.equal(back("2026-03-28T10:30:00+03:00"), 24 * HOUR);
  assert.equal(back("2026-10-25T10:30:00+02:00"), 25 * HOUR);
  assert.equal(back("2027-01-01T00:30:00+02:00"), 24 * HOUR);
});

Deno.test("msToLocalMidnight() and localMidnight() enclose the local day of any instant", () => {
  const instants = fc.integer({ min: Date.parse("2025-01-01"), max: Date.parse("2032-01-01") });
  fc.assert(fc.property(instants, (at) => {
    const next = at + msToLocalMidnight(at);
    assert.notEqual(localDay(next), localDay(at));
    assert.equal(localDay(next - 1), localDay(at));
    const start = localMidnight(at);
    assert.equal(localDay(start), localDay(at));
    assert.notEqual(localDay(start - 1), localDay(at));
  }));
});

Deno.test("the local clock is the time zone database's at every hour of eight years, and a second before it", () => {
  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Asia/Jerusalem",
    dateStyle: "short",
    timeStyle: "short",
  });
  const until = Date.parse("2034-01-01");
  for (let full = Date.parse("2026-01-01"); full < until; full += HOUR) {
    for (const at of [full, full - 1000]) {
      const [date, time] = clock.format(at).split(" ");
      assert.deepEqual([localDay(at), localHour(at)], [
        Number(date.replaceAll("-", "")),
        Number(time.slice(0, 2)),
      ]);
    }
  }
});
