/** Monthly statements of clients. */
import { createRoute } from "@hono/zod-openapi";
import { statementMailSchema, statementQuerySchema, statementSchema } from "shared/statement_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { csvAnswer, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { HttpError } from "../http/http_error.ts";
import { createRouter, type SessionUser } from "../http/router.ts";
import { tableCsv, tableXlsx, xlsxAnswer, xlsxHeaders } from "./export_table.ts";
import { readStatement } from "./read_statement.ts";
import { chooseStatementMail } from "./statement_mail.ts";
import { statementTable } from "./statement_table.ts";

const REFUSALS = refusals("invalid_input", "not_logged_in", "not_found", "too_many_attempts");
const request = { query: statementQuerySchema };

/** Routes under /api/statement. */
export function statementRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/statement",
        operationId: "readStatement",
        summary: "The caller's month: campaigns, units, ledger; an administrator reads that of `client`",
        middleware: requireUser(),
        request,
        responses: { 200: jsonAnswer(statementSchema, "The statement"), ...REFUSALS },
      }),
      async (c) => {
        const { month, client } = c.req.valid("query");
        const found = await readStatement(ctx, clientOf(c.get("user"), client), month, c.req.raw.signal);
        return c.json(found, 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/statement.csv",
        operationId: "exportStatement",
        summary: "The statement for a spreadsheet; English column names, Hebrew headings below them",
        middleware: requireUser(),
        request,
        responses: { 200: csvAnswer, ...REFUSALS },
      }),
      async (c) => {
        const { month, client } = c.req.valid("query");
        const { found, table } = await exported(c.get("user"), client, month, c.req.raw.signal);
        return c.body(tableCsv(table), 200, csvHeaders(`statement-${found.month}.csv`));
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/statement.xlsx",
        operationId: "exportStatementWorkbook",
        summary: "The statement as a workbook",
        middleware: requireUser(),
        request,
        responses: { 200: xlsxAnswer, ...REFUSALS },
      }),
      async (c) => {
        const { month, client } = c.req.valid("query");
        const { found, table } = await exported(c.get("user"), client, month, c.req.raw.signal);
        return c.body(tableXlsx(table), 200, xlsxHeaders(`statement-${found.month}.xlsx`));
      },
    )
    .openapi(
      createRoute({
        method: "put",
        path: "/api/statement/mail",
        operationId: "chooseStatementMail",
        summary: "Where the caller's statement of each month goes by e-mail; null = nowhere",
        middleware: requireUser(),
        request: { body: jsonBody(statementMailSchema) },
        responses: {
          200: jsonAnswer(statementMailSchema, "As saved"),
          ...refusals("invalid_input", "not_logged_in"),
        },
      }),
      async (c) => {
        const { email } = c.req.valid("json");
        await chooseStatementMail(ctx, c.get("user").id, email);
        return c.json({ email }, 200);
      },
    );

  async function exported(user: SessionUser, client: number | undefined, month?: string, left?: AbortSignal) {
    const found = await readStatement(ctx, clientOf(user, client), month, left);
    const data = { what: "statement", month: found.month };
    await writeAudit(ctx, { kind: "exported", actor: user.id, user: found.client.id, data });
    return { found, table: statementTable(found) };
  }
}

/** Another client's statement does not exist for a client. */
function clientOf({ id, role }: SessionUser, client: number = id): number {
  if (role !== "admin" && client !== id) throw new HttpError("not_found");
  return client;
}
