/** What administrators do about alerts: see all of one cause, keep a cause quiet, and choose what goes out. */
import { createRoute } from "@hono/zod-openapi";
import {
  alertItemsQuerySchema,
  alertItemsSchema,
  alertMessageSchema,
  chooseOutsideRequestSchema,
  outsideAlertsSchema,
  quietAlertRequestSchema,
  testAlertRequestSchema,
  unquietAlertRequestSchema,
} from "shared/admin_api.ts";
import { listAlertsOf } from "../admin/alerts.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusals, adminRefusalsOfOne, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { quietAlert, unquietAlert } from "./change_quiet.ts";
import { chooseOutside, readOutside } from "./outside_choices.ts";
import { testChannel } from "./test_channel.ts";

/** Routes under /api/admin/alerts. */
export function alertRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/alerts/items",
        operationId: "listAlertsOfCause",
        summary: "Every single alert of one cause",
        middleware: requireAdmin(),
        request: { query: alertItemsQuerySchema },
        responses: { 200: jsonAnswer(alertItemsSchema, "Empty once the cause is gone"), ...adminRefusals },
      }),
      async (c) => c.json(await listAlertsOf(ctx, c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "put",
        path: "/api/admin/alerts/quiet",
        operationId: "quietAlert",
        summary: "Acknowledges a cause, or snoozes it for some hours",
        middleware: requireAdmin(),
        request: { body: jsonBody(quietAlertRequestSchema) },
        responses: { 204: { description: "Done" }, ...adminRefusalsOfOne },
      }),
      async (c) => {
        await quietAlert(ctx, c.get("user"), c.req.valid("json"));
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/admin/alerts/quiet",
        operationId: "unquietAlert",
        summary: "Ends the quiet of a cause",
        middleware: requireAdmin(),
        request: { body: jsonBody(unquietAlertRequestSchema) },
        responses: { 204: { description: "Done" }, ...adminRefusals },
      }),
      async (c) => {
        await unquietAlert(ctx, c.get("user"), c.req.valid("json").cause);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/alerts/outside",
        operationId: "readOutsideAlerts",
        summary: "What leaves the browser, by which way, and whether it arrived",
        middleware: requireAdmin(),
        responses: { 200: jsonAnswer(outsideAlertsSchema, "No address is in it"), ...adminRefusals },
      }),
      async (c) => c.json(await readOutside(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "put",
        path: "/api/admin/alerts/outside",
        operationId: "chooseOutsideAlerts",
        summary: "Chooses which kinds leave the browser",
        middleware: requireAdmin(),
        request: { body: jsonBody(chooseOutsideRequestSchema) },
        responses: { 200: jsonAnswer(outsideAlertsSchema, "As saved"), ...adminRefusals },
      }),
      async (c) => c.json(await chooseOutside(ctx, c.get("user"), c.req.valid("json")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/alerts/test",
        operationId: "testAlertChannel",
        summary: "Sends one message that says it is a test",
        middleware: requireAdmin(),
        request: { body: jsonBody(testAlertRequestSchema) },
        responses: {
          200: jsonAnswer(alertMessageSchema, "How it ended"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed", "not_found", "too_many_attempts"),
        },
      }),
      async (c) => c.json(await testChannel(ctx, c.get("user"), c.req.valid("json").channel), 200),
    );
}
