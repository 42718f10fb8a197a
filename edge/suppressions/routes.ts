/** Numbers that must not be messaged: a client's own list, and the administrators' list for all clients. */
import { createRoute } from "@hono/zod-openapi";
import {
  addSuppressionsRequestSchema,
  removeSuppressionsRequestSchema,
  suppressionPageSchema,
  suppressionQuerySchema,
  suppressionsAddedSchema,
  suppressionsRemovedSchema,
} from "shared/suppressions_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireDuty, requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import {
  csvAnswer,
  FILE_FIELD,
  formBody,
  jsonAnswer,
  jsonBody,
  PROVED_REFUSALS,
  refusals,
} from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { csvHeaders } from "../http/csv.ts";
import { createRouter } from "../http/router.ts";
import { readUpload } from "../contacts/read_upload.ts";
import { addSuppressionFile, addSuppressions } from "./add_suppressions.ts";
import { listOf } from "./list_owner.ts";
import { searchSuppressions } from "./list_suppressions.ts";
import { removeSuppressions } from "./remove_suppressions.ts";
import { suppressionsCsv } from "./suppressions_csv.ts";

const pageAnswers = {
  200: jsonAnswer(suppressionPageSchema, "The newest first"),
  ...refusals("invalid_input", "not_logged_in"),
};

/** Routes under /api/suppressions. */
export function suppressionRoutes(ctx: EdgeContext, door: LoginDoor) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/suppressions",
        operationId: "listSuppressions",
        summary: "The numbers that the caller writes to never again, the newest first",
        middleware: requireUser(),
        request: { query: suppressionQuerySchema },
        responses: pageAnswers,
      }),
      async (c) => c.json(await searchSuppressions(ctx, c.get("user"), c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/suppressions/search",
        operationId: "searchSuppressions",
        summary: "The same page; what is searched for stands in no address",
        middleware: requireUser(),
        request: { body: jsonBody(suppressionQuerySchema) },
        responses: pageAnswers,
      }),
      async (c) => c.json(await searchSuppressions(ctx, c.get("user"), c.req.valid("json")), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/suppressions.csv",
        operationId: "exportSuppressions",
        summary: "The whole list, for a spreadsheet",
        middleware: requireUser(),
        responses: {
          200: csvAnswer,
          ...refusals("not_logged_in"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        await writeAudit(ctx, { kind: "exported", actor: user.person, data: { what: "suppressions" } });
        return c.body(suppressionsCsv(ctx, listOf(user)), 200, csvHeaders("suppressions.csv"));
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/suppressions",
        operationId: "addSuppressions",
        summary: "Adds numbers, and takes them out of what waits to be sent",
        middleware: requireDuty("writer"),
        request: { body: jsonBody(addSuppressionsRequestSchema) },
        responses: {
          200: jsonAnswer(suppressionsAddedSchema, "What was added, and what it stopped"),
          ...refusals("invalid_input", "no_valid_contacts", "not_logged_in", "not_allowed"),
        },
      }),
      async (c) => {
        const { numbers } = c.req.valid("json");
        return c.json(await addSuppressions(ctx, c.get("user"), numbers, c.req.raw.signal), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/suppressions/file",
        operationId: "addSuppressionsFile",
        summary: "Adds the numbers of a CSV file, and takes them out of what waits to be sent",
        middleware: requireDuty("writer"),
        request: { body: fileBody },
        responses: {
          200: jsonAnswer(suppressionsAddedSchema, "What was added, and what it stopped"),
          ...refusals(
            "invalid_input",
            "no_valid_contacts",
            "not_logged_in",
            "not_allowed",
            "body_too_large",
            "unsupported_media",
            "file_infected",
            "not_ready",
          ),
        },
      }),
      async (c) => {
        using upload = await readUpload(ctx, c.get("user"), c.req.raw);
        return c.json(await addSuppressionFile(ctx, c.get("user"), upload.file, c.req.raw.signal), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/suppressions",
        operationId: "removeSuppressions",
        summary: "Takes numbers out of one's own list; there who asked by a reply to be left alone stays",
        middleware: requireDuty("sender"),
        request: { body: jsonBody(removeSuppressionsRequestSchema) },
        responses: {
          200: jsonAnswer(suppressionsRemovedSchema, "How many there were"),
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed"),
        },
      }),
      async (c) => {
        const { proof, ids } = c.req.valid("json");
        const user = c.get("user");
        // The administrators' list applies to all clients, and contains people who asked to be removed.
        if (user.role === "admin") await proveAct(ctx, door, user, { proof, address: clientAddress(c) });
        return c.json(await removeSuppressions(ctx, user, ids), 200);
      },
    );
}

const fileBody = formBody({ file: FILE_FIELD }, ["file"]);
