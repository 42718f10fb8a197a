/** The plan of a campaign: its owner plans it, moves it and calls it off; it starts by itself (queue/start_plans.ts). */
import { createRoute } from "@hono/zod-openapi";
import { takenBackSchema } from "shared/http_api.ts";
import {
  forecastQuery,
  forecastSchema,
  movePlanRequestSchema,
  planMovedSchema,
  plannedSchema,
  planRequestSchema,
} from "shared/plan_api.ts";
import { requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { callOffPlan } from "../queue/call_off.ts";
import { movePlan } from "../queue/move_plan.ts";
import { campaignIdParam } from "./campaign_id.ts";
import { forecastPlan } from "./forecast.ts";
import { checkPlanTime } from "./plan_time.ts";
import { sendChecked } from "./send_checked.ts";

const path = "/api/campaigns/{id}/plan";

/** POST, PUT and DELETE /api/campaigns/{id}/plan, GET /api/campaigns/{id}/plan/forecast. */
export function planRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path,
        operationId: "planCampaign",
        summary: "Plans a ready campaign for a time: takes its units from the quota and fixes its words now",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(planRequestSchema) },
        responses: {
          200: jsonAnswer(plannedSchema, "When it starts, and what is left of the quota"),
          ...refusals(
            "invalid_input",
            "not_logged_in",
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
        const { at: plannedAt, ...request } = c.req.valid("json");
        checkPlanTime(plannedAt, ctx.now());
        const { id } = c.req.valid("param");
        const { remainingQuota } = await sendChecked(ctx, c.get("user"), id, request, plannedAt);
        return c.json({ plannedAt, remainingQuota }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "put",
        path,
        operationId: "movePlan",
        summary: "Gives a plan another time; also one that waits for a person",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(movePlanRequestSchema) },
        responses: {
          200: jsonAnswer(planMovedSchema, "When it starts"),
          ...refusals("invalid_input", "not_logged_in", "not_found", "send_began", "campaign_state"),
        },
      }),
      async (c) => {
        const now = ctx.now();
        const at = c.req.valid("json").at ?? now;
        checkPlanTime(at, now);
        return c.json(await movePlan(ctx, c.get("user"), c.req.valid("param").id, at), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path,
        operationId: "callOffPlan",
        summary: "Calls a plan off until it starts; makes the campaign ready again",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: {
          200: jsonAnswer(takenBackSchema, "The campaign is ready again, and its messages are in the quota"),
          ...refusals("not_logged_in", "not_found", "send_began", "campaign_state"),
        },
      }),
      async (c) => c.json(await callOffPlan(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: `${path}/forecast`,
        operationId: "forecastPlan",
        summary: "Tells what the sending hours and the phones make of a time",
        middleware: requireUser(),
        request: { params: campaignIdParam, query: forecastQuery },
        responses: {
          200: jsonAnswer(forecastSchema, "When the first message can go, and when the last one goes"),
          ...refusals("invalid_input", "not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const now = ctx.now();
        // A plan that is about to start is asked about a moment too late.
        const at = Math.max(c.req.valid("query").at ?? now, now);
        checkPlanTime(at, now);
        return c.json(await forecastPlan(ctx, c.get("user"), c.req.valid("param").id, at), 200);
      },
    );
}
