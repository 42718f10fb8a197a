import type { z } from "zod";
import type { CampaignImport, ImportPage, pageQuery } from "shared/http_api.ts";
import { getTableColumns } from "drizzle-orm";
import type { EdgeContext } from "../context.ts";
import { condition, type RowAs, rowsAs } from "../db/query.ts";
import { imports } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

const HAS_REJECTED = "EXISTS (SELECT 1 FROM import_chunks k WHERE k.import = i.id AND k.kind = 'rejected')";
// A failed import added nothing: its reason was the answer to the upload. Only its rejected rows are still of use.
const LIST = `SELECT i.*, ${HAS_REJECTED} AS "hasRejected" FROM imports i
  WHERE i.campaign = :campaign AND i.id < :before AND i.removed_at IS NULL
    AND (i.status <> 'error' OR ${HAS_REJECTED})
  ORDER BY i.id DESC LIMIT :limit`;
const FIELDS = { ...getTableColumns(imports), hasRejected: condition };

/** Returns a page of what was added to a campaign, newest first, without what was taken out again. */
export async function listImports(
  ctx: EdgeContext,
  campaign: number,
  { cursor, limit }: z.infer<typeof pageQuery>,
): Promise<ImportPage> {
  const args = { campaign, before: cursor ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 };
  const rows = rowsAs(await ctx.db.execute(statement(LIST, args)), FIELDS);
  const items = rows.slice(0, limit).map(viewImport);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

function viewImport(row: RowAs<typeof FIELDS>): CampaignImport {
  const { id, fileName, status, error, added, duplicates, invalid, suppressed, withoutConsent } = row;
  return {
    id,
    source: row.makesCampaign ? "copy" : row.choice !== null ? "lists" : fileName === "" ? "typed" : "file",
    fileName,
    status,
    error,
    at: row.createdAt,
    column: row.columnNo === null ? null : { no: row.columnNo, name: row.columnName },
    added,
    duplicates,
    invalid,
    suppressed,
    withoutConsent,
    hasRejected: row.hasRejected,
  };
}
