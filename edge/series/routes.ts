/** Repeats: a client's campaigns that are made and planned by themselves, from lists as they are then. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { createSeriesRequestSchema, oneSeriesSchema, seriesSchema } from "shared/series_api.ts";
import { requireUser } from "../auth/require_user.ts";
import { readOwnCampaign } from "../campaigns/read.ts";
import type { EdgeContext } from "../context.ts";
import { idParams } from "../http/id_params.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { createRouter } from "../http/router.ts";
import { continueSeries, endSeries, stopSeries } from "./change_series.ts";
import { createSeries } from "./create_series.ts";
import { listSeries, showSeries } from "./read_series.ts";

/** /api/series. */
export function seriesRoutes(ctx: EdgeContext) {
  const app = createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/series",
        operationId: "listSeries",
        summary: "The caller's repeats",
        middleware: requireUser(),
        responses: {
          200: jsonAnswer(z.array(seriesSchema), "Those that go on first"),
          ...refusals("not_logged_in"),
        },
      }),
      async (c) => c.json(await listSeries(ctx, c.get("user")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/series",
        operationId: "createSeries",
        summary: "Repeats a campaign's words on days of a rule, each time to the people of the lists then",
        middleware: requireUser(),
        request: { body: jsonBody(createSeriesRequestSchema) },
        responses: {
          201: jsonAnswer(oneSeriesSchema, "The repeat"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const { campaign: source, ...request } = c.req.valid("json");
        const campaign = await readOwnCampaign(ctx, user, source);
        const id = await createSeries(ctx, user, campaign, request);
        return c.json(await showSeries(ctx, user, id), 201);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/series/{id}",
        operationId: "readSeries",
        summary: "One repeat with its last runs",
        middleware: requireUser(),
        request: { params: idParams },
        responses: {
          200: jsonAnswer(oneSeriesSchema, "The repeat"),
          ...refusals("not_logged_in", "not_found"),
        },
      }),
      async (c) => c.json(await showSeries(ctx, c.get("user"), c.req.valid("param").id), 200),
    );
  return app
    .openapi(actRoute("stop", "Stops a repeat until it is let go on"), async (c) => {
      const { id } = c.req.valid("param");
      await stopSeries(ctx, c.get("user"), id);
      return c.json(await showSeries(ctx, c.get("user"), id), 200);
    })
    .openapi(actRoute("continue", "Lets a repeat go on from its next day"), async (c) => {
      const { id } = c.req.valid("param");
      await continueSeries(ctx, c.get("user"), id);
      return c.json(await showSeries(ctx, c.get("user"), id), 200);
    })
    .openapi(actRoute("end", "Ends a repeat for good; planned runs stay"), async (c) => {
      const { id } = c.req.valid("param");
      await endSeries(ctx, c.get("user"), id);
      return c.json(await showSeries(ctx, c.get("user"), id), 200);
    });
}

function actRoute<Act extends "stop" | "continue" | "end">(act: Act, summary: string) {
  return createRoute({
    method: "post",
    path: `/api/series/{id}/${act}`,
    operationId: `${act}Series`,
    summary,
    middleware: requireUser(),
    request: { params: idParams },
    responses: {
      200: jsonAnswer(oneSeriesSchema, "The repeat"),
      ...refusals("not_logged_in", "not_found", "campaign_state"),
    },
  });
}
