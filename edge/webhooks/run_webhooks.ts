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
const HAS_ENDPOINT = "SELECT 1 FROM webhook_endpoints LIMIT 1";

/** Lets a sender's rest be ended early. */
export interface Waker {
  wake(): void;
  /** Returns a signal for one rest, which aborts at wake() or with `signal`. */
  rest(signal: AbortSignal): AbortSignal;
}

/** Returns a waker; a wake() between two rests ends the next one. */
export function createWaker(): Waker {
  let bell = new AbortController();
  return {
    wake: () => bell.abort(),
    rest(signal) {
      if (!bell.signal.aborted) return AbortSignal.any([bell.signal, signal]);
      bell = new AbortController();
      return AbortSignal.abort();
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
    const rest = waker.rest(signal);
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

/** Sends everything that is due now, and returns how many tries were made: for a platform that suspends its edges. */
export async function sendDueWebhooks(ctx: EdgeContext): Promise<number> {
  const parts = ctx.webhooks;
  if (parts === undefined) return 0;
  let tries = 0;
  for (;;) {
    const planned = await planCalls(ctx);
    const claimed = await claimCalls(ctx, MOST_UNDER_WAY);
    if (planned === 0 && claimed.length === 0) return tries;
    await Promise.all(claimed.map((call) => tryCall(ctx, parts, call)));
    tries += claimed.length;
  }
}
