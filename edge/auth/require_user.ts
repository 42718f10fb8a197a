/** The two doors behind identify(): somebody logged in, and an administrator. */
import type { MiddlewareHandler } from "hono";
import { HttpError } from "../http/http_error.ts";
import type { AppEnv } from "../http/router.ts";

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
