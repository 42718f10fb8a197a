/** For administrators: finds removal requests by the whole number, and undoes them. */
import { createRoute } from "@hono/zod-openapi";
import { optOutQuerySchema, optOutsSchema, undoOptOutRequestSchema } from "shared/replies_api.ts";
import { requireAdmin } from "../auth/require_user.ts";
import { countWholeNumber } from "../numbers/whole_numbers.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusals, adminRefusalsOfOne, jsonAnswer, jsonBody } from "../http/answers.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { findOptOuts, undoOptOut } from "./undo_opt_out.ts";

export function optOutRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/opt-outs/search",
        operationId: "searchOptOuts",
        summary: "The clients who may not write to a number because it asked for that by a reply",
        middleware: requireAdmin(),
        request: { body: jsonBody(optOutQuerySchema) },
        responses: {
          200: jsonAnswer(optOutsSchema, "The newest first"),
          ...adminRefusals,
        },
      }),
      async (c) => {
        const { q } = c.req.valid("json");
        await countWholeNumber(ctx, c.get("user"), q);
        return c.json({ items: await findOptOuts(ctx, q) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/admin/opt-outs/{id}",
        operationId: "undoOptOut",
        summary: "Lets a client write again to a recipient who changed their mind; the reason is audited",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(undoOptOutRequestSchema) },
        responses: {
          204: { description: "Done" },
          ...adminRefusalsOfOne,
        },
      }),
      async (c) => {
        await undoOptOut(ctx, c.get("user"), c.req.valid("param").id, c.req.valid("json").reason);
        return c.body(null, 204);
      },
    );
}
