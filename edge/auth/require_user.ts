/** The doors behind identify(): somebody logged in, an administrator, and nobody who owes their own account something. */
import type { MiddlewareHandler } from "hono";
import { HttpError } from "../http/http_error.ts";
import type { AppEnv } from "../http/router.ts";

/**
 * Refuses whoever was given their password (`new_password_required`), and administrators who have to turn on a second
 * factor (`second_factor_required`), all but what they mend that by, whoever else a route is for.
 */
export function ownAccountFirst(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const owes = c.get("user")?.owes;
    if (owes && !c.req.path.startsWith("/api/auth/")) throw new HttpError(owes);
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
