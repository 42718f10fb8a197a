/** Administrators' decisions about a site that is leased nothing. */
import { createRoute } from "@hono/zod-openapi";
import { provedRequestSchema } from "shared/http_api.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusalsOfOne, jsonBody, PROVED_REFUSALS, refusals } from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { startSite } from "./start_site.ts";
import { writeOffSite } from "./write_off_site.ts";

/** POST /api/admin/sites/{id}/{start, write-off}. */
export function siteRoutes(ctx: EdgeContext, door: LoginDoor) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/start",
        operationId: "startSite",
        summary: "Leases again to a site that was stopped over its journal or its key",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: {
          204: { description: "Done" },
          ...adminRefusalsOfOne,
        },
      }),
      async (c) => {
        await startSite(ctx, c.req.valid("param").id, c.get("user").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/write-off",
        operationId: "writeOffSite",
        summary: "Waits no longer for what a site did before the database was restored",
        middleware: requireAdmin(),
        request: { params: idParams, body: { ...jsonBody(provedRequestSchema), required: false } },
        responses: {
          204: { description: "Done" },
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => {
        // Without a body the validator returns nothing to read.
        const { proof } = c.req.valid("json") ?? {};
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        await writeOffSite(ctx, c.req.valid("param").id, c.get("user").id);
        return c.body(null, 204);
      },
    );
}
