import assert from "node:assert/strict";
import { silentLog } from "../testing/test_context.ts";
import { watchClockJumps } from "./clock_jump.ts";

Deno.test("watchClockJumps() logs a jump of the wall clock with its milliseconds, once", async () => {
  const stop = new AbortController();
  const logged: unknown[] = [];
  // Extra milliseconds of the wall clock in each second.
  const steps = [0, 0, -7_200_000, 0, 5_000, 0];
  let [wall, monotonic] = [1_000_000, 0];
  await watchClockJumps({
    now: () => wall,
    clock: () => monotonic,
    sleep: () => {
      monotonic += 1_000;
      wall += 1_000 + (steps.shift() ?? 0);
      if (steps.length === 0) stop.abort();
      return Promise.resolve();
    },
    log: { ...silentLog, warn: (event, fields) => logged.push([event, fields]) },
  }, stop.signal);
  assert.deepEqual(logged, [["clock_jumped", { ms: -7_200_000 }], ["clock_jumped", { ms: 5_000 }]]);
});
