import assert from "node:assert/strict";
import { CLOCK_JUMP_MS, watchJumps } from "./clock_watch.ts";

function clocks() {
  const time = { wall: 1_000_000, monotonic: 0 };
  return {
    time,
    look: watchJumps({ now: () => time.wall, monotonic: () => time.monotonic }),
    pass(ms: number, driftMs = 0) {
      time.monotonic += ms;
      time.wall += ms + driftMs;
    },
  };
}

Deno.test("watchJumps() reports each jump once, forward and back", () => {
  const { look, pass } = clocks();
  assert.equal(look(), 0);
  pass(1_000);
  assert.equal(look(), 0);
  pass(1_000, 3_600_000);
  assert.equal(look(), 3_600_000);
  pass(1_000);
  assert.equal(look(), 0);
  pass(1_000, -CLOCK_JUMP_MS);
  assert.equal(look(), -CLOCK_JUMP_MS);
});

Deno.test("watchJumps() reports no jump for a slow drift, a small step or a frozen process", () => {
  const { look, pass } = clocks();
  look();
  for (let second = 0; second < 100; second++) {
    pass(1_000, 100);
    assert.equal(look(), 0);
  }
  pass(1_000, CLOCK_JUMP_MS - 1);
  assert.equal(look(), 0);
  pass(3_600_000);
  assert.equal(look(), 0);
});

Deno.test("watchJumps() ignores a reading that was interrupted between its two clocks", () => {
  let monotonic = 0;
  let frozenMs = 0;
  const look = watchJumps({
    now() {
      const wall = 1_000_000 + monotonic;
      monotonic += frozenMs;
      return wall;
    },
    monotonic: () => monotonic,
  });
  look();
  frozenMs = 60_000;
  assert.equal(look(), 0);
  frozenMs = 0;
  assert.equal(look(), 0);
});
