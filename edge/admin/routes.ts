/** The administrators' view of the whole system, and their actions on it. */
import { createRoute } from "@hono/zod-openapi";
import {
  activityPageSchema,
  activityQuerySchema,
  adminAlertsSchema,
  adminCampaignDetailSchema,
  adminCampaignPageSchema,
  adminCampaignQuerySchema,
  adminHealthSchema,
  capacitySchema,
  dashboardSchema,
  savedSettingsSchema,
  saveSettingsRequestSchema,
  searchQuerySchema,
  searchResultSchema,
} from "shared/admin_api.ts";
import { queuesClearedSchema } from "shared/http_api.ts";
import { numbersShownSchema, showNumbersRequestSchema } from "shared/privacy.ts";
import { trendsQuerySchema, trendsSchema } from "shared/trends.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireAdmin } from "../auth/require_user.ts";
import { hideNumbers, showNumbers } from "../campaigns/number_views.ts";
import { readCampaign } from "../campaigns/read.ts";
import type { EdgeContext } from "../context.ts";
import {
  adminRefusals,
  adminRefusalsOfOne,
  jsonAnswer,
  jsonBody,
  PROVED_REFUSALS,
  refusals,
} from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { clearQueues } from "../queue/clear_queues.ts";
import { readAlerts } from "./alerts.ts";
import { readCapacity } from "./capacity_board.ts";
import { readDashboard } from "./dashboard.ts";
import { readHealth } from "./health.ts";
import { listActivity } from "./list_activity.ts";
import { listAllCampaigns, readAnyCampaign } from "./list_campaigns.ts";
import { readTrends } from "./read_trends.ts";
import { search } from "./search.ts";
import { readSavedSettings, saveSettings } from "./settings.ts";

