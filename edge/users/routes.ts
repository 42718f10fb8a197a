/** Users and their quotas: an administrator's, but for one's own ledger. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { userEffectSchema } from "shared/admin_api.ts";
import { errorBodySchema } from "shared/error_code.ts";
import {
  createUserRequestSchema,
  ledgerPageSchema,
  setQuotaRequestSchema,
  updateUserRequestSchema,
  userSchema,
} from "shared/http_api.ts";
import type { Passwords } from "../auth/password.ts";
import { requireAdmin, requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { HttpError } from "../http/http_error.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { createUser } from "./create_user.ts";
import { listLedger } from "./list_ledger.ts";
import { listUsers } from "./list_users.ts";
import { setQuota } from "./set_quota.ts";
import { updateUser } from "./update_user.ts";
import { readUserEffect } from "./user_effect.ts";

const ledgerQuerySchema = z.object({
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  campaign: z.coerce.number().int().positive().optional(),
});
const quotaChangedSchema = errorBodySchema.extend({ messageQuota: z.int() });

/** Routes under /api/users. */
export function userRoutes(ctx: EdgeContext, passwords: Passwords) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/users",
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
        middleware: requireAdmin(),
        request: { body: jsonBody(createUserRequestSchema) },
        responses: {
          201: jsonAnswer(userSchema, "The new user"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed", "username_taken"),
        },
      }),
      async (c) => c.json(await createUser(ctx, passwords, c.req.valid("json"), c.get("user").id), 201),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/users/{id}",
        summary: "What disabling the user or a new password would do",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: {
          200: jsonAnswer(userEffectSchema, "Figures for the question before it"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => c.json(await readUserEffect(ctx, c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/users/{id}",
        summary: "Disables, enables, gives a new password, or takes a lost second factor away",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(updateUserRequestSchema) },
        responses: {
          200: jsonAnswer(userSchema, "The user as it is now"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => {
        const change = { userId: c.req.valid("param").id, actorId: c.get("user").id, ...c.req.valid("json") };
        return c.json(await updateUser(ctx, passwords, change), 200);
      },
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/users/{id}/quota",
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
          actorId: c.get("user").id,
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
        // To a client the others don't exist.
        if (user.role !== "admin" && user.id !== clientId) throw new HttpError("not_found");
        return c.json(await listLedger(ctx, { clientId, ...c.req.valid("query") }), 200);
      },
    );
}
