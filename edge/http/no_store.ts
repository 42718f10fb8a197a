import type { MiddlewareHandler } from "hono";

/** Keeps responses out of every cache, unless the handler decided otherwise. */
export function noStore(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { status, headers } = c.res;
    if (status !== 101 && !headers.has("cache-control")) headers.set("cache-control", "no-store");
  };
}
