/**
 * Plans, repeats, limits a day and approvals in very many short histories: each plan starts once, each due run is made
 * once. `SHIGUR_HISTORIES` sets how many; 10,000 prove it, CI runs fewer.
 */
import assert from "node:assert/strict";
import { SEED } from "shared/testing/seed.ts";
import { readCount } from "./history_count.ts";
import { inWorkers } from "./in_workers.ts";

const RUNS = readCount(400);
const STEPS = 30;

Deno.test(`each plan starts once and each due run is made once in ${RUNS} histories of ${STEPS} steps`, async () => {
  const startedAt = performance.now();
  const tally = await inWorkers({ runs: RUNS, steps: STEPS, seed: SEED + 100, made: "started" });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const table = [...tally].filter(([what]) => /plan|run |repeat|bound|limit/.test(what)).sort()
    .map(([what, count]) => `${String(count).padStart(9)}  ${what}\n`).join("");
  Deno.stdout.writeSync(
    new TextEncoder().encode(`${RUNS} histories of ${STEPS} steps, seed ${SEED}, in ${seconds} s:\n${table}`),
  );
  const needed = [
    "plan started: processing",
    "plan called off",
    "plan moved",
    "plan held: missed",
    "plan held: not_approved",
    "plan held: restored",
    "run begun",
    "run ended: made",
    "run missed",
    "repeats a day ahead",
    "start above the bound",
  ];
  assert.deepEqual(needed.filter((what) => !tally.has(what)), []);
});
