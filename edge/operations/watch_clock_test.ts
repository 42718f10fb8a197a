import assert from "node:assert/strict";
import { createLog } from "../log.ts";
import { watchClock } from "./watch_clock.ts";

Deno.test("watchClock() logs each jump of this machine's clock once, with its milliseconds", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  let second = 0;
  await watchClock({
    now: () => second * 1_000 + (second === 2 ? 3_600_000 : 0),
    monotonic: () => second * 1_000,
    sleep() {
      if (++second === 4) stop.abort();
      return Promise.resolve();
    },
    log: createLog({
      level: "info",
      now: () => 0,
      write: (line) => void lines.push(line),
      scope: () => ({}),
    }),
  }, stop.signal);
  const told = lines.map((line) => JSON.parse(line));
  assert.deepEqual(told.map(({ event, ms }) => [event, ms]), [["clock_jumped", 3_600_000], [
    "clock_jumped",
    -3_600_000,
  ]]);
});
