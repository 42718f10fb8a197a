/** The API keys of a client, for its owner, and an administrator's own. */
import { createRoute } from "@hono/zod-openapi";
import { provedRequestSchema } from "shared/http_api.ts";
import { apiKeysSchema, madeKeySchema, makeKeyRequestSchema } from "shared/keys_api.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireDuty } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, PROVED_REFUSALS, refusals } from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { confirmKey, revokeKey } from "./change_key.ts";
import { listKeys } from "./list_keys.ts";
import { makeKey } from "./make_key.ts";

const done = { description: "Done" };

/** Routes under /api/keys. */
export function apiKeyRoutes(ctx: EdgeContext, door: LoginDoor) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/keys",
        operationId: "listKeys",
        summary: "The caller's API keys that work or wait for confirmation",
        middleware: requireDuty("owner"),
        responses: {
          200: jsonAnswer(apiKeysSchema, "Newest first"),
          ...refusals("not_logged_in", "not_allowed", "not_by_key"),
        },
      }),
      async (c) => c.json(await listKeys(ctx, c.get("user").person), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/keys",
        operationId: "makeKey",
        summary: "Makes an API key, and shows it once",
        middleware: requireDuty("owner"),
        request: { body: jsonBody(makeKeyRequestSchema) },
        responses: {
          201: jsonAnswer(madeKeySchema, "The key"),
          ...refusals("too_many_keys"),
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed", "not_by_key"),
        },
      }),
      async (c) => {
        const { proof, ...asked } = c.req.valid("json");
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        return c.json(await makeKey(ctx, c.get("user"), asked), 201);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/keys/{id}",
        operationId: "revokeKey",
        summary: "Revokes an API key at once, for good",
        middleware: requireDuty("owner"),
        request: { params: idParams },
        responses: {
          204: done,
          ...refusals("invalid_input", "not_logged_in", "not_allowed", "not_by_key", "not_found"),
        },
      }),
      async (c) => {
        await revokeKey(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/keys/{id}/confirm",
        operationId: "confirmKey",
        summary: "Lets an API key work again after a restored backup",
        middleware: requireDuty("owner"),
        request: { params: idParams, body: jsonBody(provedRequestSchema) },
        responses: {
          204: done,
          ...refusals(
            ...PROVED_REFUSALS,
            ...["invalid_input", "not_logged_in", "not_allowed", "not_by_key", "not_found"] as const,
          ),
        },
      }),
      async (c) => {
        const { proof } = c.req.valid("json");
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        await confirmKey(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    );
}
