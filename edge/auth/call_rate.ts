/** Bounds one person's calls over all browsers: far above what the screens need, far below a flood. */
import type { MiddlewareHandler } from "hono";
import { CALL_BOUND, type CallBound } from "shared/call_limits.ts";
import { isCopy, isUpload, readsStaged } from "../http/body_rules.ts";
import { HttpError } from "../http/http_error.ts";
import type { AppEnv } from "../http/router.ts";
import { sleep } from "../time/sleep.ts";

/** What a bucket holds. */
export interface CallsLeft {
  calls: number;
  /** Milliseconds until the next call is allowed; 0 = now. */
  waitMs: number;
  /** Milliseconds until the bucket is full. */
  fullMs: number;
}

export interface CallRate {
  /**
   * Counts a call of a caller: a user's id, or an address. Returns 0 when it is allowed, else the milliseconds to wait;
   * a refused call does not count.
   */
  take(caller: number | string): number;
  /** Returns what is left, and counts nothing. */
  left(caller: number | string): CallsLeft;
  /** Number of callers in memory. */
  readonly size: number;
}

/** Returns a counter in memory, separate for each instance; `clock` is monotonic, in milliseconds. */
export function createCallRate(clock: () => number, { burst, perSecond }: CallBound = CALL_BOUND): CallRate {
  const callMs = 1000 / perSecond;
  /** When a caller's bucket is full again, oldest caller first; one that is missing has a full bucket. */
  const fullAt = new Map<number | string, number>();

  function forgetTheFull(now: number): void {
    for (const [caller, at] of fullAt) {
      if (at > now) return;
      fullAt.delete(caller);
    }
  }

  return {
    left(caller) {
      const now = clock();
      const fullMs = Math.max(0, (fullAt.get(caller) ?? now) - now);
      const waitMs = fullMs + callMs - burst * callMs;
      return {
        calls: Math.max(0, Math.floor(burst - fullMs / callMs + 0.01)),
        waitMs: waitMs > 0.1 ? waitMs : 0,
        fullMs,
      };
    },
    take(caller) {
      const now = clock();
      forgetTheFull(now);
      const next = Math.max(fullAt.get(caller) ?? now, now) + callMs;
      const tooSoonMs = next - now - burst * callMs;
      // The sum may be off by a tenth of a millisecond.
      if (tooSoonMs > 0.1) return tooSoonMs;
      fullAt.delete(caller);
      fullAt.set(caller, next);
      return 0;
    },
    get size() {
      return fullAt.size;
    },
  };
}

const READS = new Set(["GET", "HEAD"]);

/**
 * Returns a middleware that refuses calls beyond the bound with `too_many_attempts`. It does not count calls that the
 * login's own bound counts, nor calls that end a session. So a flood from a stolen session cannot stop its owner from
 * ending it.
 */
export function boundCalls(rate: CallRate): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const user = c.get("user");
    const isOwnBound = !READS.has(c.req.method) && c.req.path.startsWith("/api/auth/");
    // Keys have budgets of their own (bound_key_calls.ts), so that software cannot use up a person's.
    if (!user || user.key || isOwnBound) return next();
    const waitMs = rate.take(user.person);
    if (waitMs === 0) return next();
    throw new HttpError("too_many_attempts", {
      text: "יותר מדי בקשות בזמן קצר. אפשר לנסות שוב בעוד רגע.",
      headers: { "retry-after": String(Math.ceil(waitMs / 1000)) },
    });
  };
}

/** Most uploads of one client under way or being read: each is held in memory, at up to twice its size. */
export const MAX_UPLOADS = 8;
/** Most of them by keys: software cannot take the places of the client's screens. */
export const MAX_KEY_UPLOADS = 4;

/** A sender that is silent for this long has gone: nothing closes a connection that lost its other end. */
export const UPLOAD_SILENT_MS = 60_000;

/**
 * Returns a middleware that refuses a further upload with `too_many_attempts` and ends a body that is silent for too
 * long. A copy of a campaign counts as an upload, because it adds as many contacts; a client's people have one copy at
 * a time, and so have its keys. So does a call that reads a staged file count.
 */
export function boundUploads(wait = sleep): MiddlewareHandler<AppEnv> {
  const underWay = new Map<number, number>();
  const byKeys = new Map<number, number>();
  const copying = new Set<string>();
  return async (c, next) => {
    const user = c.get("user");
    const copies = isCopy(c.req);
    const isShort = copies || readsStaged(c.req);
    if (!user || !(isShort || isUpload(c.req))) return await next();
    const copier = `${user.key ? "keys" : "people"} of ${user.client}`;
    if (copies && copying.has(copier)) {
      const text = "העתקה אחרת של רשימה עדיין רצה. אפשר לנסות שוב כשהיא תסתיים.";
      throw new HttpError("too_many_attempts", { text, headers: { "retry-after": "5" } });
    }
    const count = underWay.get(user.client) ?? 0;
    const keysCount = byKeys.get(user.client) ?? 0;
    if (count >= MAX_UPLOADS || (user.key && keysCount >= MAX_KEY_UPLOADS)) {
      const text = "יותר מדי קבצים נטענים בבת אחת. אפשר לנסות שוב כשאחד מהם יסתיים.";
      throw new HttpError("too_many_attempts", { text, headers: { "retry-after": "5" } });
    }
    const { url, method, headers, body, signal } = c.req.raw;
    // A copy's body is short, and bodyRules() has read it; so is that of a call about a staged file.
    if (body !== null && !isShort) {
      c.req.raw = new Request(url, { method, headers, body: endWhenSilent(body, wait), signal });
    }
    const maps = user.key ? [underWay, byKeys] : [underWay];
    for (const map of maps) map.set(user.client, (map.get(user.client) ?? 0) + 1);
    if (copies) copying.add(copier);
    try {
      await next();
    } finally {
      if (copies) copying.delete(copier);
      for (const map of maps) takeOne(map, user.client);
    }
  };
}

function takeOne(map: Map<number, number>, client: number): void {
  const left = map.get(client)! - 1;
  if (left > 0) map.set(client, left);
  else map.delete(client);
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Returns the same body; it fails when its reader has waited too long for more of it. */
function endWhenSilent(body: Body, wait: typeof sleep): Body {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const came = new AbortController();
      const silent = wait(UPLOAD_SILENT_MS, came.signal).then(() => null);
      const chunk = await Promise.race([reader.read(), silent]).finally(() => came.abort());
      if (chunk === null) {
        const text = "הטעינה נעצרה באמצע: לא הגיעו עוד נתונים. אפשר לנסות שוב.";
        const error = new HttpError("invalid_input", { text, detail: "the body went silent" });
        reader.cancel(error).catch(() => {});
        throw error;
      }
      if (chunk.done) controller.close();
      else controller.enqueue(chunk.value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
