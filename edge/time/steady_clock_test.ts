import assert from "node:assert/strict";
import { BELIEVED_AFTER_MS, createSteadyClock } from "./steady_clock.ts";

function world() {
  const at = { wall: 1_000_000, monotonic: 5_000 };
  const steady = createSteadyClock({ now: () => at.wall, monotonic: () => at.monotonic });
  const pass = (ms: number) => {
    at.wall += ms;
    at.monotonic += ms;
  };
  return { at, steady, pass };
}

Deno.test("createSteadyClock() follows a clock that runs, drifts and is set back", () => {
  const { at, steady, pass } = world();
  assert.equal(steady(), at.wall);
  pass(60_000);
  at.wall += 1_900;
  assert.equal(steady(), at.wall);
  at.wall -= 3_600_000;
  assert.equal(steady(), at.wall);
});

Deno.test("createSteadyClock() believes a clock that was set forward only after two minutes", () => {
  const { at, steady, pass } = world();
  steady();
  at.wall += 50 * 60_000;
  assert.equal(steady(), 1_000_000);
  pass(BELIEVED_AFTER_MS - 1);
  assert.equal(steady(), 1_000_000 + BELIEVED_AFTER_MS - 1);
  pass(1);
  assert.equal(steady(), at.wall);
});

Deno.test("createSteadyClock() forgets a jump that was corrected", () => {
  const { at, steady, pass } = world();
  steady();
  at.wall += 50 * 60_000;
  steady();
  pass(60_000);
  at.wall -= 50 * 60_000;
  assert.equal(steady(), at.wall);
  at.wall += 50 * 60_000;
  pass(BELIEVED_AFTER_MS / 2);
  assert.ok(steady() < at.wall);
});
