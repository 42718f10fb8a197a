import { eq } from "drizzle-orm";
import { withoutNumbers } from "shared/without_numbers.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { system } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { ScanError } from "./clamd_answer.ts";

const NO_VERDICT = "אי אפשר לבדוק כרגע שהקובץ בטוח, ולכן הוא לא נקלט. אפשר לנסות שוב בעוד רגע.";
const MAX_NAME_CHARS = 200;
/** Key in `system`: since when clamd gives no verdict. edge/admin/alerts.ts reports it. */
export const SCAN_SILENT_SINCE = "scan_silent_since";

/**
 * Scans an uploaded file before other code reads or keeps it. Without a configured scanner every file passes.
 *
 * @throws {HttpError} `file_infected`, which is audited; `not_ready` when there is no verdict
 */
export async function scanUpload(
  ctx: EdgeContext,
  user: Pick<Caller, "person">,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<void> {
  const found = await verdictOn(ctx, bytes);
  if (found === null) return;
  const file = withoutNumbers(name.slice(0, MAX_NAME_CHARS));
  ctx.log.warn("file_infected", { found, user: user.person });
  await writeAudit(ctx, { kind: "file_infected", actor: user.person, data: { file, found } });
  throw new HttpError("file_infected", { detail: found });
}

async function verdictOn(ctx: EdgeContext, bytes: Uint8Array): Promise<string | null> {
  if (ctx.scan === undefined) return null;
  try {
    const { found } = await ctx.scan(bytes);
    await execute(ctx.db, query.delete(system).where(eq(system.key, SCAN_SILENT_SINCE)));
    return found;
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    ctx.log.error("scan_failed", { error: error.message });
    const silent = { key: SCAN_SILENT_SINCE, value: String(ctx.now()) };
    await execute(ctx.db, query.insert(system).values(silent).onConflictDoNothing({ target: system.key }));
    throw new HttpError("not_ready", { text: NO_VERDICT, cause: error, headers: { "retry-after": "5" } });
  }
}
