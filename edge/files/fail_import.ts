import { campaignChanged } from "../events/changed_event.ts";
import { importProgress, removeRows } from "../contacts/remove_import.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import type { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { turnLoop } from "../time/turn_loop.ts";

/** SQL: this claim holds. */
export const MINE = "id = :importId AND worker = :worker AND status = 'processing'";
// Runs first, and again with each slice. If this process dies, the next instance starts at the top of the list. While
// it lives, no other instance adds the rows that it is about to remove.
const BEGIN_ANEW =
  `UPDATE imports SET taken = 0, added = 0, suppressed = 0, without_consent = 0, updated_at = :now WHERE ${MINE}`;
const FAIL =
  `UPDATE imports SET status = 'error', worker = NULL, error = :error, updated_at = :now WHERE ${MINE}`;
const FREE = `UPDATE campaigns SET running_import = NULL, updated_at = :now
  WHERE ${STEP_BEFORE_CHANGED} AND id = :campaign`;

/** Ends a file as failed: removes its contacts and unlocks its campaign. Numbers it suppressed stay suppressed. */
export async function failImport(ctx: EdgeContext, claimed: ClaimedImport, cause: HttpError): Promise<void> {
  const { importId, campaign, client, worker } = claimed;
  const args = () => ({ importId, campaign, worker, error: cause.body.error, now: ctx.now() });
  for (let isFirst = true;; isFirst = false) {
    if (!isFirst) await turnLoop();
    if ((await ctx.db.execute(statement(BEGIN_ANEW, args()))).rowsAffected === 0) return;
    if (campaign === null || !await removeRows(ctx, { importId, campaign })) break;
  }
  const now = ctx.now();
  await writeBatch(ctx.db, {
    failed: statement(FAIL, args()),
    campaignFreed: rightAfter("failed", statement(FREE, args())),
    progressEvent: importProgress({ importId, campaign, client, now }, 0, true),
    campaignEvent: campaign === null ? undefined : campaignChanged(now, { id: campaign, client: client! }),
  });
  ctx.wakeOutbox();
}

/** A claimed import. */
export interface ClaimedImport {
  importId: number;
  /** Null = the suppression list. */
  campaign: number | null;
  client: number | null;
  /** The name of this claim. */
  worker: string;
  /** How many numbers of the list are done. */
  taken: number;
}
