/** Approvals: a client asks for one, and administrators decide. */
import { createRoute } from "@hono/zod-openapi";
import { decideApprovalRequestSchema, waitingApprovalsSchema } from "shared/approval_api.ts";
import { campaignSchema } from "shared/http_api.ts";
import { requireAdmin, requireUser } from "../auth/require_user.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { showCampaign } from "../campaigns/view.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusals, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { askApproval } from "./ask_approval.ts";
import { decideApproval } from "./decide_approval.ts";
import { readWaitingApprovals } from "./waiting.ts";

/** POST /api/campaigns/{id}/approval; GET /api/admin/approvals, POST /api/admin/campaigns/{id}/approval. */
export function approvalRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/approval",
        operationId: "askApproval",
        summary: "Asks administrators to approve a ready campaign as it is now",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: {
          200: jsonAnswer(campaignSchema, "The campaign, which waits for the decision"),
          ...refusals(
            "not_logged_in",
            "not_found",
            "campaign_not_ready",
            "campaign_state",
            "import_running",
            "advertiser_missing",
          ),
        },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        await askApproval(ctx, c.get("user"), id);
        return c.json(await showCampaign(ctx, c.get("user"), id), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/approvals",
        operationId: "listApprovals",
        summary: "What waits for an administrator's decision",
        middleware: requireAdmin(),
        responses: {
          200: jsonAnswer(waitingApprovalsSchema, "Sends first, then plans by their time"),
          ...adminRefusals,
        },
      }),
      async (c) => c.json(await readWaitingApprovals(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/campaigns/{id}/approval",
        operationId: "decideApproval",
        summary:
          "Approves or refuses a campaign as it was seen; a refusal has a reason, and both are audited",
        middleware: requireAdmin(),
        request: { params: campaignIdParam, body: jsonBody(decideApprovalRequestSchema) },
        responses: {
          204: { description: "Decided" },
          ...refusals(
            "invalid_input",
            "not_logged_in",
            "not_allowed",
            "not_found",
            "words_changed",
            "campaign_state",
          ),
        },
      }),
      async (c) => {
        await decideApproval(ctx, c.get("user"), c.req.valid("param").id, c.req.valid("json"));
        return c.body(null, 204);
      },
    );
}
