import assert from "node:assert/strict";
import { slopeOf } from "./slope.ts";

Deno.test("slopeOf() finds the line that samples lie on, without an error", () => {
  const samples = [0, 0.1, 0.5, 0.7].map((hours) => ({ hours, mb: 120 - 8 * hours }));
  const { mbPerHour, errorMbPerHour } = slopeOf(samples);
  assert.ok(Math.abs(mbPerHour + 8) < 1e-9);
  assert.ok(errorMbPerHour < 1e-6);
});

Deno.test("slopeOf() of a sawtooth is near its trend, and returns its error", () => {
  const samples = Array.from({ length: 120 }, (_, index) => ({
    hours: index / 360,
    mb: 100 + 3 * (index / 360) + 10 * (index % 2),
  }));
  const { mbPerHour, errorMbPerHour } = slopeOf(samples);
  assert.ok(Math.abs(mbPerHour - 3) < 2 * errorMbPerHour);
  assert.ok(errorMbPerHour > 1 && errorMbPerHour < 10);
});

Deno.test("slopeOf() returns nothing for two samples, or for samples of one moment", () => {
  assert.ok(Number.isNaN(slopeOf([{ hours: 0, mb: 1 }, { hours: 1, mb: 2 }]).mbPerHour));
  assert.ok(Number.isNaN(slopeOf([1, 2, 3].map((mb) => ({ hours: 1, mb }))).mbPerHour));
});
