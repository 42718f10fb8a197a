import assert from "node:assert/strict";
import { zonedTime } from "./zoned_time.ts";

Deno.test("zonedTime() names the offset, and tells the two hours of a clock change apart", () => {
  assert.equal(zonedTime(Date.UTC(2026, 10, 22, 8)), "2026-11-22T10:00:00+02:00");
  assert.equal(zonedTime(Date.UTC(2026, 6, 1, 8)), "2026-07-01T11:00:00+03:00");
  const summer = Date.UTC(2026, 9, 24, 22, 30);
  assert.equal(zonedTime(summer), "2026-10-25T01:30:00+03:00");
  assert.equal(zonedTime(summer + 60 * 60_000), "2026-10-25T01:30:00+02:00");
  assert.equal(zonedTime(summer + 999), "2026-10-25T01:30:00+03:00", "part of a second");
  assert.equal(zonedTime(null), "");
});
