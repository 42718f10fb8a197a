/** Guards after identify(): a logged-in user, an administrator, and an account with nothing left to do first. */
import type { MiddlewareHandler } from "hono";
import { type Duty, mayDo } from "shared/duty.ts";
import { HttpError } from "../http/http_error.ts";
import type { AppEnv } from "../http/router.ts";

const BEYOND_DUTY = "ההרשאה שלך בחשבון הזה לא כוללת את הפעולה. אפשר לבקש אותה מבעל החשבון.";

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

/**
 * Returns a middleware that admits people whose duty in their account includes `least`, and administrators, who are
 * the owners of their own; it refuses others with `not_allowed`, and visitors with `not_logged_in`.
 */
export function requireDuty(least: Duty): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const caller = c.get("user");
    if (!caller) throw new HttpError("not_logged_in");
    if (!mayDo(caller.duty, least)) throw new HttpError("not_allowed", { text: BEYOND_DUTY });
    return next();
  };
}

/** Returns requireDuty() that also admits every key: its scope was checked, and it has no duty of an owner. */
export function requireDutyOrKey(least: Duty): MiddlewareHandler<AppEnv> {
  const byDuty = requireDuty(least);
  return (c, next) => c.get("user")?.key ? next() : byDuty(c, next);
}

/** Admits the owner of a client's account alone. */
export function requireOwner(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const caller = c.get("user");
    if (!caller) throw new HttpError("not_logged_in");
    if (caller.role !== "client" || caller.duty !== "owner") {
      throw new HttpError("not_allowed", { text: BEYOND_DUTY });
    }
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
