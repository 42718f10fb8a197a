/** Simulates people at work while edges stop and start. */
import type { Caller } from "./caller.ts";
import { pause } from "./wait.ts";

/** Most lost requests per restart: they were on a connection when its edge closed it. */
export const UNANSWERED_A_RESTART = 3;

/** Reads and writes through the balancer without a pause, and counts the responses. */
export function keepAsking(caller: Caller, campaign: number) {
  const answers: Record<string, number> = {};
  let isOver = false;
  const count = (what: string) => void (answers[what] = (answers[what] ?? 0) + 1);
  async function ask(method: string, path: string, body: { json?: unknown }): Promise<void> {
    while (!isOver) {
      const response = await caller.call(method, path, body).catch(() => null);
      await response?.body?.cancel().catch(() => {});
      count(response === null ? "no answer" : `${response.status}`);
      await pause(10);
    }
  }
  const running = Promise.all([
    ask("GET", `/api/campaigns/${campaign}`, {}),
    ask("GET", "/api/auth/me", {}),
    ask("PATCH", `/api/campaigns/${campaign}`, { json: { name: "טיוטה" } }),
  ]);
  return {
    async stop() {
      isOver = true;
      await running;
      return answers;
    },
  };
}
