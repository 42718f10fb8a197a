/** The audit log for administrators: reading, export, and the check of its chain. */
import { createRoute } from "@hono/zod-openapi";
import { auditChainSchema, auditCsvQuerySchema, auditPageSchema, auditQuerySchema } from "shared/audit.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusals, csvAnswer, jsonAnswer } from "../http/answers.ts";
import { csvHeaders } from "../http/csv.ts";
import { createRouter } from "../http/router.ts";
import { auditCsv } from "./audit_csv.ts";
import { checkNow, readChain } from "../audit_log/check_tick.ts";
import { listAudit } from "./list_audit.ts";
import { writeAudit } from "../audit_log/note_audit.ts";

/** Returns GET /api/admin/audit, GET /api/admin/audit.csv and POST /api/admin/audit/check. */
export function auditRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/audit",
        operationId: "listAudit",
        summary: "Who did what, the newest first, and how the chain stood when it was last checked",
        middleware: requireAdmin(),
        request: { query: auditQuerySchema },
        responses: { 200: jsonAnswer(auditPageSchema, "A page"), ...adminRefusals },
      }),
      async (c) => c.json(await listAudit(ctx, c.req.valid("query")), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/audit.csv",
        operationId: "exportAudit",
        summary: "The same for a spreadsheet",
        middleware: requireAdmin(),
        request: { query: auditCsvQuerySchema },
        responses: { 200: csvAnswer, ...adminRefusals },
      }),
      async (c) => {
        const filter = c.req.valid("query");
        await writeAudit(ctx, {
          kind: "exported",
          actor: c.get("user").person,
          data: { what: "audit", filter },
        });
        return c.body(auditCsv(ctx, filter), 200, csvHeaders("audit.csv"));
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/audit/check",
        operationId: "checkAudit",
        summary: "Checks the chain now, for a few seconds; a long one is gone on with by a tick",
        middleware: requireAdmin(),
        responses: { 200: jsonAnswer(auditChainSchema, "How it stands"), ...adminRefusals },
      }),
      async (c) => {
        await checkNow(ctx);
        return c.json(await readChain(ctx), 200);
      },
    );
}
