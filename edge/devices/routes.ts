/** The fleet as administrators see it. */
import { createRoute } from "@hono/zod-openapi";
import { adbStatusSchema } from "shared/http_api.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { readAdbStatus } from "./adb_status.ts";

/** Routes under /api/devices. */
export function deviceRoutes(ctx: EdgeContext) {
  return createRouter().openapi(
    createRoute({
      method: "get",
      path: "/api/devices/adb-status",
      middleware: requireAdmin(),
      responses: {
        200: jsonAnswer(adbStatusSchema, "Every phone and its accounts"),
        ...refusals("not_logged_in", "not_allowed"),
      },
    }),
    async (c) => c.json(await readAdbStatus(ctx), 200),
  );
}
