import assert from "node:assert/strict";
import { startOfDay } from "./start_of_day.ts";

Deno.test("startOfDay() is midnight in Jerusalem, in winter, in summer, and when the clocks change", () => {
  assert.equal(startOfDay("2026-11-22"), Date.UTC(2026, 10, 21, 22));
  assert.equal(startOfDay("2026-07-01"), Date.UTC(2026, 5, 30, 21));
  assert.equal(startOfDay("2026-03-27"), Date.UTC(2026, 2, 26, 22));
  assert.equal(startOfDay("2026-03-27", 1), Date.UTC(2026, 2, 27, 21));
  assert.equal(startOfDay("2026-10-25", 1), Date.UTC(2026, 9, 25, 22));
});
