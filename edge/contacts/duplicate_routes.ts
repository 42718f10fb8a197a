import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { campaignSchema } from "shared/http_api.ts";
import { requireDuty } from "../auth/require_user.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { readOwnCampaign } from "../campaigns/read.ts";
import { changeRefusals } from "../campaigns/routes.ts";
import { showCampaign } from "../campaigns/view.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { COPIED_CONTACTS, duplicateCampaign } from "./duplicate.ts";

const duplicateSchema = z.object({ contacts: z.enum(COPIED_CONTACTS) });

/** The route that copies a campaign and its contacts. */
export function duplicateRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/duplicate",
        operationId: "duplicateCampaign",
        summary: "Makes a draft of the same words, with all, none or the unreached of its contacts",
        middleware: requireDuty("writer"),
        request: { params: campaignIdParam, body: jsonBody(duplicateSchema) },
        responses: {
          201: jsonAnswer(campaignSchema, "The copy"),
          ...changeRefusals,
          ...refusals("contacts_full", "too_many_attempts"),
        },
      }),
      async (c) => {
        const { person } = c.get("user");
        const campaign = await readOwnCampaign(ctx, c.get("user"), c.req.valid("param").id);
        const by = { person, left: c.req.raw.signal };
        const copy = await duplicateCampaign(ctx, campaign, c.req.valid("json").contacts, by);
        return c.json(await showCampaign(ctx, c.get("user"), copy), 201);
      },
    );
}
