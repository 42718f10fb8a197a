/** The recipients of a campaign: read in pages, exported, and resolved by a person when their outcome is unknown. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { deliveryStateSchema } from "shared/delivery.ts";
import {
  deliveryPageSchema,
  deliveryStorySchema,
  resolveRequestSchema,
  resolveResultSchema,
} from "shared/http_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { requireDuty, requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { csvAnswer, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { createRouter } from "../http/router.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { campaignIdParam } from "./campaign_id.ts";
import { readDeliveries } from "./deliveries.ts";
import { deliveriesCsv } from "./deliveries_csv.ts";
import { readDeliveryStory } from "./delivery_story.ts";
import { findNumberView, isMasked } from "./number_views.ts";
import { readCampaign } from "./read.ts";

const pageQuery = z.object({
  state: deliveryStateSchema.optional(),
  q: z.string().trim().max(40).optional().transform((text) => text || undefined),
  cursor: z.string().max(60).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const pageAnswers = {
  200: jsonAnswer(deliveryPageSchema, "A page, and where the next one begins"),
  ...refusals("invalid_input", "not_logged_in", "not_found"),
};

const deliveryParams = campaignIdParam.extend({ delivery: campaignIdParam.shape.id });

/** Routes under /api/campaigns/{id}/deliveries. */
export function deliveryRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/deliveries",
        operationId: "listDeliveries",
        summary:
          "A page of the recipients, by number or within one state; numbers are masked for administrators",
        middleware: requireUser(),
        request: { params: campaignIdParam, query: pageQuery },
        responses: pageAnswers,
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        return c.json(await readDeliveries(ctx, c.get("user"), id, c.req.valid("query")), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/deliveries/search",
        operationId: "searchDeliveries",
        summary: "The same page; what is searched for stands in no address",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(pageQuery) },
        responses: pageAnswers,
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        return c.json(await readDeliveries(ctx, c.get("user"), id, c.req.valid("json")), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/deliveries/{delivery}",
        operationId: "readDelivery",
        summary: "One recipient, and everything that happened to the message on its way",
        middleware: requireUser(),
        request: { params: deliveryParams },
        responses: {
          200: jsonAnswer(deliveryStorySchema, "The delivery with its history, oldest step first"),
          ...refusals("not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const { id, delivery } = c.req.valid("param");
        return c.json(await readDeliveryStory(ctx, c.get("user"), id, delivery), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/deliveries.csv",
        operationId: "exportDeliveries",
        summary: "Every recipient, for a spreadsheet",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: {
          200: csvAnswer,
          ...refusals("not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const campaign = await readCampaign(ctx, user, c.req.valid("param").id);
        const view = await ctx.db.execute(findNumberView(ctx, user, campaign.id));
        const masked = isMasked(user, campaign, view);
        const data = { what: "deliveries", masked };
        await writeAudit(ctx, {
          kind: "exported",
          actor: user.person,
          campaign: campaign.id,
          data,
        });
        const headers = csvHeaders(`campaign-${campaign.id}.csv`);
        return c.body(deliveriesCsv(ctx, user, campaign, masked), 200, headers);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/deliveries/resolve",
        operationId: "resolveDeliveries",
        summary: "Settles deliveries whose outcome is unknown, as their owner judged them",
        middleware: requireDuty("sender"),
        request: { params: campaignIdParam, body: jsonBody(resolveRequestSchema) },
        responses: {
          200: jsonAnswer(resolveResultSchema, "How many moved"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed", "not_found", "campaign_state"),
        },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const { signal } = c.req.raw;
        return c.json(await resolveDeliveries(ctx, c.get("user"), id, c.req.valid("json"), signal), 200);
      },
    );
}
