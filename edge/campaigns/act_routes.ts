/** What is done with a campaign as a whole: sent by its owner; paused, resumed, cancelled by them or an administrator. */
import { createRoute } from "@hono/zod-openapi";
import { recallResultSchema, sendResultSchema } from "shared/http_api.ts";
import { requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { sendCampaign } from "../queue/send.ts";
import { campaignIdParam } from "./campaign_id.ts";

/** POST /api/campaigns/{id}/{send, pause, resume, cancel}. */
export function actRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/send",
        summary: "Sends a ready campaign, taking its contacts' number from the quota",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: {
          200: jsonAnswer(sendResultSchema, "What is left of the quota"),
          ...refusals("not_logged_in", "quota_short", "not_found", "campaign_not_ready", "import_running"),
        },
      }),
      async (c) => c.json(await sendCampaign(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      recallRoute("pause", "Stops leasing; what is only offered comes back at once, the rest is recalled"),
      async (c) => c.json(await pauseCampaign(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      recallRoute("resume", "Lets a paused campaign go on"),
      async (c) => c.json(await resumeCampaign(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      recallRoute("cancel", "Ends a campaign; what was not sent is refunded"),
      async (c) => c.json(await cancelCampaign(ctx, c.get("user"), c.req.valid("param").id), 200),
    );
}

function recallRoute(act: "pause" | "resume" | "cancel", summary: string) {
  return createRoute({
    method: "post",
    path: `/api/campaigns/{id}/${act}`,
    summary,
    middleware: requireUser(),
    request: { params: campaignIdParam },
    responses: {
      200: jsonAnswer(recallResultSchema, "The new status, what changed at once, and what was recalled"),
      ...refusals("not_logged_in", "not_found", "campaign_state"),
    },
  });
}
