import assert from "node:assert/strict";
import {
  DESK_POINT_IDS,
  DESK_POINTS,
  DESK_STEPS,
  makerOf,
  MAKERS,
  pointsOf,
  pressSentence,
} from "./desk_guide.ts";

Deno.test("every point says what is wrong and what to press on each maker's phone, in both languages", () => {
  for (const point of DESK_POINT_IDS) {
    const { name, wrong } = DESK_POINTS[point];
    for (const maker of [null, ...MAKERS]) {
      const press = pressSentence(point, maker);
      for (const { he, en } of [name, wrong, press]) {
        assert.match(he, /[א-ת]/, point);
        assert.doesNotMatch(en, /[א-ת]/, point);
        assert.doesNotMatch(`${he}${en}`, /[{}]/, point);
      }
    }
  }
  for (const { press, shows } of DESK_STEPS) assert.ok(press.he && press.en && shows.he && shows.en);
});

Deno.test("a phone has only the points of its maker", () => {
  assert.ok(pointsOf("xiaomi").includes("usb_input"));
  assert.ok(!pointsOf("samsung").includes("usb_input"));
  assert.ok(!pointsOf(null).includes("auto_blocker"));
  assert.match(pressSentence("stay_awake", "samsung").en, /^Settings > Developer options: /);
  assert.match(pressSentence("stay_awake", null).he, /^הגדרות ← מערכת ← אפשרויות למפתחים: /);
});

Deno.test("makerOf() knows the makers by any spelling, and no other", () => {
  assert.deepEqual(["samsung", "Xiaomi", "POCO", "motorola", "Google\n"].map(makerOf), [
    "samsung",
    "xiaomi",
    "xiaomi",
    "motorola",
    "google",
  ]);
  assert.equal(makerOf("constructor"), null);
  assert.equal(makerOf("s".repeat(1_000_000)), null);
});
