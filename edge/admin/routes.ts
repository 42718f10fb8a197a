/** What only administrators do to the whole system. */
import { createRoute } from "@hono/zod-openapi";
import { queuesClearedSchema } from "shared/http_api.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { clearQueues } from "../queue/clear_queues.ts";

/** Routes under /api/admin. */
export function adminRoutes(ctx: EdgeContext) {
  return createRouter().openapi(
    createRoute({
      method: "post",
      path: "/api/admin/queues/clear",
      summary: "Cancels every running and paused campaign",
      middleware: requireAdmin(),
      responses: {
        200: jsonAnswer(queuesClearedSchema, "What changed at once"),
        ...refusals("not_logged_in", "not_allowed"),
      },
    }),
    async (c) => c.json(await clearQueues(ctx, c.get("user")), 200),
  );
}
