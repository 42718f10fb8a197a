import assert from "node:assert/strict";
import { sleep } from "../time/sleep.ts";
import { openFleet } from "../testing/fleet.ts";
import { keep } from "./kept.ts";

Deno.test("keep() reads once per period for any number of callers, and keeps a failure as long", async () => {
  await using fleet = await openFleet();
  let clock = 0;
  let reads = 0;
  const kept = keep({ clock: () => clock, sleep }, 5_000, () => {
    reads += 1;
    return reads === 2 ? Promise.reject(new Error("out of reach")) : Promise.resolve(reads);
  });
  assert.equal(kept.value, null);
  const askTwice = async () => {
    await Promise.all([kept.refresh(fleet.ctx), kept.refresh(fleet.ctx)]);
    return [kept.value, reads];
  };
  assert.deepEqual(await askTwice(), [1, 1]);
  clock = 4_999;
  assert.deepEqual(await askTwice(), [1, 1]);
  clock = 5_000;
  assert.deepEqual(await askTwice(), [null, 2]);
  clock = 9_999;
  assert.deepEqual(await askTwice(), [null, 2]);
  clock = 10_000;
  assert.deepEqual(await askTwice(), [3, 3]);
});
