/** The large model: 1,000 histories of 300 steps, divided between one worker per processor. */
import assert from "node:assert/strict";
import { checkHistories } from "./histories.ts";
import { inWorkers } from "./in_workers.ts";
import { readTally } from "./reached.ts";
import { SEED } from "shared/testing/seed.ts";

const RUNS = 1_000;
const STEPS = 300;

Deno.test(`I1 to I7 hold in ${RUNS} histories of ${STEPS} steps, and each possible event occurs in them`, async () => {
  const startedAt = performance.now();
  const tally = await inWorkers({ runs: RUNS, steps: STEPS, seed: SEED });
  const { table, missing } = readTally(tally);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print(`${RUNS} histories of ${STEPS} steps, seed ${SEED}, in ${seconds} s:\n${table}`);
  assert.deepEqual(missing, []);
});

Deno.test("I1 to I7 hold on a remote database", async () => {
  await checkHistories({ runs: 20, steps: 100, seed: SEED, remote: true });
});

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
