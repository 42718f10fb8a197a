/** The session's cookie, and a readable one that only says that there is a session. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { SESSION_MAX_MS } from "./sessions.ts";

export interface SessionCookie {
  read(c: Context): string | undefined;
  set(c: Context, sessionId: string): void;
  clear(c: Context): void;
}

/** Returns the session cookie's name. */
export function sessionCookieName(isHttps: boolean): string {
  return `${namePrefix(isHttps)}shigur_session`;
}

/** Returns `__Host-` over https, so that a neighbouring subdomain cannot plant a session (RFC 6265bis 4.1.3). */
function namePrefix(isHttps: boolean): string {
  return isHttps ? "__Host-" : "";
}

/**
 * Returns the cookies' functions. The hint holds no secret: a page without it need not ask for the user and get a 401.
 */
export function sessionCookie(isHttps: boolean): SessionCookie {
  const name = sessionCookieName(isHttps);
  const hint = `${namePrefix(isHttps)}shigur_hint`;
  const common = { path: "/", sameSite: "Lax", secure: isHttps, maxAge: SESSION_MAX_MS / 1000 } as const;
  return {
    read: (c) => getCookie(c, name),
    set(c, sessionId) {
      setCookie(c, name, sessionId, { ...common, httpOnly: true });
      setCookie(c, hint, "1", common);
    },
    clear(c) {
      deleteCookie(c, name, { path: "/", secure: isHttps });
      deleteCookie(c, hint, { path: "/", secure: isHttps });
    },
  };
}
