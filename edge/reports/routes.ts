/** Reports of campaigns: on the screen, and as files. */
import { createRoute } from "@hono/zod-openapi";
import { reportQuerySchema, reportSchema } from "shared/report_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { requireUser } from "../auth/require_user.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { findNumberView, isMasked } from "../campaigns/number_views.ts";
import { readCampaign } from "../campaigns/read.ts";
import type { EdgeContext } from "../context.ts";
import { csvAnswer, jsonAnswer, refusals } from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { createRouter, type SessionUser } from "../http/router.ts";
import { tableCsv, tableXlsx, xlsxAnswer, xlsxHeaders } from "./export_table.ts";
import { readReport } from "./read_report.ts";
import { recipientTable, reportTable } from "./report_table.ts";

const REFUSALS = refusals("invalid_input", "not_logged_in", "not_found", "too_many_attempts");
const request = { params: campaignIdParam, query: reportQuerySchema };

/** Routes of a campaign's report, and of its recipients with English column names. */
export function reportRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/report",
        operationId: "readReport",
        summary: "What came of a campaign: by outcome and reason, time, hour, a field, and earlier campaigns",
        middleware: requireUser(),
        request,
        responses: { 200: jsonAnswer(reportSchema, "The report"), ...REFUSALS },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const options = { ...c.req.valid("query"), left: c.req.raw.signal };
        return c.json(await readReport(ctx, c.get("user"), id, options), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/report.csv",
        operationId: "exportReport",
        summary: "The figures of the report; English column names, Hebrew headings below them",
        middleware: requireUser(),
        request,
        responses: { 200: csvAnswer, ...REFUSALS },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const table = await figures(c.get("user"), id, { ...c.req.valid("query"), left: c.req.raw.signal });
        return c.body(tableCsv(table), 200, csvHeaders(`report-${id}.csv`));
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/report.xlsx",
        operationId: "exportReportWorkbook",
        summary: "The figures of the report as a workbook",
        middleware: requireUser(),
        request,
        responses: { 200: xlsxAnswer, ...REFUSALS },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const table = await figures(c.get("user"), id, { ...c.req.valid("query"), left: c.req.raw.signal });
        return c.body(tableXlsx(table), 200, xlsxHeaders(`report-${id}.xlsx`));
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/recipients.csv",
        operationId: "exportRecipients",
        summary: "Every recipient with codes, words and times with their zone",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: { 200: csvAnswer, ...REFUSALS },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const table = await recipients(c.get("user"), id);
        return c.body(tableCsv(table), 200, csvHeaders(`recipients-${id}.csv`));
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/recipients.xlsx",
        operationId: "exportRecipientsWorkbook",
        summary: "The same as a workbook",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: { 200: xlsxAnswer, ...REFUSALS },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const table = await recipients(c.get("user"), id);
        return c.body(tableXlsx(table), 200, xlsxHeaders(`recipients-${id}.xlsx`));
      },
    );

  async function figures(
    user: SessionUser,
    id: number,
    options: { field?: string | undefined; left: AbortSignal },
  ) {
    const report = await readReport(ctx, user, id, options);
    await noteExport(user, id, { what: "report" });
    return reportTable(report, user.role);
  }

  async function recipients(user: SessionUser, id: number) {
    const campaign = await readCampaign(ctx, user, id);
    const masked = isMasked(user, campaign, await ctx.db.execute(findNumberView(ctx, user, id)));
    await noteExport(user, id, { what: "deliveries", masked });
    return recipientTable(ctx, user, campaign, masked);
  }

  async function noteExport(user: SessionUser, campaign: number, data: Record<string, string | boolean>) {
    await writeAudit(ctx, { kind: "exported", actor: user.id, campaign, data });
  }
}
