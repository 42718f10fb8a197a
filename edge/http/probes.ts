/** For whoever keeps the process running: it lives, and it can serve. */
import { Hono } from "hono";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "./http_error.ts";
import type { AppEnv } from "./router.ts";

/** /healthz answers while the process does; /readyz asks the database, else `not_ready`. */
export function probeRoutes(ctx: EdgeContext): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/healthz", (c) => c.text("ok"))
    .get("/readyz", async (c) => {
      try {
        await ctx.db.execute("SELECT 1 FROM users LIMIT 1");
      } catch (cause) {
        throw new HttpError("not_ready", { cause, headers: { "retry-after": "2" } });
      }
      return c.text("ok");
    });
}
