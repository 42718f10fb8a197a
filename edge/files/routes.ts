/** Files that administrators upload for clients' campaigns and for the suppression list. */
import { createRoute } from "@hono/zod-openapi";
import { fileItemSchema, filePageSchema, fileQuerySchema, SUPPRESSIONS_TARGET } from "shared/admin_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { requireAdmin } from "../auth/require_user.ts";
import { readUpload } from "../contacts/read_upload.ts";
import { rejectedCsv } from "../contacts/rejected_rows.ts";
import type { EdgeContext } from "../context.ts";
import {
  adminRefusals,
  adminRefusalsOfOne,
  csvAnswer,
  FILE_FIELD,
  formBody,
  jsonAnswer,
  jsonBody,
  refusals,
} from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { HttpError } from "../http/http_error.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { readConsentField } from "../lawful/consent.ts";
import { listFiles, readFileItem } from "./list_files.ts";
import { queueFile } from "./queue_file.ts";
import { retryFile } from "./retry_file.ts";

const pageAnswers = {
  200: jsonAnswer(filePageSchema, "The newest first"),
  ...adminRefusals,
};

/** Routes under /api/admin/files. */
export function fileRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/files",
        operationId: "listFiles",
        summary: "The files of the queue, the newest first",
        middleware: requireAdmin(),
        request: { query: fileQuerySchema },
        responses: pageAnswers,
      }),
      async (c) => c.json(await listFiles(ctx, c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/files/search",
        operationId: "searchFiles",
        summary: "The same page; what is searched for stands in no address",
        middleware: requireAdmin(),
        request: { body: jsonBody(fileQuerySchema) },
        responses: pageAnswers,
      }),
      async (c) => c.json(await listFiles(ctx, c.req.valid("json")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/files",
        operationId: "addFile",
        summary: "Takes in a CSV file or a workbook; it is read in the background",
        middleware: requireAdmin(),
        request: { body: uploadBody },
        responses: {
          202: jsonAnswer(fileItemSchema, "The file, waiting its turn"),
          ...refusals(
            "invalid_input",
            "not_logged_in",
            "not_allowed",
            "not_found",
            "campaign_not_editable",
            "import_running",
            "body_too_large",
            "unsupported_media",
            "file_infected",
            "not_ready",
          ),
        },
      }),
      async (c) => {
        using upload = await readUpload(ctx, c.get("user"), c.req.raw);
        const { fileName, file, form } = upload;
        const campaign = readTarget(form.get("target"));
        const consent = readConsentField(form);
        return c.json(await queueFile(ctx, c.get("user"), { fileName, file, campaign, consent }), 202);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/files/{id}",
        operationId: "readFile",
        summary: "One file, and how far it was read",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 200: jsonAnswer(fileItemSchema, "The file"), ...adminRefusalsOfOne },
      }),
      async (c) => c.json(await readFileItem(ctx, c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/files/{id}/rejected.csv",
        operationId: "exportRejectedRowsOfFile",
        summary: "Its rows that hold no valid number",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 200: csvAnswer, ...adminRefusalsOfOne },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const csv = await rejectedCsv(ctx, c.get("user"), id);
        const data = { what: "rejected", import: id };
        await writeAudit(ctx, { kind: "exported", actor: c.get("user").person, data });
        return c.body(csv, 200, csvHeaders(`rejected-${id}.csv`));
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/files/{id}/retry",
        operationId: "retryFile",
        summary: "Queues a failed file again",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: {
          202: jsonAnswer(fileItemSchema, "The file, waiting its turn"),
          ...refusals(
            "invalid_input",
            "not_logged_in",
            "not_allowed",
            "not_found",
            "campaign_not_editable",
            "import_running",
          ),
        },
      }),
      async (c) => c.json(await retryFile(ctx, c.req.valid("param").id), 202),
    );
}

/** Null = the suppression list. */
function readTarget(target: FormDataEntryValue | null): number | null {
  if (target === SUPPRESSIONS_TARGET) return null;
  const campaign = idParams.shape.id.safeParse(target);
  if (!campaign.success) throw new HttpError("invalid_input", { text: "נא לבחור לאן לטעון את הקובץ." });
  return campaign.data;
}

const uploadBody = formBody({
  file: FILE_FIELD,
  sheet: { type: "string", description: "Of a workbook: the number of a sheet, from 1" },
  target: { type: "string", description: "A campaign's id, or suppressions" },
  consent: { type: "string", description: "JSON; for a marketing campaign" },
}, ["file", "target"]);
