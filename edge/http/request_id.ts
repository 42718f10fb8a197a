/** Names each request in its answer and in every line that is logged for it, and logs how it ended. */
import type { MiddlewareHandler } from "hono";
import type { EdgeContext } from "../context.ts";
import { maskNumbers } from "../mask_numbers.ts";
import { randomHex } from "../keys/random_hex.ts";
import { inRequest } from "./request_scope.ts";
import type { AppEnv } from "./router.ts";

export interface RequestWatch {
  /** Told of every answer: its status, and how long it took. */
  sawRequest(status: number, seconds: number): void;
  /** Monotonic, in milliseconds. */
  clock(): number;
  /** Whether this instance was told to stop: what it turns away then is no failure. */
  isStopping?(): boolean;
}

/** A caller's own id: nothing that a log or a shell could take for more than a word. */
const SAFE_ID = /^[A-Za-z0-9_-]{16,64}$/;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Sets the id of the request's scope and the X-Request-Id of the answer: the caller's own when it is safe to log, else a new one. */
export function requestId(
  ctx: EdgeContext,
  { sawRequest, clock, isStopping = () => false }: RequestWatch,
): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const own = c.req.header("x-request-id");
    const id = own !== undefined && isSafe(own) ? own : randomHex(ctx, 8);
    return inRequest(id, async () => {
      const began = clock();
      await next();
      const { status, headers } = c.res;
      if (status !== 101) headers.set("x-request-id", id);
      const ms = clock() - began;
      sawRequest(status, ms / 1000);
      // No query: what people search for is theirs.
      const fields = { method: c.req.method, path: c.req.path.slice(0, 200), status, ms: Math.round(ms) };
      ctx.log[levelOf(fields, status, isStopping())]("request", fields);
    });
  };
}

/** It stands in logs as it is: one with a phone number in it is none. */
function isSafe(id: string): boolean {
  return SAFE_ID.test(id) && maskNumbers(id) === id;
}

/** Reads go by in silence, acts are told, and what failed is seen. */
function levelOf(
  { method, path }: { method: string; path: string },
  status: number,
  isStopping: boolean,
): "debug" | "info" | "warn" {
  if (status >= 500) return isStopping && status === 503 ? "info" : "warn";
  // A search is a read that keeps what it looks for out of its address.
  return READS.has(method) || path.endsWith("/search") ? "debug" : "info";
}
