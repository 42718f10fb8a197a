/** The preview of a personal message: what it makes of the recipients, and the text of any of them. */
import { createRoute } from "@hono/zod-openapi";
import {
  personalNeighboursSchema,
  personalPreviewSchema,
  personalRowsSchema,
  personalSearchSchema,
} from "shared/personal_api.ts";
import { requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { campaignIdParam } from "./campaign_id.ts";
import { neighboursOf, previewPersonal, searchPersonal } from "./personal_preview.ts";

const rowParams = campaignIdParam.extend({ delivery: campaignIdParam.shape.id });

/** GET /api/campaigns/{id}/personal and …/personal/rows/{delivery}, and POST …/personal/rows. */
export function personalRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/personal",
        operationId: "previewPersonal",
        summary: "What the campaign's message makes of its recipients; masked for administrators",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: {
          200: jsonAnswer(
            personalPreviewSchema,
            "The fields, what is wrong, and the texts of some recipients",
          ),
          ...refusals("not_logged_in", "not_found"),
        },
      }),
      async (c) => c.json(await previewPersonal(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/personal/rows/{delivery}",
        operationId: "readNeighbours",
        summary:
          "The recipients before and after one, with the text that each gets; masked for administrators",
        middleware: requireUser(),
        request: { params: rowParams },
        responses: {
          200: jsonAnswer(personalNeighboursSchema, "The two recipients; null at an end of the list"),
          ...refusals("not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const { id, delivery } = c.req.valid("param");
        return c.json(await neighboursOf(ctx, c.get("user"), id, delivery), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/personal/rows",
        operationId: "searchPersonal",
        summary:
          "Recipients found by number or value, with the text that each gets; the search stands in no address",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(personalSearchSchema) },
        responses: {
          200: jsonAnswer(personalRowsSchema, "Some recipients, and where the search goes on"),
          ...refusals("invalid_input", "not_logged_in", "not_found", "too_many_attempts"),
        },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        return c.json(await searchPersonal(ctx, c.get("user"), id, c.req.valid("json")), 200);
      },
    );
}
