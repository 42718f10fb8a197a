/** Gives each request an id, in its response and in all its log lines, and logs how it ended. */
import type { MiddlewareHandler } from "hono";
import type { EdgeContext } from "../context.ts";
import { maskNumbers } from "../mask_numbers.ts";
import { randomHex } from "../keys/random_hex.ts";
import { inRequest } from "./request_scope.ts";
import type { AppEnv } from "./router.ts";
import { loggedPath } from "./logged_path.ts";

export interface RequestWatch {
  /** Called for every response with its status and duration. */
  sawRequest(status: number, seconds: number): void;
  /** Monotonic, in milliseconds. */
  clock(): number;
  /** Whether this instance is stopping: its refusals are then no failures. */
  isStopping?(): boolean;
}

/** A caller's own id: no character that a log or a shell could treat as more than a word. */
const SAFE_ID = /^[A-Za-z0-9_-]{16,64}$/;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Sets the id of the request's scope and the response's X-Request-Id: the caller's own when it is safe to log, else a
 * new one.
 */
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
      // Without the query: search words belong to the person.
      const fields = { method: c.req.method, path: loggedPath(c.req.path), status, ms: Math.round(ms) };
      ctx.log[levelOf(fields, status, isStopping())]("request", fields);
    });
  };
}

/** Returns whether an id may be logged as it is: one that contains a phone number may not. */
function isSafe(id: string): boolean {
  return SAFE_ID.test(id) && maskNumbers(id) === id;
}

/** Returns the log level: reads at debug, acts at info, failures higher. */
function levelOf(
  { method, path }: { method: string; path: string },
  status: number,
  isStopping: boolean,
): "debug" | "info" | "warn" {
  if (status >= 500) return isStopping && status === 503 ? "info" : "warn";
  // A search is a read that keeps its words out of the address; a still is asked for every three seconds.
  return READS.has(method) || /\/(search|still)$/.test(path) ? "debug" : "info";
}
