/** What the edge does by itself, on every instance: the database says whose turn a duty is. */
import { forgetLoginTries } from "./auth/login_throttle.ts";
import { endExpiredSessions } from "./auth/sessions.ts";
import type { EdgeContext } from "./context.ts";
import { runDueTicks } from "./queue/ticks.ts";

const TICK_MS = 1_000;
const SESSIONS_EVERY_MS = 60_000;

/** Runs what is due every second until `signal` aborts. */
export async function runTicks(
  ctx: EdgeContext,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let sessionsAt = 0;
  while (!signal.aborted) {
    await runDueTicks(ctx);
    if (ctx.now() >= sessionsAt) {
      sessionsAt = ctx.now() + SESSIONS_EVERY_MS;
      await tidySessions(ctx);
    }
    await sleep(TICK_MS, signal);
  }
}

/** Ends expired sessions and forgets old login tries; harmless on several instances at once. */
async function tidySessions(ctx: EdgeContext): Promise<void> {
  try {
    await endExpiredSessions(ctx);
    await forgetLoginTries(ctx);
  } catch (error) {
    ctx.log.error("tick_failed", { duty: "tidy_sessions", error: String(error) });
  }
}
