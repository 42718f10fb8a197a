/** Erases numbers everywhere, and lists the certificates. */
import { createRoute } from "@hono/zod-openapi";
import {
  eraseRequestSchema,
  erasureEffectRequestSchema,
  erasureEffectSchema,
  erasurePageSchema,
  erasureQuerySchema,
  erasureSchema,
} from "shared/privacy.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusals, adminRefusalsOfOne, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { countWholeNumber } from "../numbers/whole_numbers.ts";
import { readErasureEffect } from "./erasure_effect.ts";
import { eraseNumbers } from "./erase_numbers.ts";
import { listErasures, readErasure } from "./list_erasures.ts";
import { startErasure } from "./start_erasure.ts";

/** GET|POST /api/admin/erasures, POST /api/admin/erasures/effect, GET /api/admin/erasures/{id}. */
export function privacyRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/erasures",
        operationId: "listErasures",
        summary: "The erasures that were asked for, and how far each site is",
        middleware: requireAdmin(),
        request: { query: erasureQuerySchema },
        responses: { 200: jsonAnswer(erasurePageSchema, "Certificates, the newest first"), ...adminRefusals },
      }),
      async (c) => c.json(await listErasures(ctx, c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/erasures",
        operationId: "eraseNumber",
        summary: "Erases one number everywhere: tables, kept files, and sites' journals at their next word",
        middleware: requireAdmin(),
        request: { body: jsonBody(eraseRequestSchema) },
        responses: { 201: jsonAnswer(erasureSchema, "The certificate as it stands"), ...adminRefusals },
      }),
      async (c) => {
        const id = await startErasure(ctx, c.get("user"), c.req.valid("json"));
        await eraseNumbers(ctx);
        return c.json(await readErasure(ctx, id), 201);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/erasures/effect",
        operationId: "readErasureEffect",
        summary: "What an erasure of the number would touch; a number searched for counts as one",
        middleware: requireAdmin(),
        request: { body: jsonBody(erasureEffectRequestSchema) },
        responses: {
          200: jsonAnswer(erasureEffectSchema, "Figures for the question before it"),
          ...adminRefusals,
          ...refusals("too_many_attempts"),
        },
      }),
      async (c) => {
        const { phone } = c.req.valid("json");
        await countWholeNumber(ctx, c.get("user"), phone);
        return c.json(await readErasureEffect(ctx, phone), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/erasures/{id}",
        operationId: "readErasure",
        summary: "One erasure, and how far each site is",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: {
          200: jsonAnswer(erasureSchema, "The certificate"),
          ...adminRefusalsOfOne,
        },
      }),
      async (c) => c.json(await readErasure(ctx, c.req.valid("param").id), 200),
    );
}
