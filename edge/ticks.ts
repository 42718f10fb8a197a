/** What the edge does by itself, every second; each duty may run on several instances at once. */
import { forgetLoginTries } from "./auth/login_throttle.ts";
import { endExpiredSessions } from "./auth/sessions.ts";
import type { EdgeContext } from "./context.ts";

const TICK_MS = 1_000;
const MINUTE_MS = 60_000;

interface Duty {
  name: string;
  everyMs: number;
  run(ctx: EdgeContext): Promise<unknown>;
}

const DUTIES: Duty[] = [
  { name: "end_expired_sessions", everyMs: MINUTE_MS, run: endExpiredSessions },
  { name: "forget_login_tries", everyMs: 60 * MINUTE_MS, run: forgetLoginTries },
];

/** Runs the duties until `signal` aborts; one that fails is logged and tried again at its next turn. */
export async function runTicks(
  ctx: EdgeContext,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const nextAt = new Map<Duty, number>();
  while (!signal.aborted) {
    for (const duty of DUTIES) {
      if (ctx.now() < (nextAt.get(duty) ?? 0)) continue;
      nextAt.set(duty, ctx.now() + duty.everyMs);
      await duty.run(ctx).catch((error) => {
        ctx.log.error("duty_failed", { duty: duty.name, error: String(error) });
      });
    }
    await sleep(TICK_MS, signal);
  }
}
