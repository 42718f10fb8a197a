/** Watches whether an edge keeps responding to people. */
import type { Caller } from "./caller.ts";
import { pause } from "./wait.ts";

/** Requests the campaign from an edge repeatedly, until it is stopped or `over` aborts. */
export function watchHealth(caller: Caller, campaign: number, over: AbortSignal) {
  const answers: Record<string, number> = {};
  let slowestMs = 0;
  const ending = new AbortController();
  const running = ask();
  async function askOnce(url: string): Promise<number> {
    const response = await caller.at(url).call("GET", `/api/campaigns/${campaign}`);
    await response.body?.cancel();
    return response.status;
  }
  async function ask(): Promise<void> {
    while (!ending.signal.aborted && !over.aborted) {
      const began = performance.now();
      const status = await askOnce(caller.url).catch(String);
      answers[status] = (answers[status] ?? 0) + 1;
      slowestMs = Math.max(slowestMs, performance.now() - began);
      await pause(500);
    }
  }
  return {
    ask: askOnce,
    async stop() {
      ending.abort();
      await running;
      return { answers, slowestMs };
    },
  };
}
