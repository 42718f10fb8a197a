import assert from "node:assert/strict";
import { watchLoopLag } from "./loop_lag.ts";

Deno.test("watchLoopLag() reports how late each wake-up was", async () => {
  const stop = new AbortController();
  const wakings = [500, 740, 499];
  const seen: number[] = [];
  let now = 0;
  await watchLoopLag({
    clock: () => now,
    sleep: (_ms) => {
      now += wakings.shift() ?? 0;
      if (wakings.length === 0) queueMicrotask(() => stop.abort());
      return Promise.resolve();
    },
    observe: (seconds) => seen.push(seconds),
  }, stop.signal);
  assert.deepEqual(seen.slice(0, 2), [0, 0.24]);
});
