/** Takes people of lists into a campaign. */
import { createRoute } from "@hono/zod-openapi";
import { uploadResultSchema } from "shared/http_api.ts";
import { choiceCountSchema, takeRequestSchema } from "shared/lists_api.ts";
import { requireDuty } from "../auth/require_user.ts";
import { requireSession } from "../auth/sessions.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { readEditableCampaign } from "../campaigns/read.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { countChoice, takeFromLists } from "./take_from_lists.ts";

const COUNT_REFUSALS = [
  "invalid_input",
  "not_logged_in",
  "not_allowed",
  "not_found",
  "campaign_not_editable",
] as const;

/** POST /api/campaigns/{id}/contacts/lists and …/contacts/lists/count. */
export function takeRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts/lists/count",
        operationId: "countFromLists",
        summary: "How many people of lists a choice would add, and why it leaves out others; changes nothing",
        middleware: requireDuty("writer"),
        request: { params: campaignIdParam, body: jsonBody(takeRequestSchema) },
        responses: { 200: jsonAnswer(choiceCountSchema, "The counts"), ...refusals(...COUNT_REFUSALS) },
      }),
      async (c) => {
        const campaign = await readEditableCampaign(ctx, c.get("user"), c.req.valid("param").id);
        const { consent, ...choice } = c.req.valid("json");
        return c.json(await countChoice(ctx, campaign, choice, consent !== undefined, c.req.raw.signal), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts/lists",
        operationId: "addFromLists",
        summary: "Adds chosen people of lists with their values",
        middleware: requireDuty("writer"),
        request: { params: campaignIdParam, body: jsonBody(takeRequestSchema) },
        responses: {
          200: jsonAnswer(uploadResultSchema, "What was added, and what was not"),
          ...refusals(...COUNT_REFUSALS, "no_valid_contacts", "import_running", "contacts_full"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const [campaign] = await Promise.all([
          readEditableCampaign(ctx, user, c.req.valid("param").id),
          requireSession(ctx, user),
        ]);
        const { consent, ...choice } = c.req.valid("json");
        const taking = { choice, consent, user: user.person };
        return c.json(await takeFromLists(ctx, campaign, taking, c.req.raw.signal), 200);
      },
    );
}
