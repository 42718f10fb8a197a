/** The fleet for administrators, and their commands to phones. */
import { createRoute } from "@hono/zod-openapi";
import {
  commandKindSchema,
  deviceCommandSchema,
  deviceDetailSchema,
  editAccountRequestSchema,
  releaseAccountRequestSchema,
  riskQuerySchema,
  riskSchema,
} from "shared/admin_api.ts";
import { adbStatusSchema } from "shared/http_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import {
  adminRefusals,
  adminRefusalsOfOne,
  csvAnswer,
  jsonAnswer,
  jsonBody,
  refusals,
} from "../http/answers.ts";
import { releaseAccount } from "../health/release_account.ts";
import { csvHeaders } from "../http/csv.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { readAdbStatus } from "./adb_status.ts";
import { readDeviceDetail } from "./device_detail.ts";
import { devicesCsv } from "./devices_csv.ts";
import { editAccount } from "./edit_account.ts";
import { listRisk } from "./list_risk.ts";
import { readCommand } from "./read_commands.ts";
import { sendCommand } from "./send_command.ts";

/** /api/devices/adb-status, /api/admin/devices, /api/admin/accounts, /api/admin/commands and /api/admin/risk. */
export function deviceRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/devices/adb-status",
        operationId: "readAdbStatus",
        summary: "Every phone, its accounts and how they stand",
        middleware: requireAdmin(),
        responses: { 200: jsonAnswer(adbStatusSchema, "Every phone and its accounts"), ...adminRefusals },
      }),
      async (c) => c.json(await readAdbStatus(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/risk",
        operationId: "listRisk",
        summary: "Devices by how near their accounts are to being lost, and why",
        middleware: requireAdmin(),
        request: { query: riskQuerySchema },
        responses: { 200: jsonAnswer(riskSchema, "High, medium, low"), ...adminRefusals },
      }),
      async (c) => c.json(await listRisk(ctx, c.req.valid("query").limit), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/devices.csv",
        operationId: "exportDevices",
        summary: "Every device, for a spreadsheet",
        middleware: requireAdmin(),
        responses: { 200: csvAnswer, ...adminRefusals },
      }),
      async (c) => {
        await writeAudit(ctx, { kind: "exported", actor: c.get("user").person, data: { what: "devices" } });
        return c.body(await devicesCsv(ctx), 200, csvHeaders("devices.csv"));
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/devices/{id}",
        operationId: "readDevice",
        summary: "One device, its accounts and its newest commands",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 200: jsonAnswer(deviceDetailSchema, "The device"), ...adminRefusalsOfOne },
      }),
      async (c) => c.json(await readDeviceDetail(ctx, c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/devices/{id}/{kind}",
        operationId: "commandDevice",
        summary: "Asks a device's site to restart, stop, start or identify it",
        middleware: requireAdmin(),
        request: { params: idParams.extend({ kind: commandKindSchema }) },
        responses: {
          202: jsonAnswer(deviceCommandSchema, "Asked; the command tells how it goes"),
          ...adminRefusalsOfOne,
        },
      }),
      async (c) => {
        const { id, kind } = c.req.valid("param");
        return c.json(await sendCommand(ctx, c.get("user"), id, kind), 202);
      },
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/admin/accounts/{id}",
        operationId: "editAccount",
        summary: "Names an account, or confirms that it is known whose it is",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(editAccountRequestSchema) },
        responses: { 204: { description: "Done" }, ...adminRefusalsOfOne },
      }),
      async (c) => {
        await editAccount(ctx, c.get("user"), c.req.valid("param").id, c.req.valid("json"));
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/accounts/{id}/release",
        operationId: "releaseAccount",
        summary: "Lets an account that a breaker rested work again, by naming the reason",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(releaseAccountRequestSchema) },
        responses: {
          204: { description: "Done" },
          ...refusals("invalid_input", "not_logged_in", "not_allowed", "not_found", "reason_not_confirmed"),
        },
      }),
      async (c) => {
        await releaseAccount(ctx, c.get("user"), c.req.valid("param").id, c.req.valid("json").trip);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/commands/{id}",
        operationId: "readCommand",
        summary: "How a command goes",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 200: jsonAnswer(deviceCommandSchema, "How a command goes"), ...adminRefusalsOfOne },
      }),
      async (c) => c.json(await readCommand(ctx, c.req.valid("param").id), 200),
    );
}
