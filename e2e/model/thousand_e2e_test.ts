/** The large model: 1,000 histories of 300 steps, divided between one worker per processor. */
import assert from "node:assert/strict";
import { checkHistories } from "./histories.ts";
import type { Order, Result } from "./history_worker.ts";
import { readTally } from "./reached.ts";
import { SEED } from "shared/testing/seed.ts";

const RUNS = 1_000;
const STEPS = 300;
const WORKERS = Math.max(2, navigator.hardwareConcurrency);

Deno.test(`I1 to I7 hold in ${RUNS} histories of ${STEPS} steps, and each possible event occurs in them`, async () => {
  const startedAt = performance.now();
  const orders = Array.from(
    { length: WORKERS },
    (_, n) => ({ runs: Math.ceil(RUNS / WORKERS), steps: STEPS, seed: SEED + n }),
  );
  const tallies = await Promise.all(orders.map(inWorker));
  const tally = new Map<string, number>();
  for (const one of tallies) for (const [what, count] of one) tally.set(what, (tally.get(what) ?? 0) + count);
  const { table, missing } = readTally(tally);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print(`${RUNS} histories of ${STEPS} steps, seed ${SEED}, in ${seconds} s:\n${table}`);
  assert.deepEqual(missing, []);
});

Deno.test("I1 to I7 hold on a remote database", async () => {
  await checkHistories({ runs: 20, steps: 100, seed: SEED, remote: true });
});

function inWorker(order: Order): Promise<[string, number][]> {
  const worker = new Worker(new URL("./history_worker.ts", import.meta.url), { type: "module" });
  return new Promise<[string, number][]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Result>) =>
      "failed" in data ? reject(new Error(data.failed)) : resolve(data.tally);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage(order);
  }).finally(() => worker.terminate());
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
