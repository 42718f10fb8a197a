import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { DEFAULT_SETTINGS, settingsSchema } from "shared/settings.ts";
import {
  BOUNDS,
  changedKeys,
  draftOf,
  isDangerous,
  type NumberKey,
  numberProblem,
  settingsOf,
  STANDARD,
} from "./settings_draft.ts";

Deno.test("numberProblem() and the server's schema agree on every number people type", () => {
  for (const key of Object.keys(BOUNDS) as NumberKey[]) {
    const field = settingsSchema.shape[key];
    const { min, max } = BOUNDS[key];
    const near = fc.oneof(fc.integer({ min: min - 5, max: max + 5 }), fc.integer({ min: -9, max: 40_000 }));
    fc.assert(fc.property(near, fc.integer({ min: 0, max: 9 }), fc.boolean(), (whole, tenth, isWhole) => {
      const typed = isWhole ? String(whole) : `${whole}.${tenth}`;
      // "7.0" is not accepted as a whole number, although its value is one.
      if (key !== "rateLimit" && !isWhole) return assert.ok(numberProblem(key, typed));
      assert.equal(numberProblem(key, typed) === undefined, field.safeParse(Number(typed)).success, typed);
    }));
    for (const typed of ["", " ", "a", "1e3", "0x10", "1.25", "-1", "٣"]) {
      assert.ok(numberProblem(key, typed), `${key} ${typed}`);
    }
  }
});

Deno.test("STANDARD has the server's defaults, and every number has its bounds", () => {
  assert.deepEqual(STANDARD, DEFAULT_SETTINGS);
});

Deno.test("settingsOf() returns the settings that draftOf() read, and nothing while a number is wrong", () => {
  assert.deepEqual(settingsOf(draftOf(DEFAULT_SETTINGS)), DEFAULT_SETTINGS);
  assert.equal(settingsOf({ ...draftOf(DEFAULT_SETTINGS), rateLimit: "" }), undefined);
});

Deno.test("changedKeys() counts values, not ways of writing them", () => {
  const draft = draftOf(DEFAULT_SETTINGS);
  assert.deepEqual(changedKeys({ ...draft, rateLimit: "1.0" }, DEFAULT_SETTINGS), []);
  assert.deepEqual(changedKeys({ ...draft, rateLimit: "", warmupEnabled: false }, DEFAULT_SETTINGS), [
    "rateLimit",
    "warmupEnabled",
  ]);
});

Deno.test("isDangerous() marks every number that can be ten times its recommended value", () => {
  // More days between messages, and more seconds, are careful; an hour of the day has no tenfold.
  const careful: NumberKey[] = ["frequencyCapDays", "rateLimit"];
  for (const key of Object.keys(BOUNDS) as NumberKey[]) {
    const tenfold = Number(STANDARD[key]) * 10;
    // 0 = off has no tenfold.
    const isPossible = tenfold > 0 && tenfold <= BOUNDS[key].max;
    assert.equal(isDangerous(key, tenfold), isPossible && !careful.includes(key), key);
    assert.equal(isDangerous(key, STANDARD[key]), false, key);
  }
  for (const key of careful) assert.ok(isDangerous(key, BOUNDS[key].min), key);
});
