/** Adds contacts to a draft or ready campaign, from a file or from pasted numbers. */
import { createRoute } from "@hono/zod-openapi";
import { importPageSchema, pageQuery, uploadResultSchema } from "shared/http_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { requireDuty, requireUser } from "../auth/require_user.ts";
import { requireSession } from "../auth/sessions.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { readCampaign, readEditableCampaign } from "../campaigns/read.ts";
import type { EdgeContext } from "../context.ts";
import { csvAnswer, FILE_FIELD, formBody, jsonAnswer, refusals } from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { HttpError } from "../http/http_error.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { readConsentField } from "../lawful/consent.ts";
import { importContacts } from "./import_contacts.ts";
import { listImports } from "./list_imports.ts";
import { manualBody, readManualBody } from "./manual_body.ts";
import { readUpload } from "./read_upload.ts";
import { rejectedCsv } from "./rejected_rows.ts";
import { takeOutImport } from "./take_out_import.ts";

const importParams = campaignIdParam.extend({ importId: idParams.shape.id });

/** POST /api/campaigns/{id}/contacts and …/contacts/manual, and the rejected rows. */
export function contactRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts",
        operationId: "addContactsFile",
        summary: "Adds the numbers of a CSV file or a workbook",
        middleware: requireDuty("writer"),
        request: { params: campaignIdParam, body: uploadBody },
        responses: {
          200: jsonAnswer(uploadResultSchema, "What was added, and what was not"),
          ...refusals(...ADD_REFUSALS, "file_infected", "not_ready"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const campaign = await readEditableCampaign(ctx, user, c.req.valid("param").id);
        using upload = await readUpload(ctx, user, c.req.raw);
        const { fileName, file, form } = upload;
        const declared = { consent: readConsentField(form), user: user.person };
        const { result } = await importContacts(
          ctx,
          campaign,
          { fileName, file },
          declared,
          c.req.raw.signal,
        );
        return c.json(result, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts/manual",
        operationId: "addContacts",
        summary: "Adds numbers pasted by hand",
        middleware: requireDuty("writer"),
        request: { params: campaignIdParam, body: manualBody },
        responses: {
          200: jsonAnswer(uploadResultSchema, "What was added, and what was not"),
          ...refusals(...ADD_REFUSALS),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const { numbers, consent } = await readManualBody(c.req.raw);
        // Check after the body, which may take long: a session that ended meanwhile changes nothing.
        const [campaign] = await Promise.all([
          readEditableCampaign(ctx, user, c.req.valid("param").id),
          requireSession(ctx, user),
        ]);
        const declared = { consent, user: user.person };
        const { result } = await importContacts(
          ctx,
          campaign,
          { fileName: "", numbers },
          declared,
          c.req.raw.signal,
        );
        return c.json(result, 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/imports",
        operationId: "listImports",
        summary: "What was added to a campaign, newest first",
        middleware: requireUser(),
        request: { params: campaignIdParam, query: pageQuery },
        responses: {
          200: jsonAnswer(importPageSchema, "A page"),
          ...refusals("invalid_input", "not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const campaign = await readCampaign(ctx, c.get("user"), c.req.valid("param").id);
        return c.json(await listImports(ctx, campaign.id, c.req.valid("query")), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/campaigns/{id}/imports/{importId}",
        operationId: "takeOutImport",
        summary: "Takes what one import added out of a draft or ready campaign",
        middleware: requireDuty("writer"),
        request: { params: importParams },
        responses: {
          204: { description: "Taken out" },
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
      async (c) => {
        const { id, importId } = c.req.valid("param");
        const { client } = await readEditableCampaign(ctx, c.get("user"), id);
        await takeOutImport(ctx, { importId, campaign: id, client });
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/imports/{importId}/rejected.csv",
        operationId: "exportRejectedRows",
        summary: "The rows of an upload that hold no valid number",
        middleware: requireUser(),
        request: { params: importParams },
        responses: {
          200: csvAnswer,
          ...refusals("invalid_input", "not_logged_in", "not_found"),
        },
      }),
      async (c) => {
        const { id, importId } = c.req.valid("param");
        const campaign = await readCampaign(ctx, c.get("user"), id);
        const { rows } = await ctx.db.execute({
          sql: "SELECT 1 FROM imports WHERE id = ? AND campaign = ?",
          args: [importId, campaign.id],
        });
        if (rows.length === 0) throw new HttpError("not_found");
        const data = { what: "rejected", import: importId };
        await writeAudit(ctx, { kind: "exported", actor: c.get("user").person, data });
        return c.body(
          await rejectedCsv(ctx, c.get("user"), importId),
          200,
          csvHeaders(`rejected-${importId}.csv`),
        );
      },
    );
}

const ADD_REFUSALS = [
  "invalid_input",
  "no_valid_contacts",
  "not_logged_in",
  "not_allowed",
  "not_found",
  "campaign_not_editable",
  "import_running",
  "contacts_full",
  "body_too_large",
  "unsupported_media",
] as const;

const uploadBody = formBody({
  file: FILE_FIELD,
  sheet: { type: "string", description: "Of a workbook: the number of a sheet, from 1" },
  consent: { type: "string", description: "JSON, as of the numbers pasted by hand" },
}, ["file"]);
