/** Bounds one person's simultaneous downloads of lists, and lets other requests run between their pages. */
import type { MiddlewareHandler } from "hono";
import { sleep } from "../time/sleep.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { HttpError } from "./http_error.ts";
import type { AppEnv } from "./router.ts";

/** Most downloads of one person on one edge, over all their sessions; and of all keys of a client together. */
export const MAX_EXPORTS = 2;
/** A reader that takes nothing for this long has gone: nothing closes a connection whose other end was lost. */
export const EXPORT_SILENT_MS = 60_000;

export interface ExportBoundOptions {
  /** Resolves when the event loop has turned; awaited before each page. */
  turn: () => Promise<void>;
  wait: typeof sleep;
}

/**
 * Returns a middleware that refuses a further export with `too_many_attempts`. A place becomes free when the file
 * ends, when its reader leaves, or when its reader takes nothing for EXPORT_SILENT_MS.
 */
export function boundExports(options: Partial<ExportBoundOptions> = {}): MiddlewareHandler<AppEnv> {
  const { turn = turnLoop, wait = sleep } = options;
  const underWay = new Map<string, number>();

  /** Takes a place and returns a function that gives it back; further calls do nothing. */
  function takePlace(userId: string): () => void {
    const count = underWay.get(userId) ?? 0;
    if (count >= MAX_EXPORTS) throw tooMany();
    underWay.set(userId, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = underWay.get(userId)! - 1;
      if (left > 0) underWay.set(userId, left);
      else underWay.delete(userId);
    };
  }

  return async (c, next) => {
    const user = c.get("user");
    if (!user || !/\.(csv|xlsx)$/.test(c.req.path)) return await next();
    const leave = takePlace(user.key ? `keys of ${user.client}` : String(user.person));
    try {
      await next();
    } catch (error) {
      leave();
      throw error;
    }
    const { res } = c;
    if (res.body === null || !res.ok || c.req.method === "HEAD") {
      leave();
      // A HEAD response has no body, so nothing else ends the stream that would fill it.
      if (res.ok) await res.body?.cancel();
      return;
    }
    c.res = new Response(paced(res.body, { turn, wait, leave }), res);
  };
}

function tooMany(): HttpError {
  return new HttpError("too_many_attempts", {
    text: "כבר יורדים שני קבצים. אפשר להוריד את הבא כשאחד מהם יסתיים, או לבטל הורדה שכבר רצה.",
    headers: { "retry-after": "5" },
  });
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Returns the same body with a turn of the event loop before each piece. */
function paced(body: Body, { turn, wait, leave }: ExportBoundOptions & { leave: () => void }): Body {
  const reader = body.getReader();
  let asked = new AbortController();
  return new ReadableStream({
    async pull(controller) {
      asked.abort();
      await turn();
      try {
        const piece = await reader.read();
        if (piece.done) {
          leave();
          return controller.close();
        }
        controller.enqueue(piece.value);
      } catch (error) {
        leave();
        throw error;
      }
      const { signal } = asked = new AbortController();
      void wait(EXPORT_SILENT_MS, signal).then(() => {
        if (signal.aborted) return;
        leave();
        const silent = new Error("The reader of an export took nothing for too long");
        controller.error(silent);
        reader.cancel(silent).catch(() => {});
      });
    },
    cancel(reason) {
      asked.abort();
      leave();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
