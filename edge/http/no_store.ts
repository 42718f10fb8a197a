import type { MiddlewareHandler } from "hono";

/** Keeps answers out of every cache, unless the handler said otherwise. */
export function noStore(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.res.status !== 101 && !c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
  };
}
