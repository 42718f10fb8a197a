/** Replies that ask for removal, or may: GET /api/replies, POST /api/replies/decide. */
import { createRoute } from "@hono/zod-openapi";
import {
  decideRepliesRequestSchema,
  repliesDecidedSchema,
  replyPageSchema,
  replyQuerySchema,
} from "shared/replies_api.ts";
import { requireDuty, requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { decideReplies } from "./decide_replies.ts";
import { listReplies } from "./list_replies.ts";

export function replyRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/replies",
        operationId: "listReplies",
        summary: "What recipients answered, the newest first",
        middleware: requireUser(),
        request: { query: replyQuerySchema },
        responses: {
          200: jsonAnswer(replyPageSchema, "The newest first"),
          ...refusals("invalid_input", "not_logged_in"),
        },
      }),
      async (c) => c.json(await listReplies(ctx, c.get("user"), c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/replies/decide",
        operationId: "decideReplies",
        summary: "Removes those who asked for it, or says that they did not",
        middleware: requireDuty("sender"),
        request: { body: jsonBody(decideRepliesRequestSchema) },
        responses: {
          200: jsonAnswer(repliesDecidedSchema, "How many were decided now"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed"),
        },
      }),
      async (c) => c.json(await decideReplies(ctx, c.get("user"), c.req.valid("json")), 200),
    );
}
