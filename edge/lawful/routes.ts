/** The advertiser's details, and the evidence of consent. */
import { createRoute } from "@hono/zod-openapi";
import { advertiserSchema, profileSchema } from "shared/http_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { requireDuty, requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { csvAnswer, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { createRouter } from "../http/router.ts";
import { readAdvertiser, saveAdvertiser } from "./advertiser.ts";
import { consentsCsv } from "./consents_csv.ts";

/** GET and PUT /api/profile, GET /api/consents.csv. */
export function lawfulRoutes(ctx: EdgeContext) {
  const { linkOrigin } = ctx;
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/profile",
        operationId: "readProfile",
        summary: "Who the caller is as an advertiser",
        middleware: requireUser(),
        responses: {
          200: jsonAnswer(profileSchema, "Null until it was said"),
          ...refusals("not_logged_in"),
        },
      }),
      async (c) => {
        const advertiser = await readAdvertiser(ctx.db, c.get("user").client);
        return c.json({ advertiser, linkOrigin: linkOrigin ?? null }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "put",
        path: "/api/profile",
        operationId: "setProfile",
        summary: "Says who the caller is as an advertiser; marketing that is sent from now on tells it",
        middleware: requireDuty("owner"),
        request: { body: jsonBody(advertiserSchema) },
        responses: {
          200: jsonAnswer(profileSchema, "As it now is"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed"),
        },
      }),
      async (c) => {
        const advertiser = c.req.valid("json");
        await saveAdvertiser(ctx, c.get("user"), advertiser);
        return c.json({ advertiser, linkOrigin: linkOrigin ?? null }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/consents.csv",
        operationId: "exportConsents",
        summary:
          "What the caller declared of every number, for a spreadsheet; administrators: of everybody, masked",
        middleware: requireUser(),
        responses: {
          200: csvAnswer,
          ...refusals("not_logged_in"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        await writeAudit(ctx, { kind: "exported", actor: user.person, data: { what: "consents" } });
        return c.body(consentsCsv(ctx, user), 200, csvHeaders("consents.csv"));
      },
    );
}
