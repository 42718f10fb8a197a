/** Sends people and sites elsewhere once this instance was told to stop. */
import type { MiddlewareHandler } from "hono";
import { HttpError } from "./http_error.ts";

/**
 * While `isStopping()`, new sockets are refused and every answer asks for its connection to be closed, so that the next
 * request goes to whoever the balancer chooses. Requests are answered to the end.
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
