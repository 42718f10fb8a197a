/** Prevents other sites from acting with a visitor's cookie (CSRF, cross-site WebSocket hijacking). */
import type { Context, MiddlewareHandler } from "hono";
import { HttpError } from "../http/http_error.ts";
import { bearerOf } from "./bearer.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns a middleware for unsafe methods and socket upgrades. It refuses `foreign_origin` when the Origin is not
 * ours, or when there is a cookie and no Origin; a call by key needs neither. Ours is the origin of `publicUrl` or, without it, of the request's
 * Host. An invalid Host is `invalid_input`.
 */
export function originGuard(publicUrl: URL | undefined): MiddlewareHandler {
  return (c, next) => {
    if (!URL.canParse(c.req.url)) throw new HttpError("invalid_input", { detail: "Host" });
    const isUpgrade = c.req.header("upgrade") !== undefined;
    if (SAFE_METHODS.has(c.req.method) && !isUpgrade) return next();
    // A key is sent by no browser by itself, and beside it the cookie is not read.
    if (bearerOf(c) !== undefined && !isUpgrade) return next();
    const origin = c.req.header("origin");
    const isRefused = origin === undefined
      ? c.req.header("cookie") !== undefined
      : !isOwnOrigin(c, origin, publicUrl);
    if (isRefused) throw new HttpError("foreign_origin", { detail: `origin ${origin?.slice(0, 200)}` });
    return next();
  };
}

/** Returns whether an origin is ours. Without a public URL the scheme is ignored: a proxy in front may end TLS. */
function isOwnOrigin(c: Context, origin: string, publicUrl: URL | undefined): boolean {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  if (publicUrl) return theirs.origin === publicUrl.origin;
  return theirs.host === new URL(c.req.url).host;
}
