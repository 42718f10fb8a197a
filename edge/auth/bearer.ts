import type { Context } from "hono";

/** Returns the text after `Bearer` in the Authorization header; undefined without one. */
export function bearerOf(c: Context): string | undefined {
  const [whole, text = ""] = /^Bearer(?:\s+(.*))?$/i.exec(c.req.header("authorization")?.trim() ?? "") ?? [];
  return whole === undefined ? undefined : text;
}
