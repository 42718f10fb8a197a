/** Checks its share of histories on a thread and a database of its own. */
import { checkHistories } from "./histories.ts";

export interface Order {
  runs: number;
  steps: number;
  seed: number;
}

export type Result = { tally: [string, number][] } | { failed: string };

// The DOM's type is in force; in a worker the global scope is the other end of its port.
const port = globalThis as unknown as Pick<MessagePort, "postMessage" | "onmessage">;

port.onmessage = async ({ data }: MessageEvent<Order>) => {
  const result: Result = await checkHistories(data).then(
    (tally) => ({ tally: [...tally] }),
    (error) => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  port.postMessage(result);
};
