/** Taking back what was not sent yet: the contacts of a campaign, or all of it. */
import type { InStatement } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { CampaignRow } from "../db/schema.ts";

/** Contacts deleted in one commit; a larger statement would hold up every other request. */
const CHUNK = 500;

/** Phones may have written in the time a restored database has lost: whoever were loaded again would be told twice. */
const NOBODY_REACHED = "sent_count + unknown_count + failed_count = 0";
/** So far as it got: no contact of it may be sent to before the last is gone. */
const IS_TAKEN_BACK = `status = 'draft' AND running_import IS NULL AND ${NOBODY_REACHED}`;

/**
 * Removes every contact of a draft or ready campaign, which then is a draft.
 *
 * @throws {HttpError} `import_running` while contacts are being added, `campaign_not_editable` once it was sent
 */
export async function removeContacts(ctx: EdgeContext, campaign: CampaignRow): Promise<void> {
  for (;;) {
    // Before the first as well: twenty of these at once would begin with twenty slices in one turn.
    await turnLoop();
    const now = ctx.now();
    const [drafted, queued, , skipped, , leftOut] = await ctx.db.batch([
      {
        // Before the first row goes: a campaign that loses its contacts must not be sent with the rest.
        sql: `UPDATE campaigns SET status = 'draft', updated_at = ?
          WHERE id = ? AND status IN ('draft', 'ready') AND running_import IS NULL AND ${NOBODY_REACHED}`,
        args: [now, campaign.id],
      },
      ...removeSome(campaign, "queued"),
      // They asked to be removed since they were added.
      ...removeSome(campaign, "skipped"),
      {
        sql: `DELETE FROM unconsented WHERE rowid IN (SELECT rowid FROM unconsented WHERE campaign = (
          SELECT id FROM campaigns WHERE id = ? AND ${IS_TAKEN_BACK}) LIMIT ?)`,
        args: [campaign.id, CHUNK],
      },
      campaignChanged(now, campaign),
    ], "write");
    ctx.wakeOutbox();
    if (drafted!.rowsAffected !== 1) throw await refusal(ctx, campaign.id);
    if (Math.max(queued!.rowsAffected, skipped!.rowsAffected, leftOut!.rowsAffected) < CHUNK) return;
  }
}

/** Each of the two asks an index of its own. */
const WHICH = { queued: "state = 'queued' ORDER BY phone", skipped: "state <> 'queued'" };

function removeSome(campaign: CampaignRow, state: "queued" | "skipped"): InStatement[] {
  return [
    {
      sql: `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries
        WHERE campaign = (SELECT id FROM campaigns WHERE id = ? AND ${IS_TAKEN_BACK}) AND ${
        WHICH[state]
      } LIMIT ?)`,
      args: [campaign.id, CHUNK],
    },
    {
      sql: `UPDATE campaigns SET ${state}_count = ${state}_count - changes() WHERE id = ?`,
      args: [campaign.id],
    },
  ];
}

/**
 * Deletes a draft or ready campaign, its contacts, what is kept of its files, and its image when no other campaign uses
 * it.
 *
 * @throws {HttpError} as removeContacts()
 */
export async function deleteCampaign(ctx: EdgeContext, campaign: CampaignRow): Promise<void> {
  await removeContacts(ctx, campaign);
  const [, , deleted] = await ctx.db.batch([
    ...deleteEmptyDraft(campaign),
    campaignChanged(ctx.now(), campaign),
  ], "write");
  ctx.wakeOutbox();
  if (deleted?.rowsAffected !== 1) throw await refusal(ctx, campaign.id);
}

/**
 * Statements for one transaction, the third of which deletes the campaign: nothing is done to one that has contacts,
 * was sent or is held by an import.
 */
export function deleteEmptyDraft({ id, image }: Pick<CampaignRow, "id" | "image">): InStatement[] {
  const isEmptyDraft = `${IS_TAKEN_BACK} AND queued_count + skipped_count = 0`;
  const itsImports = `campaign = (SELECT id FROM campaigns WHERE id = ? AND ${isEmptyDraft})`;
  return [
    {
      sql: `DELETE FROM import_chunks WHERE import IN (SELECT id FROM imports WHERE ${itsImports})`,
      args: [id],
    },
    { sql: `DELETE FROM imports WHERE ${itsImports}`, args: [id] },
    { sql: `DELETE FROM campaigns WHERE id = ? AND ${isEmptyDraft}`, args: [id] },
    {
      sql:
        "DELETE FROM images WHERE sha256 = ? AND sha256 NOT IN (SELECT image FROM campaigns WHERE image = ?)",
      args: [image, image],
    },
  ];
}

async function refusal(ctx: EdgeContext, id: number): Promise<HttpError> {
  const { rows } = await ctx.db.execute({
    sql: "SELECT status, running_import FROM campaigns WHERE id = ?",
    args: [id],
  });
  const row = rows[0];
  if (!row) return new HttpError("not_found");
  return new HttpError(row.running_import === null ? "campaign_not_editable" : "import_running");
}
