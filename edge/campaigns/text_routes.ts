/** Several texts of a campaign. */
import { createRoute } from "@hono/zod-openapi";
import { campaignTextsSchema, chooseTextRequestSchema, furtherTextsSchema } from "shared/variants_api.ts";
import { requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { chooseText } from "../queue/choose_text.ts";
import { campaignIdParam } from "./campaign_id.ts";
import { readCampaign, readEditableCampaign, readOwnCampaign } from "./read.ts";
import { readTexts, writeTexts } from "./texts.ts";

const REFUSED = ["invalid_input", "not_logged_in", "not_found", "not_allowed"] as const;

/** Routes under /api/campaigns/{id}/texts. */
export function textRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/texts",
        operationId: "readTexts",
        summary: "The texts of a campaign; after its send what came of each, and which one is proposed",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: {
          200: jsonAnswer(campaignTextsSchema, "The texts"),
          ...refusals("invalid_input", "not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const campaign = await readCampaign(ctx, c.get("user"), c.req.valid("param").id);
        return c.json(await readTexts(ctx, campaign), 200);
      },
    )
    .openapi(
      createRoute({
        method: "put",
        path: "/api/campaigns/{id}/texts",
        operationId: "writeTexts",
        summary: "Replaces the texts that are tried beside the message, before the send",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(furtherTextsSchema) },
        responses: {
          200: jsonAnswer(campaignTextsSchema, "The texts"),
          ...refusals(...REFUSED, "campaign_not_editable"),
        },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const campaign = await readEditableCampaign(ctx, c.get("user"), id);
        await writeTexts(ctx, campaign, c.req.valid("json").messages);
        return c.json(await readTexts(ctx, await readOwnCampaign(ctx, c.get("user"), id)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/texts/choose",
        operationId: "chooseText",
        summary: "Chooses the text that the rest gets, and lets the rest go",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(chooseTextRequestSchema) },
        responses: {
          200: jsonAnswer(campaignTextsSchema, "The texts"),
          ...refusals(...REFUSED, "campaign_state"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const { id } = await readOwnCampaign(ctx, user, c.req.valid("param").id);
        await chooseText(ctx, user, id, c.req.valid("json").no);
        return c.json(await readTexts(ctx, await readOwnCampaign(ctx, user, id)), 200);
      },
    );
}
