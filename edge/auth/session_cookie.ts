/** The session's cookie, and a readable one beside it that only says that there is a session. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { SESSION_MAX_MS } from "./sessions.ts";

export interface SessionCookie {
  read(c: Context): string | undefined;
  set(c: Context, sessionId: string): void;
  clear(c: Context): void;
}

/** The session cookie's name. */
export function sessionCookieName(isHttps: boolean): string {
  return `${namePrefix(isHttps)}shigur_session`;
}

/** Over https `__Host-`, so that no neighbouring subdomain can plant a session (RFC 6265bis 4.1.3). */
function namePrefix(isHttps: boolean): string {
  return isHttps ? "__Host-" : "";
}

/** The hint holds no secret: a page without it needn't ask who is logged in, and be told 401. */
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
