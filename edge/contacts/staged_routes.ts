/** A file that is shown before it is taken in: what it holds, what would become of each row, and then its contacts. */
import { createRoute } from "@hono/zod-openapi";
import { uploadResultSchema } from "shared/http_api.ts";
import {
  previewRequestSchema,
  previewSchema,
  stagedFileSchema,
  takeInRequestSchema,
} from "shared/staged_api.ts";
import { requireUser } from "../auth/require_user.ts";
import { requireSession } from "../auth/sessions.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { readEditableCampaign } from "../campaigns/read.ts";
import type { EdgeContext } from "../context.ts";
import { csvAnswer, FILE_FIELD, formBody, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { rememberChoice } from "../staging/column_choice.ts";
import { dropStaged, readStaged } from "../staging/stage_file.ts";
import { SAMPLE_BYTES } from "../tables/sample_rows.ts";
import { describeStaged, headingRowOf, stageUpload } from "./describe_staged.ts";
import { importContacts } from "./import_contacts.ts";
import { leftOutCsv } from "./left_out_csv.ts";
import { previewStaged } from "./preview_staged.ts";
import { readMapped } from "./read_mapped.ts";
import { readUploadedFile } from "./read_upload.ts";

/** POST /api/staged-files and its file; POST /api/campaigns/{id}/contacts/preview, …/left-out, …/staged. */
export function stagedRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/staged-files",
        operationId: "stageFile",
        summary: "Keeps a file for an hour, for its person alone, and says what it holds",
        middleware: requireUser(),
        request: { body: uploadBody },
        responses: {
          200: jsonAnswer(stagedFileSchema, "What the file holds"),
          ...refusals(
            "invalid_input",
            "no_valid_contacts",
            "not_logged_in",
            "body_too_large",
            "unsupported_media",
            "file_infected",
            "not_ready",
            "not_found",
            "staging_full",
          ),
        },
      }),
      async (c) => {
        const user = c.get("user");
        using upload = await readUploadedFile(ctx, user, c.req.raw);
        return c.json(await stageUpload(ctx, user.id, upload, c.req.raw.signal), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/staged-files/{id}",
        operationId: "readStagedFile",
        summary: "What a staged file holds",
        middleware: requireUser(),
        request: { params: idParams },
        responses: {
          200: jsonAnswer(stagedFileSchema, "What the file holds"),
          ...refusals("invalid_input", "not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const kept = await readStaged(ctx, user.id, c.req.valid("param").id, SAMPLE_BYTES);
        return c.json(await describeStaged(ctx, user.id, kept, c.req.raw.signal), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/staged-files/{id}",
        operationId: "dropStagedFile",
        summary: "Forgets a staged file",
        middleware: requireUser(),
        request: { params: idParams },
        responses: { 204: { description: "Forgotten" }, ...refusals("invalid_input", "not_logged_in") },
      }),
      async (c) => {
        await dropStaged(ctx, c.get("user").id, c.req.valid("param").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts/preview",
        operationId: "previewStagedFile",
        summary: "How many rows of a staged file would get the message, and why the others would not",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(previewRequestSchema) },
        responses: { 200: jsonAnswer(previewSchema, "Counts and first rows"), ...refusals(...REFUSALS) },
      }),
      async (c) => {
        const user = c.get("user");
        const campaign = await readEditableCampaign(ctx, user, c.req.valid("param").id);
        const asked = { ...c.req.valid("json"), user: user.id, left: c.req.raw.signal };
        return c.json(await previewStaged(ctx, campaign, asked), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts/left-out",
        operationId: "exportLeftOutRows",
        summary: "The rows of a staged file that would get no message, each with its reason",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(previewRequestSchema) },
        responses: { 200: csvAnswer, ...refusals(...REFUSALS) },
      }),
      async (c) => {
        const user = c.get("user");
        const campaign = await readEditableCampaign(ctx, user, c.req.valid("param").id);
        const asked = { ...c.req.valid("json"), user: user.id, left: c.req.raw.signal };
        return c.body(await leftOutCsv(ctx, campaign, asked), 200, csvHeaders("left-out.csv"));
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts/staged",
        operationId: "takeInStagedFile",
        summary: "Adds the contacts of a staged file, with the values of the chosen columns",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(takeInRequestSchema) },
        responses: {
          200: jsonAnswer(uploadResultSchema, "What was added, and what was not"),
          ...refusals(...REFUSALS, "import_running", "contacts_full"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const { file, choice, consent } = c.req.valid("json");
        // The campaign first: of another's one, whether the file is there is no answer.
        const campaign = await readEditableCampaign(ctx, user, c.req.valid("param").id);
        const [kept] = await Promise.all([readStaged(ctx, user.id, file), requireSession(ctx, user)]);
        const headingRow = await headingRowOf(kept, createYieldToEventLoop({ left: c.req.raw.signal }));
        const { result } = await importContacts(
          ctx,
          campaign,
          {
            fileName: kept.fileName,
            read: (options) => readMapped(kept.csv, { choice, headingRow }, options),
          },
          { consent, user: user.id },
          c.req.raw.signal,
        );
        await rememberChoice(ctx, user.id, kept.headingsKey, choice);
        await dropStaged(ctx, user.id, file);
        return c.json(result, 200);
      },
    );
}

const REFUSALS = [
  "invalid_input",
  "no_valid_contacts",
  "not_logged_in",
  "not_allowed",
  "not_found",
  "campaign_not_editable",
] as const;

const uploadBody = formBody({
  file: FILE_FIELD,
  sheet: { type: "string", description: "Of a workbook: the number of a sheet, from 1" },
}, ["file"]);
