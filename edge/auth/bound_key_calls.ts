/**
 * Bounds the calls by keys: a budget for each key, one for all keys of a client together, and the daily limit that its
 * owner set. They are apart from the bounds of people, so that software cannot take a client's screens away.
 */
import type { Context } from "hono";
import { type CallBound, KEY_BOUNDS } from "shared/call_limits.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { apiKeys } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import type { AppEnv } from "../http/router.ts";
import { localDay, msToLocalMidnight } from "../time/local_day.ts";
import { type CallRate, createCallRate } from "./call_rate.ts";
import type { FoundKey } from "./find_key.ts";

export interface KeyBounds {
  key: CallBound;
  client: CallBound;
}
/** Parts of a daily limit that an edge takes from the database at once: one write for so many calls. */
const DAY_PARTS = 100;

/** Runs `act` when the key may call now, and says in the answer's headers how much is left. */
export type BoundKeys = (c: Context<AppEnv>, found: FoundKey, act: () => Promise<void>) => Promise<void>;

// Counts `block` further calls of a day, or none when they would pass the limit.
const COUNT =
  `UPDATE api_keys SET count_calls = CASE count_day WHEN :day THEN count_calls ELSE 0 END + :block,
    count_day = :day
  WHERE id = :key AND CASE count_day WHEN :day THEN count_calls ELSE 0 END + :block <= daily_limit RETURNING id`;

/** Returns the bound of one instance; `clock` is monotonic, in milliseconds. */
export function createBoundKeys(
  ctx: EdgeContext,
  clock: () => number,
  bounds: KeyBounds = KEY_BOUNDS,
): BoundKeys {
  const ofKey = createCallRate(clock, bounds.key);
  const ofClient = createCallRate(clock, bounds.client);
  const takeOfDay = countDays(ctx);

  return async (c, found, act) => {
    const { user, dailyLimit } = found;
    const budgets = [
      { rate: ofKey, id: user.key.id, bound: bounds.key },
      { rate: ofClient, id: user.client, bound: bounds.client },
    ];
    const waitMs = Math.max(...budgets.map(({ rate, id }) => rate.left(id).waitMs));
    if (waitMs > 0) {
      throw new HttpError("too_many_attempts", {
        text: "יותר מדי בקשות בזמן קצר. אפשר לנסות שוב בעוד רגע.",
        headers: { ...headersOf(budgets), "retry-after": String(Math.ceil(waitMs / 1000)) },
      });
    }
    for (const { rate, id } of budgets) rate.take(id);
    const headers = headersOf(budgets);
    if (dailyLimit !== null && !await takeOfDay(user.key.id, dailyLimit)) {
      const seconds = Math.max(1, Math.ceil(msToLocalMidnight(ctx.now()) / 1000));
      throw new HttpError("key_day_over", { headers: { ...headers, "retry-after": String(seconds) } });
    }
    await act().catch((error) => {
      if (error instanceof HttpError) Object.assign(error.headers, headers);
      throw error;
    });
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
}

type Budget = { rate: CallRate; id: number; bound: CallBound };

/** Returns RateLimit-* (draft-ietf-httpapi-ratelimit-headers-07) for the budget with the smaller rest. */
function headersOf(budgets: readonly Budget[]): Record<string, string> {
  const [least] = budgets.map(({ rate, id, bound }) => ({ ...rate.left(id), bound }))
    .sort((a, b) => a.calls - b.calls);
  const { bound: { burst, perSecond }, calls, fullMs } = least!;
  return {
    "ratelimit-limit": String(burst),
    "ratelimit-remaining": String(calls),
    "ratelimit-reset": String(Math.ceil(fullMs / 1000)),
    "ratelimit-policy": `${burst};w=${Math.ceil(burst / perSecond)}`,
  };
}

/**
 * Returns a counter of a key's calls of a day, over all instances. An instance takes a hundredth of the limit at once,
 * so two of them may refuse up to a hundredth too early, and never too late.
 */
function countDays(ctx: EdgeContext): (key: number, limit: number) => Promise<boolean> {
  const taken = new Map<number, { day: number; left: number }>();

  async function takeBlock(key: number, day: number, block: number): Promise<boolean> {
    const result = await ctx.db.execute(statement(COUNT, { key, day, block }));
    if (rowsAs(result, { id: apiKeys.id }).length === 0) return false;
    const now = taken.get(key);
    taken.set(key, { day, left: (now?.day === day ? now.left : 0) + block });
    return true;
  }

  return async (key, limit) => {
    const day = localDay(ctx.now());
    const block = Math.max(1, Math.floor(limit / DAY_PARTS));
    const held = taken.get(key);
    if (held === undefined || held.day !== day || held.left === 0) {
      const isTaken = await takeBlock(key, day, block) || (block > 1 && await takeBlock(key, day, 1));
      if (!isTaken) {
        taken.delete(key);
        return false;
      }
    }
    const mine = taken.get(key);
    if (mine === undefined || mine.left === 0) return false;
    mine.left -= 1;
    return true;
  };
}
