/** The sender: a loop on each edge. The database decides which edge sends a call. */
import type { EdgeContext, WebhookParts } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import { claimCalls, type ClaimedCall } from "./claim_calls.ts";
import { planCalls } from "./plan_calls.ts";
import { tryCall } from "./try_call.ts";

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Calls under way on one edge. */
const MOST_UNDER_WAY = 64;
/** How long the loop rests: another edge may have written events. */
const REST_MS = 500;
/** The same while no account has an endpoint. */
const IDLE_REST_MS = 5_000;
/** Of a run by the platform's cron. */
const MOST_RUN_MS = 20_000;
const HAS_ENDPOINT = "SELECT 1 FROM webhook_endpoints LIMIT 1";

/** Lets a sender's rest be ended early. */
export interface Waker {
  wake(): void;
  /** Returns the signal that ends the next rest; it is aborted already after a wake() since the last one. */
  rest(): AbortSignal;
}

/** Returns a waker; a wake() between two rests ends the next one. */
export function createWaker(): Waker {
  let bell = new AbortController();
  return {
    wake: () => bell.abort(),
    rest() {
      const { signal } = bell;
      if (signal.aborted) bell = new AbortController();
      return signal;
    },
  };
}

/** Sends until `signal` aborts. Calls under way then end with their claims, and are sent again. */
export async function runWebhooks(
  ctx: EdgeContext,
  { sleep, waker }: { sleep: Sleep; waker: Waker },
  signal: AbortSignal,
): Promise<void> {
  const parts = ctx.webhooks;
  if (parts === undefined) return;
  let underWay = 0;
  signal.addEventListener("abort", waker.wake, { once: true });
  while (!signal.aborted) {
    let restMs = IDLE_REST_MS;
    try {
      if ((await ctx.db.execute(HAS_ENDPOINT)).rows.length > 0) {
        restMs = REST_MS;
        if (await planCalls(ctx) > 0) restMs = 0;
        for (const call of await claimCalls(ctx, MOST_UNDER_WAY - underWay)) {
          underWay++;
          send(ctx, parts, call).finally(() => {
            underWay--;
            waker.wake();
          });
        }
      }
    } catch (error) {
      if (!signal.aborted) ctx.log.error("tick_failed", { duty: "send_webhooks", ...errorFields(error) });
    }
    const rest = waker.rest();
    if (!rest.aborted) await sleep(restMs, rest);
  }

  async function send(ctx: EdgeContext, parts: WebhookParts, call: ClaimedCall): Promise<void> {
    try {
      await tryCall(ctx, parts, call);
    } catch (error) {
      if (!signal.aborted) ctx.log.error("webhook_broke", { call: call.id, ...errorFields(error) });
    }
  }
}

/**
 * Sends what is due now, and returns how many tries were made: for a platform that suspends its edges, which allows some
 * time.
 */
export async function sendDueWebhooks(ctx: EdgeContext): Promise<number> {
  const parts = ctx.webhooks;
  if (parts === undefined) return 0;
  const until = ctx.now() + MOST_RUN_MS;
  let tries = 0;
  while (ctx.now() <= until) {
    const planned = await planCalls(ctx);
    const claimed = await claimCalls(ctx, MOST_UNDER_WAY);
    if (planned === 0 && claimed.length === 0) return tries;
    await Promise.all(claimed.map((call) => tryCall(ctx, parts, call)));
    tries += claimed.length;
  }
  return tries;
}
