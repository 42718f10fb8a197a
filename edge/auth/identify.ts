/** Identifies the caller, once for each request. */
import type { MiddlewareHandler } from "hono";
import { actByKey } from "../audit_log/acting_key.ts";
import type { EdgeContext } from "../context.ts";
import { readFor } from "../db/caller.ts";
import { wholeAddress } from "../http/client_address.ts";
import type { AppEnv } from "../http/router.ts";
import { bearerOf } from "./bearer.ts";
import type { BoundKeys } from "./bound_key_calls.ts";
import { checkKeyCall } from "./check_key_call.ts";
import { findKey } from "./find_key.ts";
import type { SessionCookie } from "./session_cookie.ts";
import { findSession } from "./sessions.ts";

/**
 * Sets `user` when the cookie names a live session, or the Authorization header a key. A request without either goes
 * on; with a wrong key, or for a call beyond the key's scopes or limits, it is refused, and its cookie is never read.
 */
export function identify(
  ctx: EdgeContext,
  cookie: SessionCookie,
  boundKeys: BoundKeys,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const bearer = bearerOf(c);
    if (bearer !== undefined) {
      // Reads of all keys of an account alternate, as one caller, with those of its people.
      return await readFor(bearer, async () => {
        const found = await findKey(ctx, bearer, wholeAddress(c));
        c.set("user", found.user);
        return await readFor(
          `keys of ${found.user.client}`,
          () =>
            actByKey(found.user.key.id, () =>
              boundKeys(c, found, async () => {
                checkKeyCall(found, c.req.method, c.req.path);
                await next();
              })),
        );
      });
    }
    const id = cookie.read(c);
    const session = id ? await readFor(id, () => findSession(ctx, id)) : null;
    if (!session) return await next();
    c.set("user", session.user);
    await readFor(session.user.person, () => Promise.all([next(), session.noted]));
  };
}
