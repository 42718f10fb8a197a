/** Divides histories between one worker per processor. */
import type { Order, Result } from "./history_worker.ts";

const WORKERS = Math.max(2, navigator.hardwareConcurrency);

/** Returns how often each event happened in all of them. @throws {Error} what broke a rule */
export async function inWorkers({ runs, seed, ...order }: Order): Promise<Map<string, number>> {
  const orders = Array.from(
    { length: WORKERS },
    (_, n) => ({ ...order, runs: Math.ceil(runs / WORKERS), seed: seed + n }),
  );
  const tally = new Map<string, number>();
  for (const one of await Promise.all(orders.map(inWorker))) {
    for (const [what, count] of one) tally.set(what, (tally.get(what) ?? 0) + count);
  }
  return tally;
}

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
