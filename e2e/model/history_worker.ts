/** Checks its share of the histories on its own thread and database. */
import { checkHistories, startedHistories } from "./histories.ts";

export interface Order {
  runs: number;
  steps: number;
  seed: number;
  /** The kind of histories; absent = any steps. */
  made?: keyof typeof KINDS;
}

const KINDS = { started: startedHistories };

export type Result = { tally: [string, number][] } | { failed: string };

// In a worker the global scope is one end of its port, but the DOM types say otherwise.
const port = globalThis as unknown as Pick<MessagePort, "postMessage" | "onmessage">;

port.onmessage = async ({ data }: MessageEvent<Order>) => {
  const result: Result = await checkHistories({ ...data, made: data.made && KINDS[data.made] }).then(
    (tally) => ({ tally: [...tally] }),
    (error) => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  port.postMessage(result);
};
