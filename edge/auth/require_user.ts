/** The doors behind identify(): somebody logged in, an administrator, and with the factors that they need. */
import type { MiddlewareHandler } from "hono";
import { HttpError } from "../http/http_error.ts";
import type { AppEnv } from "../http/router.ts";

/**
 * Refuses administrators who have to turn on a second factor (`second_factor_required`) all but what they do that by,
 * whoever else a route is for: as administrators they see what is everybody's.
 */
export function requireFactor(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    if (c.get("user")?.lacksFactor && !c.req.path.startsWith("/api/auth/")) {
      throw new HttpError("second_factor_required");
    }
    return next();
  };
}

/** Lets anybody logged in pass, with `c.var.user` set; refuses others `not_logged_in`. */
export function requireUser(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    if (!c.get("user")) throw new HttpError("not_logged_in");
    return next();
  };
}

/** Lets administrators pass; refuses visitors `not_logged_in` and clients `not_allowed`. */
export function requireAdmin(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    if (!c.get("user")) throw new HttpError("not_logged_in");
    if (c.get("user").role !== "admin") throw new HttpError("not_allowed");
    return next();
  };
}
