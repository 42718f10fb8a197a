/** Bounds how many CSV files one person downloads at once, and lets other requests run between the pages of each. */
import type { MiddlewareHandler } from "hono";
import { sleep } from "../time/sleep.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { HttpError } from "./http_error.ts";
import type { AppEnv } from "./router.ts";

/** Of one person at an edge, over all their sessions. */
export const MAX_EXPORTS = 2;
/** A reader who takes nothing for longer is gone: nobody closes a connection whose other end was lost. */
export const EXPORT_SILENT_MS = 60_000;

export interface ExportBoundOptions {
  /** Resolves when the event loop has turned; awaited before each page. */
  turn: () => Promise<void>;
  wait: typeof sleep;
}

/**
 * Refuses one export more with `too_many_attempts`. A place is free again when the file has ended, when its reader has
 * left, and when its reader has taken nothing for EXPORT_SILENT_MS.
 */
export function boundExports(options: Partial<ExportBoundOptions> = {}): MiddlewareHandler<AppEnv> {
  const { turn = turnLoop, wait = sleep } = options;
  const underWay = new Map<number, number>();

  /** Returns a function that gives the place back; further calls of it do nothing. */
  function takePlace(userId: number): () => void {
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
    if (!user || !c.req.path.endsWith(".csv")) return await next();
    const leave = takePlace(user.id);
    try {
      await next();
    } catch (error) {
      leave();
      throw error;
    }
    const { res } = c;
    if (res.body === null || !res.ok || c.req.method === "HEAD") {
      leave();
      // The answer to a HEAD has no body, and nothing else would end the stream that was to fill it.
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

/** The same body, with a turn of the event loop before each of its pieces. */
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
