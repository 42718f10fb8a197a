/** Users and their quotas, for administrators; each client also reads their own ledger. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { userEffectSchema } from "shared/admin_api.ts";
import { errorBodySchema } from "shared/error_code.ts";
import {
  correctQuotaRequestSchema,
  createUserRequestSchema,
  ledgerPageSchema,
  setQuotaRequestSchema,
  updateUserRequestSchema,
  userSchema,
} from "shared/http_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireAdmin, requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import {
  adminRefusalsOfOne,
  csvAnswer,
  jsonAnswer,
  jsonBody,
  PROVED_REFUSALS,
  refusals,
} from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { csvHeaders } from "../http/csv.ts";
import { HttpError } from "../http/http_error.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { correctQuota } from "./correct_quota.ts";
import { createUser } from "./create_user.ts";
import { ledgerCsv } from "./ledger_csv.ts";
import { listLedger } from "./list_ledger.ts";
import { listUsers } from "./list_users.ts";
import { setQuota } from "./set_quota.ts";
import { needsProof, updateUser } from "./update_user.ts";
import { readUserEffect } from "./user_effect.ts";

const ledgerQuerySchema = z.object({
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  campaign: z.coerce.number().int().positive().optional(),
});
const quotaChangedSchema = errorBodySchema.extend({ messageQuota: z.int() });

/** Refusals of a call that may need a proof. */
const PROVED = refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed");

/** Routes under /api/users. */
export function userRoutes(ctx: EdgeContext, door: LoginDoor) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/users",
        operationId: "listUsers",
        summary: "Every user",
        middleware: requireAdmin(),
        responses: {
          200: jsonAnswer(z.array(userSchema), "Every user"),
          ...refusals("not_logged_in", "not_allowed"),
        },
      }),
      async (c) => c.json(await listUsers(ctx), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/users",
        operationId: "createUser",
        summary: "Makes a client or an administrator",
        middleware: requireAdmin(),
        request: { body: jsonBody(createUserRequestSchema) },
        responses: {
          201: jsonAnswer(userSchema, "The new user"),
          ...refusals("username_taken"),
          ...PROVED,
        },
      }),
      async (c) => {
        const { proof, ...made } = c.req.valid("json");
        // Only a new administrator needs a proof: it can see everything. A quota needs none on any client.
        if (made.role === "admin") {
          await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        }
        return c.json(await createUser(ctx, door.passwords, made, c.get("user").person), 201);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/users/{id}",
        operationId: "readUserEffect",
        summary: "What disabling the user or a new password would do",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: {
          200: jsonAnswer(userEffectSchema, "Figures for the question before it"),
          ...adminRefusalsOfOne,
        },
      }),
      async (c) => c.json(await readUserEffect(ctx, c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/users/{id}",
        operationId: "updateUser",
        summary: "Disables, enables, gives a new password, or takes a lost second factor away",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(updateUserRequestSchema) },
        responses: {
          200: jsonAnswer(userSchema, "The user as it is now"),
          ...PROVED,
          ...refusals("not_found"),
        },
      }),
      async (c) => {
        const { proof, ...asked } = c.req.valid("json");
        const change = { userId: c.req.valid("param").id, actorId: c.get("user").person, ...asked };
        if (await needsProof(ctx, change)) {
          await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        }
        return c.json(await updateUser(ctx, door.passwords, change), 200);
      },
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/users/{id}/quota",
        operationId: "setQuota",
        summary: "Sets a client's quota, if it is still what the caller saw",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(setQuotaRequestSchema) },
        responses: {
          200: jsonAnswer(userSchema, "The client with the new balance"),
          409: jsonAnswer(quotaChangedSchema, "quota_changed, with the present balance"),
          ...refusals("invalid_input", "quota_needs_client", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => {
        const { changed, user } = await setQuota(ctx, {
          clientId: c.req.valid("param").id,
          actorId: c.get("user").person,
          ...c.req.valid("json"),
        });
        if (changed) return c.json(user, 200);
        const { body } = new HttpError("quota_changed");
        return c.json({ ...body, messageQuota: user.messageQuota }, 409);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/users/{id}/ledger",
        operationId: "listLedger",
        summary: "How a client's quota changed, the newest first",
        middleware: requireUser(),
        request: { params: idParams, query: ledgerQuerySchema },
        responses: {
          200: jsonAnswer(ledgerPageSchema, "A page of the ledger, the newest first"),
          ...refusals("invalid_input", "not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const { id: clientId } = c.req.valid("param");
        const user = c.get("user");
        // For a client the other users do not exist.
        if (user.role !== "admin" && user.client !== clientId) throw new HttpError("not_found");
        return c.json(await listLedger(ctx, { clientId, role: user.role, ...c.req.valid("query") }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/users/{id}/ledger.csv",
        operationId: "exportLedger",
        summary: "How a client's quota changed, as a file; audited",
        middleware: requireUser(),
        request: { params: idParams },
        responses: { 200: csvAnswer, ...refusals("not_logged_in", "not_found") },
      }),
      async (c) => {
        const { id: clientId } = c.req.valid("param");
        const { person: actor, client, role } = c.get("user");
        if (role !== "admin" && client !== clientId) throw new HttpError("not_found");
        // For a user that does not exist, or an administrator, the file has no rows.
        await writeAudit(ctx, { kind: "exported", actor, user: clientId, data: { what: "ledger" } });
        return c.body(ledgerCsv(ctx, clientId, role), 200, csvHeaders("shigur-quota.csv"));
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/users/{id}/quota/corrections",
        operationId: "correctQuota",
        summary: "Corrects a client's quota by an entry with its reason; audited, and the client reads it",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(correctQuotaRequestSchema) },
        responses: {
          200: jsonAnswer(userSchema, "The client with the new balance"),
          ...refusals(
            "invalid_input",
            "quota_needs_client",
            "quota_below_zero",
            "not_logged_in",
            "not_allowed",
            "not_found",
          ),
        },
      }),
      async (c) => {
        const { id: clientId } = c.req.valid("param");
        const actorId = c.get("user").person;
        return c.json(await correctQuota(ctx, { clientId, actorId, ...c.req.valid("json") }), 200);
      },
    );
}
