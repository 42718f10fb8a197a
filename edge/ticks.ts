/** What the edge does by itself, on every instance: the database says whose turn a duty is. */
import { forgetLoginTries } from "./auth/login_throttle.ts";
import { endExpiredSessions } from "./auth/sessions.ts";
import { removeDeadImports } from "./contacts/remove_import.ts";
import type { EdgeContext } from "./context.ts";
import { runDueTicks } from "./queue/ticks.ts";

const TICK_MS = 1_000;
const TIDY_EVERY_MS = 10_000;

/** Runs what is due every second until `signal` aborts. */
export async function runTicks(
  ctx: EdgeContext,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let tidyAt = 0;
  while (!signal.aborted) {
    await runDueTicks(ctx);
    if (ctx.now() >= tidyAt) {
      tidyAt = ctx.now() + TIDY_EVERY_MS;
      await tidy(ctx);
    }
    await sleep(TICK_MS, signal);
  }
}

/** What a crash or the clock leaves behind: sessions, login tries, half an import. Harmless on several instances at once. */
async function tidy(ctx: EdgeContext): Promise<void> {
  try {
    await endExpiredSessions(ctx);
    await forgetLoginTries(ctx);
    while (await removeDeadImports(ctx) > 0);
  } catch (error) {
    ctx.log.error("tick_failed", { duty: "tidy", error: String(error) });
  }
}
