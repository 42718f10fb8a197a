/** Taking back what was not sent yet: the contacts of a campaign, or all of it. */
import type { InStatement } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { campaignChanged } from "./changed_event.ts";
import type { CampaignRow } from "./read.ts";

/** Contacts deleted in one commit; a larger statement would hold up every other request. */
const CHUNK = 5_000;

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
    const now = ctx.now();
    const [drafted, queued, , skipped] = await ctx.db.batch([
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
        sql: `DELETE FROM unconsented WHERE campaign = (
          SELECT id FROM campaigns WHERE id = ? AND ${IS_TAKEN_BACK})`,
        args: [campaign.id],
      },
      campaignChanged(now, campaign),
    ], "write");
    ctx.wakeOutbox();
    if (drafted!.rowsAffected !== 1) throw await refusal(ctx, campaign.id);
    if (queued!.rowsAffected + skipped!.rowsAffected < CHUNK) return;
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
  const isEmptyDraft = `${IS_TAKEN_BACK} AND queued_count + skipped_count = 0`;
  const itsImports = `campaign = (SELECT id FROM campaigns WHERE id = ? AND ${isEmptyDraft})`;
  const [, , deleted] = await ctx.db.batch([
    {
      sql: `DELETE FROM import_chunks WHERE import IN (SELECT id FROM imports WHERE ${itsImports})`,
      args: [campaign.id],
    },
    { sql: `DELETE FROM imports WHERE ${itsImports}`, args: [campaign.id] },
    { sql: `DELETE FROM campaigns WHERE id = ? AND ${isEmptyDraft}`, args: [campaign.id] },
    {
      sql:
        "DELETE FROM images WHERE sha256 = ? AND sha256 NOT IN (SELECT image FROM campaigns WHERE image = ?)",
      args: [campaign.image, campaign.image],
    },
    campaignChanged(ctx.now(), campaign),
  ], "write");
  ctx.wakeOutbox();
  if (deleted?.rowsAffected !== 1) throw await refusal(ctx, campaign.id);
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
