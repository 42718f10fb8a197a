import assert from "node:assert/strict";
import { STEPS } from "./moment.ts";
import { makePlan, VICTIMS } from "./plan.ts";

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

Deno.test("makePlan() returns the same plan for the same seed, and another plan for another seed", () => {
  assert.deepEqual(makePlan(7, 5), makePlan(7, 5));
  assert.notDeepEqual(makePlan(7, 5), makePlan(8, 5));
});

Deno.test("makePlan() aims kills at every step and every victim, in order of their moments", () => {
  const plans = SEEDS.map((seed) => makePlan(seed, 5));
  const kills = plans.flatMap(({ timeline }) =>
    timeline.flatMap(({ act }) => act.kind === "kill" ? [act] : [])
  );
  assert.equal(kills.length, 5 * SEEDS.length);
  assert.deepEqual(new Set(kills.map(({ aim }) => aim)), new Set([...STEPS, null]));
  assert.deepEqual(new Set(kills.map(({ victim }) => victim)), new Set(VICTIMS));
  for (const { timeline } of plans) {
    const moments = timeline.map(({ at }) => at);
    assert.deepEqual(moments, moments.toSorted((a, b) => a - b));
    assert.ok(moments.every((at) => at > 0.05 && at < 0.95));
  }
});

Deno.test("makePlan() makes worlds of every kind", () => {
  const plans = SEEDS.map((seed) => makePlan(seed, 5));
  const kinds = new Set(plans.flatMap(({ timeline }) => timeline.map(({ act }) => act.kind)));
  assert.deepEqual(
    [...kinds].sort(),
    [
      "cancel",
      "clock",
      "cut",
      "freeze",
      "full disk",
      "half-open",
      "kill",
      "linger",
      "pause",
      "reboot",
      "storm",
      "unplug",
    ],
  );
  for (
    const has of [
      plans.some(({ faults }) => faults > 0),
      plans.some(({ faults }) => faults === 0),
      plans.some(({ contacts }) => contacts.length === 2),
      plans.some(({ hasImage }) => hasImage),
      plans.some(({ isPersonal }) => isPersonal),
      plans.some(({ isPersonal }) => !isPersonal),
      plans.some(({ clockOffsetS }) => clockOffsetS !== null),
    ]
  ) assert.ok(has);
});
