/** What an administrator decides about a site that is leased nothing. */
import { createRoute } from "@hono/zod-openapi";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { refusals } from "../http/answers.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { startSite } from "./start_site.ts";
import { writeOffSite } from "./write_off_site.ts";

/** POST /api/admin/sites/{id}/{start, write-off}. */
export function siteRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      actRoute("start", "Leases again to a site that was stopped over its journal or its key"),
      async (c) => {
        await startSite(ctx, c.req.valid("param").id, c.get("user").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      actRoute("write-off", "Waits no longer for what a site did before the database was restored"),
      async (c) => {
        await writeOffSite(ctx, c.req.valid("param").id, c.get("user").id);
        return c.body(null, 204);
      },
    );
}

function actRoute(act: "start" | "write-off", summary: string) {
  return createRoute({
    method: "post",
    path: `/api/admin/sites/{id}/${act}`,
    summary,
    middleware: requireAdmin(),
    request: { params: idParams },
    responses: {
      204: { description: "Done" },
      ...refusals("invalid_input", "not_logged_in", "not_allowed", "not_found"),
    },
  });
}
