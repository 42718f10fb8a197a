/** The webhooks of a client, for its owner, and an administrator's own. */
import { createRoute } from "@hono/zod-openapi";
import type { Proof } from "shared/http_api.ts";
import { provedRequestSchema } from "shared/http_api.ts";
import {
  changeWebhookRequestSchema,
  madeWebhookSchema,
  makeWebhookRequestSchema,
  newWebhookSecretSchema,
  sendAgainRequestSchema,
  sentAgainSchema,
  testedWebhookSchema,
  webhookCallDetailSchema,
  webhookCallPageSchema,
  webhookCallsQuerySchema,
  webhookSchema,
  webhooksSchema,
} from "shared/webhooks_api.ts";
import type { Context } from "hono";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireDutyOrKey } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, PROVED_REFUSALS, refusals } from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { callParams, idParams } from "../http/id_params.ts";
import { type AppEnv, createRouter } from "../http/router.ts";
import {
  changeWebhook,
  endOldSecret,
  pauseWebhook,
  removeWebhook,
  renewSecret,
  resumeWebhook,
} from "./change_webhook.ts";
import { makeWebhook } from "./make_webhook.ts";
import { listWebhooks } from "./read_endpoints.ts";
import { listCalls, readCall, sendCallAgain, sendRangeAgain, testWebhook } from "./webhook_calls.ts";

const done = { description: "Done" };
const OWN = ["invalid_input", "not_logged_in", "not_allowed", "not_found"] as const;
const PROVED = [...PROVED_REFUSALS, ...OWN] as const;

/** Routes under /api/webhooks. */
export function webhookRoutes(ctx: EdgeContext, door: LoginDoor) {
  /** Asks a person for their password again. A key was made with it, and cannot give it. */
  async function proveUnlessKey(c: Context<AppEnv>, proof: Proof | undefined): Promise<void> {
    if (c.get("user").key) return;
    await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
  }

  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/webhooks",
        operationId: "listWebhooks",
        summary: "The account's webhooks",
        middleware: requireDutyOrKey("owner"),
        responses: {
          200: jsonAnswer(webhooksSchema, "Newest first"),
          ...refusals("not_logged_in", "not_allowed"),
        },
      }),
      async (c) => c.json({ webhooks: await listWebhooks(ctx, c.get("user")) }, 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/webhooks",
        operationId: "makeWebhook",
        summary: "Makes a webhook, and shows its secret once",
        middleware: requireDutyOrKey("owner"),
        request: { body: jsonBody(makeWebhookRequestSchema) },
        responses: {
          201: jsonAnswer(madeWebhookSchema, "The webhook"),
          ...refusals("too_many_webhooks"),
          ...refusals(...PROVED, "webhook_address"),
        },
      }),
      async (c) => {
        const { proof, ...asked } = c.req.valid("json");
        await proveUnlessKey(c, proof);
        return c.json(await makeWebhook(ctx, c.get("user"), asked), 201);
      },
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/webhooks/{id}",
        operationId: "changeWebhook",
        summary: "Changes a webhook's name, address or events",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams, body: jsonBody(changeWebhookRequestSchema) },
        responses: {
          200: jsonAnswer(webhookSchema, "As changed"),
          ...refusals(...PROVED, "webhook_address"),
        },
      }),
      async (c) => {
        const { proof, ...asked } = c.req.valid("json");
        await proveUnlessKey(c, proof);
        return c.json(await changeWebhook(ctx, c.get("user"), c.req.valid("param").id, asked), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/webhooks/{id}",
        operationId: "removeWebhook",
        summary: "Removes a webhook; nothing more is sent to it",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams },
        responses: { 204: done, ...refusals(...OWN) },
      }),
      async (c) => {
        await removeWebhook(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/webhooks/{id}/pause",
        operationId: "pauseWebhook",
        summary: "Sends nothing more to a webhook until it is resumed",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams },
        responses: { 200: jsonAnswer(webhookSchema, "As it is now"), ...refusals(...OWN) },
      }),
      async (c) => c.json(await pauseWebhook(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/webhooks/{id}/resume",
        operationId: "resumeWebhook",
        summary: "Sends to a webhook again, beginning with what waited",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams, body: jsonBody(provedRequestSchema) },
        responses: { 200: jsonAnswer(webhookSchema, "As it is now"), ...refusals(...PROVED) },
      }),
      async (c) => {
        await proveUnlessKey(c, c.req.valid("json").proof);
        return c.json(await resumeWebhook(ctx, c.get("user"), c.req.valid("param").id), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/webhooks/{id}/secret",
        operationId: "renewWebhookSecret",
        summary: "Makes a new secret; the old one signs too for a day",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams, body: jsonBody(provedRequestSchema) },
        responses: { 200: jsonAnswer(newWebhookSecretSchema, "The secret"), ...refusals(...PROVED) },
      }),
      async (c) => {
        await proveUnlessKey(c, c.req.valid("json").proof);
        return c.json(await renewSecret(ctx, c.get("user"), c.req.valid("param").id), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/webhooks/{id}/secret",
        operationId: "endOldWebhookSecret",
        summary: "Ends the old secret at once",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams },
        responses: { 204: done, ...refusals(...OWN) },
      }),
      async (c) => {
        await endOldSecret(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/webhooks/{id}/test",
        operationId: "testWebhook",
        summary: "Sends an event that says it is a test",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams },
        responses: {
          202: jsonAnswer(testedWebhookSchema, "The call"),
          ...refusals("webhook_paused"),
          ...refusals(...OWN),
        },
      }),
      async (c) => c.json(await testWebhook(ctx, c.get("user"), c.req.valid("param").id), 202),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/webhooks/{id}/again",
        operationId: "sendWebhooksAgain",
        summary: "Sends the calls of a range of time again",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams, body: jsonBody(sendAgainRequestSchema) },
        responses: {
          200: jsonAnswer(sentAgainSchema, "How many"),
          ...refusals("webhook_paused"),
          ...refusals(...OWN),
        },
      }),
      async (c) =>
        c.json(await sendRangeAgain(ctx, c.get("user"), c.req.valid("param").id, c.req.valid("json")), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/webhooks/{id}/calls",
        operationId: "listWebhookCalls",
        summary: "A webhook's calls of the last 14 days",
        middleware: requireDutyOrKey("owner"),
        request: { params: idParams, query: webhookCallsQuerySchema },
        responses: { 200: jsonAnswer(webhookCallPageSchema, "Newest first"), ...refusals(...OWN) },
      }),
      async (c) =>
        c.json(await listCalls(ctx, c.get("user"), c.req.valid("param").id, c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/webhooks/{id}/calls/{call}",
        operationId: "readWebhookCall",
        summary: "One call with its attempts and its body",
        middleware: requireDutyOrKey("owner"),
        request: { params: callParams },
        responses: { 200: jsonAnswer(webhookCallDetailSchema, "The call"), ...refusals(...OWN) },
      }),
      async (c) => {
        const { id, call } = c.req.valid("param");
        return c.json(await readCall(ctx, c.get("user"), id, call), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/webhooks/{id}/calls/{call}/again",
        operationId: "sendWebhookCallAgain",
        summary: "Sends one call again, with the same id",
        middleware: requireDutyOrKey("owner"),
        request: { params: callParams },
        responses: {
          200: jsonAnswer(sentAgainSchema, "Sent again"),
          ...refusals("webhook_paused"),
          ...refusals(...OWN),
        },
      }),
      async (c) => {
        const { id, call } = c.req.valid("param");
        return c.json(await sendCallAgain(ctx, c.get("user"), id, call), 200);
      },
    );
}
