/** Keeps other sites from acting with a visitor's cookie (CSRF, cross-site WebSocket hijacking). */
import type { Context, MiddlewareHandler } from "hono";
import { HttpError } from "../http/http_error.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses `foreign_origin` to an unsafe method or a socket upgrade whose Origin isn't ours, or that carries a
 * cookie and no Origin. Ours is `publicUrl`'s or, without it, the Host that was asked; a Host that is none is
 * `invalid_input`.
 */
export function originGuard(publicUrl: URL | undefined): MiddlewareHandler {
  return (c, next) => {
    if (!URL.canParse(c.req.url)) throw new HttpError("invalid_input", { detail: "Host" });
    const isUpgrade = c.req.header("upgrade") !== undefined;
    if (SAFE_METHODS.has(c.req.method) && !isUpgrade) return next();
    const origin = c.req.header("origin");
    const isRefused = origin === undefined
      ? c.req.header("cookie") !== undefined
      : !isOwnOrigin(c, origin, publicUrl);
    if (isRefused) throw new HttpError("foreign_origin", { detail: `origin ${origin?.slice(0, 200)}` });
    return next();
  };
}

/** Without a public URL the scheme isn't compared: what stands in front may speak TLS for us. */
function isOwnOrigin(c: Context, origin: string, publicUrl: URL | undefined): boolean {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  if (publicUrl) return theirs.origin === publicUrl.origin;
  return theirs.host === new URL(c.req.url).host;
}
