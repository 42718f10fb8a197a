/** Names each request in the answer and in the log. */
import type { MiddlewareHandler } from "hono";
import type { EdgeContext } from "../context.ts";
import type { AppEnv } from "./router.ts";

/** Sets `requestId` and the X-Request-Id of the answer; a caller's own id is not believed. */
export function requestId(ctx: EdgeContext): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const id = Array.from(ctx.randomBytes(8), (byte) => byte.toString(16).padStart(2, "0")).join("");
    c.set("requestId", id);
    await next();
    if (c.res.status !== 101) c.header("x-request-id", id);
  };
}
