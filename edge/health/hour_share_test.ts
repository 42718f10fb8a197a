import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "shared/testing/fast_check.ts";
import { HOUR_FLOOR, hourCap, hourCapSql } from "./hour_share.ts";

Deno.test("hourCap() spreads a day over four hours and more by default", () => {
  assert.deepEqual([20, 100, 250].map((cap) => hourCap(cap, 25)), [5, 25, 63]);
  assert.equal(hourCap(3, 25), 3);
});

Deno.test("hourCap() stays within the day, which the number of hours given by the share uses up", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 5, max: 100 }), (day, percent) => {
      const hour = hourCap(day, percent);
      assert.ok(Number.isInteger(hour) && hour >= Math.min(day, HOUR_FLOOR) && hour <= day);
      assert.ok(hour * Math.ceil(100 / percent) >= day);
      assert.ok(hour <= HOUR_FLOOR || hour < (day * percent) / 100 + 1);
    }),
  );
});

Deno.test("hourCapSql() returns the same as hourCap()", () => {
  using db = new DatabaseSync(":memory:");
  const asked = db.prepare(
    `SELECT ${hourCapSql("CAST(:day AS INTEGER)", "CAST(:percent AS INTEGER)")} AS hour`,
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 5, max: 100 }), (day, percent) => {
      assert.equal(asked.get({ day, percent })!.hour, hourCap(day, percent));
    }),
  );
});
