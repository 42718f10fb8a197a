/** Deletes unsent work: the contacts of a campaign, or the whole campaign. */
import type { InStatement } from "@libsql/client/web";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { campaignChanged } from "../events/changed_event.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";

/** Contacts deleted in one commit; a larger statement would delay all other requests. */
const CHUNK = 500;

/**
 * SQL: no recipient was reached. A restored database may have lost sends: loading those contacts again would message
 * them twice.
 */
const NOBODY_REACHED = "sent_count + unknown_count + failed_count = 0";
/** SQL: the campaign is a draft while its contacts are deleted, so none can be sent before the last is gone. */
const IS_TAKEN_BACK = `status = 'draft' AND running_import IS NULL AND ${NOBODY_REACHED}`;

/**
 * Removes every contact of a draft or ready campaign and makes it a draft.
 *
 * @throws {HttpError} `import_running` while contacts are being added, `campaign_not_editable` after it was sent
 */
export async function removeContacts(ctx: EdgeContext, campaign: CampaignRow): Promise<void> {
  for (;;) {
    // Yield before the first slice too: twenty simultaneous calls would otherwise run twenty slices in one turn.
    await turnLoop();
    const now = ctx.now();
    const { drafted, queued, skipped, leftOut } = await writeBatch(ctx.db, {
      // Set the draft status before the first row goes: a campaign with missing contacts must not be sent.
      drafted: query.update(campaigns).set({ status: "draft", updatedAt: now }).where(and(
        eq(campaigns.id, campaign.id),
        inArray(campaigns.status, EDITABLE_STATUSES),
        isNull(campaigns.runningImport),
        sql.raw(NOBODY_REACHED),
      )),
      queued: removeSome(campaign, "queued"),
      queuedCounted: rightAfter("queued", countRemoved(campaign, "queued")),
      // Contacts who asked to be removed after they were added.
      skipped: removeSome(campaign, "skipped"),
      skippedCounted: rightAfter("skipped", countRemoved(campaign, "skipped")),
      leftOut: {
        sql: `DELETE FROM unconsented WHERE rowid IN (SELECT rowid FROM unconsented WHERE campaign = (
          SELECT id FROM campaigns WHERE id = ? AND ${IS_TAKEN_BACK}) LIMIT ?)`,
        args: [campaign.id, CHUNK],
      },
      importsEmptied: {
        sql: `UPDATE imports SET removed_at = ? WHERE campaign = (
          SELECT id FROM campaigns WHERE id = ? AND ${IS_TAKEN_BACK} AND queued_count + skipped_count = 0)
          AND removed_at IS NULL AND status IN ('completed', 'error')`,
        args: [now, campaign.id],
      },
      event: campaignChanged(now, campaign),
    });
    ctx.wakeOutbox();
    if (drafted.rowsAffected !== 1) throw await refusal(ctx, campaign.id);
    if (Math.max(queued.rowsAffected, skipped.rowsAffected, leftOut.rowsAffected) < CHUNK) return;
  }
}

/** Each of the two uses its own index. */
const WHICH = { queued: "state = 'queued' ORDER BY phone", skipped: "state <> 'queued'" };

function removeSome(campaign: CampaignRow, state: keyof typeof WHICH): InStatement {
  return {
    sql: `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries
      WHERE campaign = (SELECT id FROM campaigns WHERE id = ? AND ${IS_TAKEN_BACK}) AND ${
      WHICH[state]
    } LIMIT ?)`,
    args: [campaign.id, CHUNK],
  };
}

function countRemoved(campaign: CampaignRow, state: keyof typeof WHICH): InStatement {
  return {
    sql: `UPDATE campaigns SET ${state}_count = ${state}_count - ${ROWS_OF_STEP_BEFORE} WHERE id = ?`,
    args: [campaign.id],
  };
}

/**
 * Deletes a draft or ready campaign, its contacts, the records of its files, and its image when no other campaign uses
 * it.
 *
 * @throws {HttpError} as removeContacts()
 */
export async function deleteCampaign(ctx: EdgeContext, campaign: CampaignRow): Promise<void> {
  await removeContacts(ctx, campaign);
  const { deleted } = await writeBatch(ctx.db, {
    ...stepsOfDeleting(campaign),
    event: campaignChanged(ctx.now(), campaign),
  });
  ctx.wakeOutbox();
  if (deleted.rowsAffected !== 1) throw await refusal(ctx, campaign.id);
}

/**
 * Returns statements for one transaction. They change nothing if the campaign has contacts, was sent, or has a running
 * import.
 */
export function deleteEmptyDraft(draft: Pick<CampaignRow, "id" | "image">): InStatement[] {
  return Object.values(stepsOfDeleting(draft));
}

function stepsOfDeleting({ id, image }: Pick<CampaignRow, "id" | "image">) {
  const isEmptyDraft = `${IS_TAKEN_BACK} AND queued_count + skipped_count = 0`;
  const itsImports = `campaign = (SELECT id FROM campaigns WHERE id = ? AND ${isEmptyDraft})`;
  return {
    filesDeleted: {
      sql: `DELETE FROM import_chunks WHERE import IN (SELECT id FROM imports WHERE ${itsImports})`,
      args: [id],
    },
    importsDeleted: { sql: `DELETE FROM imports WHERE ${itsImports}`, args: [id] },
    textsDeleted: {
      sql:
        `DELETE FROM variants WHERE campaign = (SELECT id FROM campaigns WHERE id = ? AND ${isEmptyDraft})`,
      args: [id],
    },
    deleted: { sql: `DELETE FROM campaigns WHERE id = ? AND ${isEmptyDraft}`, args: [id] },
    imageForgotten: {
      sql:
        `DELETE FROM images WHERE sha256 = ? AND sha256 NOT IN (SELECT image FROM campaigns WHERE image = ?)
          AND sha256 NOT IN (SELECT image FROM saved_messages WHERE image = ?)`,
      args: [image, image, image],
    },
  };
}

async function refusal(ctx: EdgeContext, id: number): Promise<HttpError> {
  const { rows: [row] } = await execute(
    ctx.db,
    query.select({ runningImport: campaigns.runningImport }).from(campaigns).where(eq(campaigns.id, id)),
  );
  if (!row) return new HttpError("not_found");
  return new HttpError(row.runningImport === null ? "campaign_not_editable" : "import_running");
}
