import assert from "node:assert/strict";
import { backoffMs, MAX_BACKOFF_MS } from "./backoff.ts";
import { Bell } from "./bell.ts";
import { systemClock } from "./system_clock.ts";

const HOUR_MS = 3_600_000;

Deno.test("Bell keeps one ring that nobody waited for", async () => {
  const bell = new Bell();
  const signal = new AbortController().signal;
  bell.wake();
  bell.wake();
  await bell.wait(systemClock, HOUR_MS, signal);
  let isOver = false;
  const second = bell.wait(systemClock, HOUR_MS, signal).then(() => isOver = true);
  await systemClock.sleep(1);
  assert.equal(isOver, false);
  bell.wake();
  await second;
});

Deno.test("Bell ends its wait when the signal aborts", async () => {
  const stop = new AbortController();
  const waiting = new Bell().wait(systemClock, HOUR_MS, stop.signal);
  stop.abort();
  await waiting;
});

Deno.test("backoffMs() grows to its cap and spreads over all of it", () => {
  assert.equal(backoffMs(0, () => 1), 500);
  const waits = Array.from({ length: 8 }, (_, tries) => backoffMs(tries, () => 0.5));
  const away = waits.map((_, tries) => waits.slice(0, tries).reduce((sum, ms) => sum + ms, 0));
  assert.ok(
    away.every((ms, tries) => backoffMs(tries, () => 1) <= ms + 500),
    "no longer than it has been away",
  );
  assert.equal(backoffMs(1_000, () => 1), MAX_BACKOFF_MS);
  assert.equal(backoffMs(1_000, () => 0), 0);
});
