/** Takes out of an unsent campaign exactly the contacts that one import added. */
import type { InStatement } from "@libsql/client/web";
import { campaignChanged } from "../events/changed_event.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { condition, orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { campaigns, imports } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { EMPTY_FILLED, importProgress, type RunningImport, SLICE } from "./remove_import.ts";

/** A removal without progress for this long belongs to a process that is dead; another edge goes on with it. */
const REMOVAL_IS_DEAD_MS = 60_000;

// The campaign is locked as while an import runs: it is neither sent nor changed until the last contact is out. After
// a restore some contacts may have been reached; taken out and loaded again, they would be messaged twice.
const HOLD = `UPDATE campaigns SET running_import = :importId, updated_at = :now
  WHERE id = :campaign AND status IN ('draft', 'ready') AND running_import IS NULL AND test_of IS NULL
    AND sent_count + unknown_count + failed_count = 0
    AND EXISTS (SELECT 1 FROM imports WHERE id = :importId AND campaign = :campaign AND removed_at IS NULL
      AND status IN ('completed', 'error'))`;
const MARK = `UPDATE imports SET removed_at = :now, removing = 1, updated_at = :now
  WHERE ${STEP_BEFORE_CHANGED} AND id = :importId`;
const LOOK = `SELECT running_import AS "runningImport", EXISTS (SELECT 1 FROM imports
    WHERE id = :importId AND campaign = :campaign AND removed_at IS NULL) AS "isListed"
  FROM campaigns WHERE id = :campaign`;
const BEAT = "UPDATE imports SET updated_at = :now WHERE id = :importId AND removing";
const IS_HELD = "(SELECT running_import FROM campaigns WHERE id = :campaign) = :importId";

/** The rows of a campaign that an import may have added, newest first, and the counter of each kind. */
const KINDS = {
  queued: {
    slice: `SELECT id AS key, import FROM deliveries
      WHERE campaign = :campaign AND state = 'queued' AND not_before = 0 AND id < :before ORDER BY id DESC LIMIT ${SLICE}`,
    drop: (slice: string) =>
      `DELETE FROM deliveries WHERE id IN (SELECT key FROM (${slice}) WHERE import = :importId) AND ${IS_HELD}`,
    count: "queued_count",
  },
  // Contacts who asked to be removed after they were added. The index of states holds no queued row, and SQLite uses
  // it only for a condition that says so.
  skipped: {
    slice: `SELECT id AS key, import FROM deliveries
      WHERE campaign = :campaign AND state = 'skipped' AND state <> 'queued' AND id < :before
      ORDER BY id DESC LIMIT ${SLICE}`,
    drop: (slice: string) =>
      `DELETE FROM deliveries WHERE id IN (SELECT key FROM (${slice}) WHERE import = :importId) AND ${IS_HELD}`,
    count: "skipped_count",
  },
  // A trigger counts these.
  leftOut: {
    slice: `SELECT phone AS key, import FROM unconsented
      WHERE campaign = :campaign AND phone < :before ORDER BY phone DESC LIMIT ${SLICE}`,
    drop: (slice: string) =>
      `DELETE FROM unconsented WHERE campaign = :campaign
        AND phone IN (SELECT key FROM (${slice}) WHERE import = :importId) AND ${IS_HELD}`,
    count: null,
  },
} as const;

const RELEASE = `UPDATE campaigns SET running_import = NULL, updated_at = :now,
    status = CASE WHEN queued_count = 0 THEN 'draft' ELSE status END
  WHERE id = :campaign AND running_import = :importId`;
const END = "UPDATE imports SET removing = 0, updated_at = :now WHERE id = :importId AND removing";
const DROP_REJECTED = "DELETE FROM import_chunks WHERE import = :importId AND kind = 'rejected'";
const DEAD = `SELECT imports.id, campaign, client FROM imports JOIN campaigns ON campaigns.id = campaign
  WHERE removing AND imports.updated_at < :now - ${REMOVAL_IS_DEAD_MS} LIMIT 1`;

/**
 * Takes out the contacts of one import, and of no other, in slices, and the values that it gave to earlier ones. A
 * number that another import repeated came in once, with the first of them. The declaration of consent stays. Its caller
 * may leave: the rest would stay in the campaign.
 *
 * @throws {HttpError} `not_found` when the campaign has no such import; `campaign_not_editable` after it was sent;
 * `import_running` while an import runs or another is being taken out
 */
export async function takeOutImport(ctx: EdgeContext, running: RunningImport): Promise<void> {
  const args = { ...running, now: ctx.now() };
  const { held, look } = await writeBatch(ctx.db, {
    held: statement(HOLD, args),
    marked: rightAfter("held", statement(MARK, args)),
    look: statement(LOOK, args),
    event: campaignChanged(args.now, { id: running.campaign, client: running.client }),
  });
  if (held.rowsAffected === 0) {
    const [found] = rowsAs(look, { runningImport: orNull(campaigns.runningImport), isListed: condition });
    if (!found?.isListed) throw new HttpError("not_found");
    throw new HttpError(found.runningImport === null ? "campaign_not_editable" : "import_running");
  }
  ctx.wakeOutbox();
  await takeOutRows(ctx, running);
}

/**
 * Ends one removal whose process died; returns 0 when there is none. Background tasks may call it from any edge and
 * stop it anywhere.
 */
export async function endDeadRemovals(ctx: EdgeContext): Promise<number> {
  const found = await ctx.db.execute(statement(DEAD, { now: ctx.now() }));
  const [dead] = rowsAs(found, { importId: imports.id, campaign: campaigns.id, client: campaigns.client });
  if (dead === undefined) return 0;
  await takeOutRows(ctx, dead);
  return 1;
}

async function takeOutRows(ctx: EdgeContext, running: RunningImport): Promise<void> {
  for (;;) {
    const args = { ...running, now: ctx.now() };
    const { emptied } = await writeBatch(ctx.db, {
      beat: statement(BEAT, args),
      emptied: statement(`${EMPTY_FILLED} AND ${IS_HELD}`, args),
    });
    if (emptied.rowsAffected < SLICE) break;
    await turnLoop();
  }
  for (const kind of Object.values(KINDS)) {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const args = { ...running, before, now: ctx.now() };
      const { looked } = await writeBatch(ctx.db, {
        beat: statement(BEAT, args),
        looked: statement(`SELECT count(*) AS count, min(key) AS first FROM (${kind.slice})`, args),
        dropped: statement(kind.drop(kind.slice), args),
        counted: kind.count === null ? undefined : rightAfter("dropped", countDown(kind.count, args)),
      });
      const [{ count, first }] = rowsAs(looked, { count: wholeNumber, first: orNull(imports.id) });
      if (count < SLICE) break;
      before = first!;
      await turnLoop();
    }
  }
  const args = { ...running, now: ctx.now() };
  await writeBatch(ctx.db, {
    released: statement(RELEASE, args),
    ended: statement(END, args),
    rejectedDropped: statement(DROP_REJECTED, args),
    progressEvent: importProgress(args, 0, true),
    changeEvent: campaignChanged(args.now, { id: running.campaign, client: running.client }),
  });
  ctx.wakeOutbox();
}

function countDown(column: string, { campaign }: RunningImport): InStatement {
  return statement(
    `UPDATE campaigns SET ${column} = ${column} - ${ROWS_OF_STEP_BEFORE} WHERE id = :campaign`,
    { campaign },
  );
}
