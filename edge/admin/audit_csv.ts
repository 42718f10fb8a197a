import type { AuditFilter } from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";
import { BYTE_ORDER_MARK, csvLine, csvTime } from "../http/csv.ts";
import { readAudit } from "./list_audit.ts";

const HEADER = ["שורה", "מועד", "סוג", "מי", "מה", "חותם"];
const PAGE = 1_000;

/** Streams the rows that pass the filter, newest first, page by page as the reader takes them. */
export function auditCsv(ctx: EdgeContext, filter: AuditFilter): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let before = Number.MAX_SAFE_INTEGER;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvLine(HEADER)));
    },
    async pull(controller) {
      const rows = await readAudit(ctx, filter, { before, limit: PAGE });
      const lines = rows.map(({ id, at, kind, actorName, text, hash }) =>
        csvLine([String(id), csvTime(at), kind, actorName ?? "", text, hash ?? ""])
      );
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (rows.length < PAGE) controller.close();
      else before = rows.at(-1)!.id;
    },
  });
}
