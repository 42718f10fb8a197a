/** Guards after identify(): a logged-in user, an administrator, and an account with nothing left to do first. */
import type { MiddlewareHandler } from "hono";
import { HttpError } from "../http/http_error.ts";
import type { AppEnv } from "../http/router.ts";

/**
 * Returns a middleware that refuses users with a given password (`new_password_required`) and administrators without
 * a required second factor (`second_factor_required`). Both keep the calls under /api/auth that resolve this.
 */
export function ownAccountFirst(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const owes = c.get("user")?.owes;
    if (owes && !c.req.path.startsWith("/api/auth/")) throw new HttpError(owes);
    return next();
  };
}

/** Admits logged-in users, with `c.var.user` set; refuses others with `not_logged_in`. */
export function requireUser(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    if (!c.get("user")) throw new HttpError("not_logged_in");
    return next();
  };
}

/** Admits administrators; refuses visitors with `not_logged_in` and clients with `not_allowed`. */
export function requireAdmin(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    if (!c.get("user")) throw new HttpError("not_logged_in");
    if (c.get("user").role !== "admin") throw new HttpError("not_allowed");
    return next();
  };
}
