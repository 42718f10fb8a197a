import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { chartScale } from "./chart_scale.ts";

Deno.test("chartScale() returns round steps above the highest value", () => {
  assert.deepEqual(chartScale(2310), [0, 500, 1000, 1500, 2000, 2500]);
  assert.deepEqual(chartScale(11_200), [0, 2500, 5000, 7500, 10_000, 12_500]);
  assert.deepEqual(chartScale(0), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(chartScale(7), [0, 2, 4, 6, 8, 10]);
});

Deno.test("chartScale() covers any value with whole steps, and wastes at most three fifths", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 10_000_000 }), (most) => {
    const scale = chartScale(most);
    const top = scale.at(-1)!;
    assert.ok(top >= most && (top <= most * 2.5 || top <= 10), `${most} → ${top}`);
    assert.ok(scale.every(Number.isInteger));
  }));
});
