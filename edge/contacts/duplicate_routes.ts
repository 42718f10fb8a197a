import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { recipientGroupsSchema, writeAgainRequestSchema } from "shared/again_api.ts";
import { campaignSchema } from "shared/http_api.ts";
import { requireUser } from "../auth/require_user.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { readCampaign, readOwnCampaign } from "../campaigns/read.ts";
import { changeRefusals } from "../campaigns/routes.ts";
import { showCampaign } from "../campaigns/view.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { countGroups, writeAgain } from "./write_again.ts";
import { COPIED_CONTACTS, duplicateCampaign } from "./duplicate.ts";

const duplicateSchema = z.object({ contacts: z.enum(COPIED_CONTACTS) });

/** Routes that copy a campaign and its contacts, and write again to some of them. */
export function duplicateRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/duplicate",
        operationId: "duplicateCampaign",
        summary: "Makes a draft of the same words, with all of its contacts or none",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(duplicateSchema) },
        responses: {
          201: jsonAnswer(campaignSchema, "The copy"),
          ...changeRefusals,
          ...refusals("contacts_full", "too_many_attempts"),
        },
      }),
      async (c) => {
        const campaign = await readOwnCampaign(ctx, c.get("user"), c.req.valid("param").id);
        const copy = await duplicateCampaign(ctx, campaign, c.req.valid("json").contacts, c.req.raw.signal);
        return c.json(await showCampaign(ctx, c.get("user"), copy), 201);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/write-again",
        operationId: "countRecipientGroups",
        summary: "How many recipients can be written to again, by state and reason",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: {
          200: jsonAnswer(recipientGroupsSchema, "The groups, the largest first"),
          ...refusals("invalid_input", "not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const campaign = await readCampaign(ctx, c.get("user"), c.req.valid("param").id);
        return c.json(await countGroups(ctx, campaign, c.req.raw.signal), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/write-again",
        operationId: "writeAgain",
        summary: "Makes a linked draft of the same words for chosen recipients",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(writeAgainRequestSchema) },
        responses: {
          201: jsonAnswer(campaignSchema, "The draft"),
          ...changeRefusals,
          ...refusals("campaign_state", "unknown_unconfirmed", "contacts_full", "too_many_attempts"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const campaign = await readOwnCampaign(ctx, user, c.req.valid("param").id);
        const draft = await writeAgain(ctx, user, campaign, c.req.valid("json"), c.req.raw.signal);
        return c.json(await showCampaign(ctx, user, draft), 201);
      },
    );
}
