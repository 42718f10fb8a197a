import assert from "node:assert/strict";
import { createClockWatch, LEAST_JUMP_MS } from "./clock_watch.ts";

Deno.test("createClockWatch() reports each jump once, ahead and back, and neither a slow program nor a drift", () => {
  let wall = 1_000_000;
  let monotonic = 0;
  const look = createClockWatch({ now: () => wall, monotonic: () => monotonic });
  const pass = (ms: number, jump = 0) => {
    monotonic += ms;
    wall += ms + jump;
    return look();
  };
  assert.equal(pass(1_000), 0);
  assert.equal(pass(60_000), 0, "the program had no processor for a minute");
  assert.equal(pass(1_000, 3_600_000), 3_600_000);
  assert.equal(pass(1_000), 0);
  assert.equal(pass(1_000, -3_600_000), -3_600_000);
  for (let second = 0; second < 10; second++) assert.equal(pass(1_000, LEAST_JUMP_MS / 2), 0);
  assert.equal(pass(1_000, LEAST_JUMP_MS), LEAST_JUMP_MS);
});
