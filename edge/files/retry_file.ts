import type { FileItem } from "shared/admin_api.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { readFileItem } from "./list_files.ts";
import { MAY_TAKE, refusal } from "./queue_file.ts";

// No row = it did not fail, its bytes are gone, or its campaign accepts no file now.
const QUEUE = `UPDATE imports SET status = 'queued', error = NULL, worker = NULL, taken = 0, total_rows = 0,
    processed_rows = 0, added = 0, duplicates = 0, invalid = 0, suppressed = 0, without_consent = 0, started_at = NULL,
    removed_at = NULL, updated_at = :now
  WHERE id = :id AND status = 'error'
    AND EXISTS (SELECT 1 FROM import_chunks k WHERE k.import = imports.id AND k.kind = 'raw')
    AND (campaign IS NULL OR EXISTS (SELECT 1 FROM campaigns WHERE id = imports.campaign AND ${MAY_TAKE}))`;
const HOLD = `UPDATE campaigns SET running_import = :id, updated_at = :now
  WHERE ${STEP_BEFORE_CHANGED} AND id = (SELECT campaign FROM imports WHERE id = :id)`;

/**
 * Queues a failed file again.
 *
 * @throws {HttpError} `not_found`; `invalid_input` when there is nothing to retry; `campaign_not_editable`,
 * `import_running`
 */
export async function retryFile(ctx: EdgeContext, id: number): Promise<FileItem> {
  const args = { id, now: ctx.now() };
  const { queued } = await writeBatch(ctx.db, {
    queued: statement(QUEUE, args),
    campaignHeld: rightAfter("queued", statement(HOLD, args)),
  });
  const item = await readFileItem(ctx, id);
  if (queued.rowsAffected === 1) return item;
  if (item.canRetry && item.target.kind === "campaign") {
    throw await refusal(ctx.db, item.target.campaignId);
  }
  throw new HttpError("invalid_input", {
    text: "אפשר לנסות שוב רק קובץ שנכשל ועדיין שמור. נא להעלות אותו מחדש.",
  });
}