/** Routes under /api/admin that belong to no other resource. */
export function adminRoutes(ctx: EdgeContext, door: LoginDoor) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/dashboard",
        operationId: "readDashboard",
        summary: "What administrators see first",
        middleware: requireAdmin(),
        responses: { 200: jsonAnswer(dashboardSchema, "Figures with their history"), ...adminRefusals },
      }),
      async (c) => c.json(await readDashboard(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/capacity",
        operationId: "readCapacity",
        summary: "What is left today by site, the queue against it, and when each campaign ends",
        middleware: requireAdmin(),
        responses: { 200: jsonAnswer(capacitySchema, "The board"), ...adminRefusals },
      }),
      async (c) => c.json(await readCapacity(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/trends",
        operationId: "readTrends",
        summary: "Outcomes of 7, 30 or 90 ended days by site, account or client, beside the days before",
        middleware: requireAdmin(),
        request: { query: trendsQuerySchema },
        responses: {
          200: jsonAnswer(trendsSchema, "The days, and the largest of the list"),
          ...adminRefusals,
        },
      }),
      async (c) => c.json(await readTrends(ctx, c.req.valid("query"), c.req.raw.signal), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/alerts",
        operationId: "listAlerts",
        summary: "What needs a person now, the worst first",
        middleware: requireAdmin(),
        responses: { 200: jsonAnswer(adminAlertsSchema, "At most five of a kind"), ...adminRefusals },
      }),
      async (c) => c.json(await readAlerts(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/activity",
        operationId: "listActivity",
        summary: "What happened, the newest first",
        middleware: requireAdmin(),
        request: { query: activityQuerySchema },
        responses: { 200: jsonAnswer(activityPageSchema, "The newest first"), ...adminRefusals },
      }),
      async (c) => c.json(await listActivity(ctx, c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/activity/search",
        operationId: "searchActivity",
        summary: "The same page; what is searched for stands in no address",
        middleware: requireAdmin(),
        request: { body: jsonBody(activityQuerySchema) },
        responses: { 200: jsonAnswer(activityPageSchema, "The newest first"), ...adminRefusals },
      }),
      async (c) => c.json(await listActivity(ctx, c.req.valid("json")), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/campaigns",
        operationId: "listAllCampaigns",
        summary: "The campaigns of every client",
        middleware: requireAdmin(),
        request: { query: adminCampaignQuerySchema },
        responses: { 200: jsonAnswer(adminCampaignPageSchema, "The newest first"), ...adminRefusals },
      }),
      async (c) => c.json(await listAllCampaigns(ctx, c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/campaigns/search",
        operationId: "searchAllCampaigns",
        summary: "The same page; what is searched for stands in no address",
        middleware: requireAdmin(),
        request: { body: jsonBody(adminCampaignQuerySchema) },
        responses: { 200: jsonAnswer(adminCampaignPageSchema, "The newest first"), ...adminRefusals },
      }),
      async (c) => c.json(await listAllCampaigns(ctx, c.req.valid("json")), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/campaigns/{id}",
        operationId: "readAnyCampaign",
        summary: "One campaign of any client",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: {
          200: jsonAnswer(adminCampaignDetailSchema, "The campaign and whose it is"),
          ...adminRefusalsOfOne,
        },
      }),
      async (c) => c.json(await readAnyCampaign(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/campaigns/{id}/numbers",
        operationId: "showNumbers",
        summary: "Shows the campaign's numbers to this session for some minutes; the reason is audited",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(showNumbersRequestSchema) },
        responses: {
          200: jsonAnswer(numbersShownSchema, "Until when"),
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => {
        const { id } = await readCampaign(ctx, c.get("user"), c.req.valid("param").id);
        const { proof, reason } = c.req.valid("json");
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        return c.json({ until: await showNumbers(ctx, c.get("user"), id, reason) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/admin/campaigns/{id}/numbers",
        operationId: "maskNumbers",
        summary: "Masks them again",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 204: { description: "Done" }, ...adminRefusals },
      }),
      async (c) => {
        await hideNumbers(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/health",
        operationId: "readHealth",
        summary: "How the edge, its database and its parts are",
        middleware: requireAdmin(),
        responses: { 200: jsonAnswer(adminHealthSchema, "Whether the system runs well"), ...adminRefusals },
      }),
      async (c) => c.json(await readHealth(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/search",
        operationId: "searchEverything",
        summary: "Campaigns, devices, users and sites by a part of their name",
        middleware: requireAdmin(),
        request: { body: jsonBody(searchQuerySchema) },
        responses: { 200: jsonAnswer(searchResultSchema, "At most eight"), ...adminRefusals },
      }),
      async (c) => c.json({ items: await search(ctx, c.req.valid("json").q) }, 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/settings",
        operationId: "readSettings",
        summary: "All settings",
        middleware: requireAdmin(),
        responses: { 200: jsonAnswer(savedSettingsSchema, "The settings in force"), ...adminRefusals },
      }),
      async (c) => c.json(await readSavedSettings(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "put",
        path: "/api/admin/settings",
        operationId: "saveSettings",
        summary: "Saves all settings, and tells every site at once",
        middleware: requireAdmin(),
        request: { body: jsonBody(saveSettingsRequestSchema) },
        responses: {
          200: jsonAnswer(savedSettingsSchema, "The settings as saved"),
          ...adminRefusals,
          ...refusals(...PROVED_REFUSALS, "not_logged_in", "not_allowed", "second_factor_required"),
        },
      }),
      async (c) => {
        const { proof, ...settings } = c.req.valid("json");
        const user = c.get("user");
        const prove = () => proveAct(ctx, door, user, { proof, address: clientAddress(c) });
        return c.json(await saveSettings(ctx, user, settings, prove), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/queues/clear",
        operationId: "clearQueues",
        summary: "Cancels every running and paused campaign",
        middleware: requireAdmin(),
        responses: {
          200: jsonAnswer(queuesClearedSchema, "What changed at once"),
          ...refusals("not_logged_in", "not_allowed"),
        },
      }),
      async (c) => c.json(await clearQueues(ctx, c.get("user")), 200),
    );
}
