/** An administrator's exception from the sending hours, for one campaign. */
import { createRoute } from "@hono/zod-openapi";
import { waiveHoursRequestSchema } from "shared/admin_api.ts";
import { requireAdmin } from "../auth/require_user.ts";
import { restoreHours, waiveHours } from "../campaigns/hours_waiver.ts";
import { readCampaign } from "../campaigns/read.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusalsOfOne, jsonBody, refusals } from "../http/answers.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";

const path = "/api/admin/campaigns/{id}/hours-waiver";

/** Returns the routes that grant and withdraw the exception. */
export function hoursRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path,
        operationId: "waiveHours",
        summary: "Lets a campaign that does not advertise pass by the sending hours; the reason is audited",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(waiveHoursRequestSchema) },
        responses: {
          204: { description: "Done" },
          ...refusals(
            "invalid_input",
            "not_logged_in",
            "not_allowed",
            "not_found",
            "advertising_keeps_hours",
            "campaign_state",
          ),
        },
      }),
      async (c) => {
        const row = await readCampaign(ctx, c.get("user"), c.req.valid("param").id);
        await waiveHours(ctx, c.get("user"), row, c.req.valid("json").reason);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path,
        operationId: "endHoursWaiver",
        summary: "Holds the campaign to the sending hours again",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: {
          204: { description: "Done" },
          ...adminRefusalsOfOne,
        },
      }),
      async (c) => {
        await restoreHours(
          ctx,
          c.get("user"),
          await readCampaign(ctx, c.get("user"), c.req.valid("param").id),
        );
        return c.body(null, 204);
      },
    );
}
