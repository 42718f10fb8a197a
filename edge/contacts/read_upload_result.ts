import type { UploadResult } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, rowsAs } from "../db/query.ts";
import { importChunks, imports } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";
import type { RejectedRow } from "./contact_list.ts";
import { PROBLEMS_SHOWN } from "./import_contacts.ts";

const READ = `SELECT i.id, i.added, i.duplicates, i.invalid, i.suppressed, i.without_consent, k.bytes
  FROM imports i LEFT JOIN import_chunks k ON k.import = i.id AND k.kind = 'rejected' AND k.no = 0
  WHERE i.id = ? AND i.status = 'completed'`;

/**
 * Returns the result of a completed upload again; its rejected rows as far as they are kept.
 *
 * @throws {HttpError} `not_found` when it was taken out again
 */
export async function readUploadResult(ctx: EdgeContext, importId: number): Promise<UploadResult> {
  const { id, added, duplicates, invalid, suppressed, withoutConsent } = imports;
  const [row] = rowsAs(await ctx.db.execute({ sql: READ, args: [importId] }), {
    ...{ id, added, duplicates, invalid, suppressed, withoutConsent },
    bytes: orNull(importChunks.bytes),
  });
  if (row === undefined) throw new HttpError("not_found");
  const rejected: RejectedRow[] = row.bytes === null ? [] : JSON.parse(new TextDecoder().decode(row.bytes));
  return {
    importId: row.id,
    total: row.added,
    duplicatesRemoved: row.duplicates,
    invalid: row.invalid,
    suppressed: row.suppressed,
    withoutConsent: row.withoutConsent,
    problems: rejected.slice(0, PROBLEMS_SHOWN),
  };
}
