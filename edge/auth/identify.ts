/** Identifies the caller, once for each request. */
import type { MiddlewareHandler } from "hono";
import type { EdgeContext } from "../context.ts";
import { readFor } from "../db/caller.ts";
import type { AppEnv } from "../http/router.ts";
import type { SessionCookie } from "./session_cookie.ts";
import { findSession } from "./sessions.ts";

/** Sets `user` when the cookie names a live session; refuses no request. */
export function identify(ctx: EdgeContext, cookie: SessionCookie): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const id = cookie.read(c);
    const session = id ? await readFor(id, () => findSession(ctx, id)) : null;
    if (!session) return await next();
    c.set("user", session.user);
    await readFor(session.user.person, () => Promise.all([next(), session.noted]));
  };
}
