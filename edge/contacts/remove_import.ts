/**
 * Ends an import that failed or whose process died: removes its contacts and unlocks the campaign. A campaign that the
 * import was creating as a copy is deleted: half a list would look like a whole one.
 */
import type { InStatement } from "@libsql/client/web";
import { campaignChanged } from "../events/changed_event.ts";
import { deleteEmptyDraft } from "../campaigns/remove.ts";
import type { EdgeContext } from "../context.ts";
import { errorSentence } from "../text/error_text.ts";
import { rowsAs } from "../db/query.ts";
import { campaigns, imports } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, writeBatch } from "../db/write_batch.ts";
import { turnLoop } from "../time/turn_loop.ts";

export interface RunningImport {
  importId: number;
  campaign: number;
  client: number;
}

/** A running import stops by itself after this long without progress. */
export const IMPORT_GIVES_UP_MS = 30_000;
/** No other edge ends it earlier. The gap between the two limits allows for different clocks of two servers. */
const IMPORT_IS_DEAD_MS = 60_000;
/** Rows looked at, deleted or emptied in one commit. */
export const SLICE = 2_000;

// Newest first: while an import runs, all its rows are the campaign's newest.
const DELETE = `DELETE FROM deliveries WHERE id IN (
  SELECT id FROM deliveries WHERE campaign = :campaign AND state = 'queued' AND not_before = 0 AND import = :importId
  ORDER BY id DESC LIMIT ${SLICE})`;
const COUNT =
  `UPDATE campaigns SET queued_count = queued_count - ${ROWS_OF_STEP_BEFORE} WHERE id = :campaign`;
// The values that it gave to numbers which were there without any. A sent row keeps what it was sent with.
export const EMPTY_FILLED = `UPDATE deliveries SET fields = NULL, fields_import = NULL WHERE id IN (
  SELECT id FROM deliveries WHERE fields_import = :importId AND campaign = :campaign AND state IN ('queued', 'skipped')
  LIMIT ${SLICE})`;
const DROP_LEFT_OUT = `DELETE FROM unconsented WHERE rowid IN (
  SELECT rowid FROM unconsented WHERE campaign = :campaign AND import = :importId LIMIT ${SLICE})`;
// Only for a copy: contacts who asked to be removed while it ran. In another campaign they stay, as skipped.
const IS_COPY = "(SELECT makes_campaign FROM imports WHERE id = :importId)";
const DELETE_SKIPPED = `DELETE FROM deliveries WHERE id IN (
  SELECT id FROM deliveries
  WHERE campaign = :campaign AND state = 'skipped' AND state <> 'queued' AND import = :importId AND ${IS_COPY}
  LIMIT ${SLICE})`;
const COUNT_SKIPPED =
  `UPDATE campaigns SET skipped_count = skipped_count - ${ROWS_OF_STEP_BEFORE} WHERE id = :campaign`;
const FIND_COPY = `SELECT image FROM campaigns WHERE id = :campaign AND ${IS_COPY}`;
const FAIL = `UPDATE imports SET status = 'error', error = :error, updated_at = :now
  WHERE id = :importId AND status = 'processing'`;
const RELEASE = `UPDATE campaigns SET running_import = NULL, updated_at = :now
  WHERE id = :campaign AND running_import = :importId`;
const DEAD = `SELECT imports.id, campaign, client FROM imports JOIN campaigns ON campaigns.id = campaign
  WHERE imports.status = 'processing' AND background = 0 AND imports.updated_at < :now - ${IMPORT_IS_DEAD_MS} LIMIT 1`;

/** Removes the rows that a running import added and ends it as failed; `error` is the sentence shown to its owner. */
export async function removeImport(ctx: EdgeContext, running: RunningImport, error: string): Promise<void> {
  while (await removeSlice(ctx, running, error)) await turnLoop();
}

/**
 * Removes one slice of an import whose process died; returns 0 when there is none. Background tasks may call it from
 * any edge and stop it anywhere.
 */
export async function removeDeadImports(ctx: EdgeContext): Promise<number> {
  const found = await ctx.db.execute(statement(DEAD, { now: ctx.now() }));
  const [dead] = rowsAs(found, { importId: imports.id, campaign: campaigns.id, client: campaigns.client });
  if (dead === undefined) return 0;
  await removeSlice(ctx, dead, errorSentence("internal"));
  return 1;
}

/** Returns whether more rows remain. */
async function removeSlice(ctx: EdgeContext, running: RunningImport, error: string): Promise<boolean> {
  if (await removeRows(ctx, running)) return true;
  const { skipped, copies } = await writeBatch(ctx.db, {
    skipped: statement(DELETE_SKIPPED, { ...running }),
    skippedCounted: rightAfter("skipped", statement(COUNT_SKIPPED, { ...running })),
    copies: statement(FIND_COPY, { ...running }),
  });
  if (skipped.rowsAffected === SLICE) return true;
  const args = { ...running, error, now: ctx.now() };
  const [copy] = rowsAs(copies, { image: campaigns.image });
  await ctx.db.batch([
    statement(FAIL, args),
    statement(RELEASE, args),
    ...(copy === undefined ? [] : deleteEmptyDraft({ id: running.campaign, ...copy })),
    importProgress(args, 0, true),
    campaignChanged(args.now, { id: running.campaign, client: running.client }),
  ], "write");
  ctx.wakeOutbox();
  return false;
}

/**
 * Removes some of the contacts and values that an import added, while its campaign is locked; returns whether more
 * remain.
 */
export async function removeRows(
  ctx: EdgeContext,
  running: Pick<RunningImport, "importId" | "campaign">,
): Promise<boolean> {
  const { deleted, emptied, dropped } = await writeBatch(ctx.db, {
    deleted: statement(DELETE, { ...running }),
    deletedCounted: rightAfter("deleted", statement(COUNT, { ...running })),
    emptied: statement(EMPTY_FILLED, { ...running }),
    dropped: statement(DROP_LEFT_OUT, { ...running }),
  });
  return [deleted, emptied, dropped].some(({ rowsAffected }) => rowsAffected === SLICE);
}

/** Returns the progress event of an import. */
export function importProgress(
  args: { importId: number; campaign: number | null; client: number | null; now: number },
  rows: number,
  isDone: boolean,
): InStatement {
  return {
    sql:
      `INSERT INTO events (at, type, client, for_admins, campaign, data) VALUES (?, 'import_progress', ?, 1, ?, ?)`,
    args: [
      args.now,
      args.client,
      args.campaign,
      JSON.stringify({ campaignId: args.campaign, importId: args.importId, rows, done: isDone }),
    ],
  };
}
