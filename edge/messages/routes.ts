/** Messages by call: handed over one by one, read, cancelled and resolved. */
import { createRoute } from "@hono/zod-openapi";
import {
  messageImageSchema,
  messagePageSchema,
  messageRequestSchema,
  messageResolveSchema,
  messageSchema,
  messageSearchSchema,
  messagesQuerySchema,
} from "shared/messages_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { requireDuty, requireUser } from "../auth/require_user.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { MAX_BODY_BYTES, readImageField } from "../campaigns/image_field.ts";
import type { EdgeContext } from "../context.ts";
import { csvAnswer, FILE_FIELD, formBody, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { HttpError } from "../http/http_error.ts";
import { readMultipart } from "../http/read_multipart.ts";
import { createRouter } from "../http/router.ts";
import { acceptMessage } from "./accept_message.ts";
import { addMessageImage } from "./add_image.ts";
import { cancelMessage, resolveMessage } from "./cancel_message.ts";
import { messagesCsv } from "./messages_csv.ts";
import { readMessage, readMessages } from "./read_messages.ts";

const pageAnswers = {
  200: jsonAnswer(messagePageSchema, "A page, newest first, and where the next one begins"),
  ...refusals("invalid_input", "not_logged_in", "too_many_attempts"),
};
const ofOne = refusals("not_logged_in", "not_found");
const changeOfOne = refusals("invalid_input", "not_logged_in", "not_allowed", "not_found", "message_state");

/** Routes under /api/messages. */
export function messageRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/messages",
        operationId: "sendMessage",
        summary:
          "Hands over one message, taking one unit from the quota; with a test key it reaches no phone",
        middleware: requireDuty("sender"),
        request: { body: jsonBody(messageRequestSchema) },
        responses: {
          202: jsonAnswer(messageSchema, "Accepted: it is in the queue, and its state says when it went"),
          ...refusals(
            "invalid_input",
            "not_logged_in",
            "quota_short",
            "not_allowed",
            "advertiser_missing",
            "placeholder_faulty",
            "values_missing",
            "text_too_long",
            "opted_out",
            "consent_missing",
            "messages_paused",
            "may_have_been_sent",
            "too_many_attempts",
            "not_ready",
          ),
        },
      }),
      async (c) => c.json(await acceptMessage(ctx, c.get("user"), c.req.valid("json")), 202),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/messages",
        operationId: "listMessages",
        summary: "A page of messages, by reference, state or time; administrators name a client",
        middleware: requireUser(),
        request: { query: messagesQuerySchema },
        responses: pageAnswers,
      }),
      async (c) => c.json(await readMessages(ctx, c.get("user"), c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/messages/search",
        operationId: "searchMessages",
        summary: "The same by a number, its first digits or a whole reference, which stand in no address",
        middleware: requireUser(),
        request: { body: jsonBody(messageSearchSchema) },
        responses: pageAnswers,
      }),
      async (c) => c.json(await readMessages(ctx, c.get("user"), c.req.valid("json")), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/messages.csv",
        operationId: "exportMessages",
        summary: "The client's messages as a spreadsheet file",
        middleware: requireUser(),
        request: { query: messagesQuerySchema.pick({ state: true, mode: true, from: true, until: true }) },
        responses: { 200: csvAnswer, ...refusals("invalid_input", "not_logged_in") },
      }),
      async (c) => {
        const caller = c.get("user");
        await writeAudit(ctx, { kind: "exported", actor: caller.person, data: { what: "messages" } });
        return c.body(messagesCsv(ctx, caller, c.req.valid("query")), 200, csvHeaders("messages.csv"));
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/messages/images",
        operationId: "addMessageImage",
        summary: "Takes a picture for messages, and keeps it for 30 days",
        middleware: requireDuty("sender"),
        request: { body: formBody({ image: FILE_FIELD }, ["image"]) },
        responses: {
          201: jsonAnswer(messageImageSchema, "The picture's id for `image` of a message"),
          ...refusals(
            "invalid_input",
            "file_infected",
            "not_logged_in",
            "not_allowed",
            "body_too_large",
            "unsupported_media",
            "not_ready",
          ),
        },
      }),
      async (c) => {
        const form = await readMultipart(c.req.raw, MAX_BODY_BYTES);
        const image = await readImageField(ctx, c.get("user"), form);
        if (image === null) throw new HttpError("invalid_input", { detail: "image" });
        return c.json(await addMessageImage(ctx, c.get("user"), image), 201);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/messages/{id}",
        operationId: "readMessage",
        summary: "One message and its state",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: { 200: jsonAnswer(messageSchema, "The message"), ...ofOne },
      }),
      async (c) => c.json(await readMessage(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/messages/{id}/cancel",
        operationId: "cancelMessage",
        summary: "Cancels a message that no phone has; its unit returns to the quota",
        middleware: requireDuty("sender"),
        request: { params: campaignIdParam },
        responses: { 200: jsonAnswer(messageSchema, "As it now is"), ...changeOfOne },
      }),
      async (c) => c.json(await cancelMessage(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/messages/{id}/resolve",
        operationId: "resolveMessage",
        summary: "Decides about a message of unknown outcome: sent, failed, or sent again",
        middleware: requireDuty("sender"),
        request: { params: campaignIdParam, body: jsonBody(messageResolveSchema) },
        responses: { 200: jsonAnswer(messageSchema, "As it now is"), ...changeOfOne },
      }),
      async (c) => {
        const { as } = c.req.valid("json");
        return c.json(await resolveMessage(ctx, c.get("user"), c.req.valid("param").id, as), 200);
      },
    );
}
