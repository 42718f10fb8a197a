import type { AuditFilter } from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";
import { csvStream, csvTime } from "../http/csv.ts";
import { readAudit } from "./list_audit.ts";

const HEADER = ["שורה", "מועד", "סוג", "מי", "מה", "חותם"];
const PAGE = 1_000;

/** Streams the rows that pass the filter, newest first, page by page as the reader takes them. */
export function auditCsv(ctx: EdgeContext, filter: AuditFilter): ReadableStream<Uint8Array<ArrayBuffer>> {
  let before = Number.MAX_SAFE_INTEGER;
  return csvStream(HEADER, async () => {
    const page = await readAudit(ctx, filter, { before, limit: PAGE });
    before = page.at(-1)?.id ?? before;
    const rows = page.map(({ id, at, kind, actorName, text, hash }) => [
      String(id),
      csvTime(at),
      kind,
      actorName ?? "",
      text,
      hash ?? "",
    ]);
    return { rows, isLast: page.length < PAGE };
  });
}
