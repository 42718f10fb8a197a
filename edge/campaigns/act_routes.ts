/** Actions on a whole campaign. Its owner sends it; the owner or an administrator pauses, resumes or cancels it. */
import { createRoute } from "@hono/zod-openapi";
import {
  recallResultSchema,
  resumeRequestSchema,
  sendRequestSchema,
  sendResultSchema,
  takenBackSchema,
  testRequestSchema,
  testStartedSchema,
} from "shared/http_api.ts";
import { requireDuty } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { takeBackSend } from "../queue/take_back.ts";
import { campaignIdParam } from "./campaign_id.ts";
import { readOwnCampaign } from "./read.ts";
import { sendChecked } from "./send_checked.ts";
import { sendTest } from "./test_send.ts";

/** POST /api/campaigns/{id}/{send, take-back, test, pause, resume, cancel}. */
export function actRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/send",
        operationId: "sendCampaign",
        summary: "Sends a ready campaign, taking its contacts' number from the quota",
        middleware: requireDuty("sender"),
        request: { params: campaignIdParam, body: { ...jsonBody(sendRequestSchema), required: false } },
        responses: {
          200: jsonAnswer(sendResultSchema, "What is left of the quota"),
          ...refusals(
            "invalid_input",
            "not_logged_in",
            "not_allowed",
            "quota_short",
            "not_found",
            "campaign_not_ready",
            "import_running",
            "advertiser_missing",
            "reached_in_lost_time",
            "placeholder_faulty",
            "field_unknown",
            "values_missing",
            "text_too_long",
          ),
        },
      }),
      async (c) => {
        const request = c.req.valid("json") ?? {};
        return c.json(await sendChecked(ctx, c.get("user"), c.req.valid("param").id, request), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/test",
        operationId: "sendTest",
        summary: "Sends the campaign's words to one number, at most five times a day",
        middleware: requireDuty("sender"),
        request: { params: campaignIdParam, body: jsonBody(testRequestSchema) },
        responses: {
          200: jsonAnswer(testStartedSchema, "The hidden campaign that carries it"),
          ...refusals(
            "invalid_input",
            "not_logged_in",
            "quota_short",
            "not_allowed",
            "not_found",
            "advertiser_missing",
            "placeholder_faulty",
            "values_missing",
            "text_too_long",
            "too_many_attempts",
          ),
        },
      }),
      async (c) => {
        const campaign = await readOwnCampaign(ctx, c.get("user"), c.req.valid("param").id);
        return c.json(await sendTest(ctx, c.get("user"), campaign, c.req.valid("json")), 200);
      },
    )
    .openapi(
      recallRoute("pause", "Stops leasing; what is only offered comes back at once, the rest is recalled"),
      async (c) => c.json(await pauseCampaign(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/resume",
        operationId: "resumeCampaign",
        summary: "Lets a paused campaign go on; one that a breaker paused, by naming its reason",
        middleware: requireDuty("sender"),
        request: { params: campaignIdParam, body: { ...jsonBody(resumeRequestSchema), required: false } },
        responses: {
          200: jsonAnswer(recallResultSchema, "The new status"),
          ...refusals("not_logged_in", "not_allowed", "not_found", "campaign_state", "reason_not_confirmed"),
        },
      }),
      async (c) => {
        // Without a body the validator returns nothing to destructure.
        const { trip = null } = c.req.valid("json") ?? {};
        return c.json(await resumeCampaign(ctx, c.get("user"), c.req.valid("param").id, trip), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/take-back",
        operationId: "takeBackSend",
        summary:
          "Takes back a send with a wait, until its first message is handed to a site; makes it ready again",
        middleware: requireDuty("sender"),
        request: { params: campaignIdParam },
        responses: {
          200: jsonAnswer(takenBackSchema, "The campaign is ready again, and its messages are in the quota"),
          ...refusals("not_logged_in", "not_allowed", "not_found", "send_began", "campaign_state"),
        },
      }),
      async (c) => c.json(await takeBackSend(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      recallRoute("cancel", "Ends a campaign; what was not sent is refunded"),
      async (c) => c.json(await cancelCampaign(ctx, c.get("user"), c.req.valid("param").id), 200),
    );
}

function recallRoute(act: "pause" | "cancel", summary: string) {
  return createRoute({
    method: "post",
    path: `/api/campaigns/{id}/${act}`,
    operationId: `${act}Campaign`,
    summary,
    middleware: requireDuty("sender"),
    request: { params: campaignIdParam },
    responses: {
      200: jsonAnswer(recallResultSchema, "The new status, what changed at once, and what was recalled"),
      ...refusals("not_logged_in", "not_allowed", "not_found", "campaign_state"),
    },
  });
}
