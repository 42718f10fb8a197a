/** Sends people and sites to another instance while this one is stopping. */
import type { MiddlewareHandler } from "hono";
import { HttpError } from "./http_error.ts";

/**
 * Returns a middleware. While `isStopping()`, it refuses new sockets and asks in every response to close the
 * connection. The balancer then sends the next request to another instance. Requests under way are completed.
 */
export function whileStopping(isStopping: () => boolean): MiddlewareHandler {
  return async (c, next) => {
    if (!isStopping()) return await next();
    if (c.req.header("upgrade") !== undefined) {
      throw new HttpError("not_ready", { headers: { "retry-after": "1", connection: "close" } });
    }
    await next();
    c.res.headers.set("connection", "close");
  };
}
