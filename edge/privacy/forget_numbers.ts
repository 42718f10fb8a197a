/** Forgets a campaign's numbers some time after its end; the outcomes and the cost stay. */
import { and, eq, isNull } from "drizzle-orm";
import { readSettings } from "../settings/fleet_settings.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { query, rowsAs } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { forgetConsents } from "../lawful/forget_consents.ts";
import { statement } from "../db/statement.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Some tenths of a second of writing. */
const SLICE = 2_000;

// A cancelled campaign may wait a day for a site's report: leased rows keep their numbers.
const DUE = `SELECT id FROM campaigns WHERE completed_at < :before AND completed_at IS NOT NULL
  AND forgotten_at IS NULL AND status IN ('completed', 'completed_with_errors', 'failed', 'cancelled')
  AND leased_count = 0 ORDER BY completed_at LIMIT 1`;
const NEXT = `SELECT id FROM deliveries WHERE campaign = :campaign AND phone > 0 LIMIT ${SLICE}`;
// A resend meanwhile has opened the campaign again and needs the number.
const OF_SLICE = `d.id IN (SELECT value FROM json_each(:ids)) AND d.phone > 0 AND d.state <> 'leased'
  AND (SELECT completed_at FROM campaigns c WHERE c.id = d.campaign) IS NOT NULL`;
/** The history first: it is found by the number that the delivery still has, and gets the same alias. */
const TRAILS = ["attempts", "resends"].map((table) =>
  `UPDATE ${table} SET phone = -d.id FROM deliveries d
    WHERE ${OF_SLICE} AND ${table}.campaign = d.campaign AND ${table}.phone = d.phone`
);
/** A later campaign's sender stays until that campaign is forgotten. */
const DROP_SENDERS = `DELETE FROM senders WHERE (client, phone, campaign) IN (
    SELECT c.client, d.phone, d.campaign FROM deliveries d JOIN campaigns c ON c.id = d.campaign WHERE ${OF_SLICE})`;
// The caller's word for a message may name its recipient.
const FORGET_REFERENCES = `UPDATE messages SET reference = NULL WHERE reference IS NOT NULL
  AND delivery IN (SELECT d.id FROM deliveries d WHERE ${OF_SLICE})`;
const FORGET = `UPDATE deliveries AS d SET phone = -id, fields = NULL WHERE ${OF_SLICE}`;
const DROP_FILES =
  `DELETE FROM import_chunks WHERE import IN (SELECT id FROM imports WHERE campaign = :campaign)`;
const DROP_LEFT_OUT = `DELETE FROM unconsented WHERE rowid IN (
  SELECT rowid FROM unconsented WHERE campaign = :campaign LIMIT ${SLICE})`;
const COUNT = "json_object('count', (SELECT count(*) FROM deliveries WHERE campaign = ? AND phone < 0))";
// Longer than the longest look-back that the frequency cap can have.
const DROP_RECIPIENTS = `DELETE FROM recipients WHERE rowid IN (
  SELECT rowid FROM recipients WHERE last_marketing_at < :before LIMIT ${SLICE})`;
// The suppression list keeps the decision itself.
const DROP_REPLIES = `DELETE FROM replies WHERE rowid IN (
  SELECT rowid FROM replies WHERE received_at < :before LIMIT ${SLICE})`;

/**
 * Forgets one slice of the campaign that is overdue longest; returns 0 when there is none. Any instance may call it at
 * any time.
 */
export async function forgetNumbers(ctx: EdgeContext): Promise<number> {
  const { retentionDays, frequencyCapDays } = await readSettings(ctx);
  const now = ctx.now();
  const before = now - retentionDays * DAY_MS;
  const [due] = rowsAs(await ctx.db.execute(statement(DUE, { before })), { id: campaigns.id });
  if (due !== undefined) return await forgetSlice(ctx, due.id, now);
  const { rowsAffected: replies } = await ctx.db.execute(statement(DROP_REPLIES, { before }));
  if (replies > 0) return replies;
  const recipientsBefore = now - Math.max(retentionDays, frequencyCapDays) * DAY_MS;
  const dropped = await ctx.db.execute(statement(DROP_RECIPIENTS, { before: recipientsBefore }));
  return dropped.rowsAffected || await forgetConsents(ctx, before);
}

async function forgetSlice(ctx: EdgeContext, campaign: number, now: number): Promise<number> {
  const { rows } = await ctx.db.execute(statement(NEXT, { campaign }));
  if (rows.length > 0) {
    const ids = JSON.stringify(rows.map(({ id }) => id));
    await ctx.db.batch(
      [...TRAILS, DROP_SENDERS, FORGET_REFERENCES, FORGET].map((sql) => statement(sql, { ids })),
      "write",
    );
    return rows.length;
  }
  const { rowsAffected: leftOut } = await ctx.db.execute(statement(DROP_LEFT_OUT, { campaign }));
  if (leftOut === SLICE) return leftOut;
  const dataSql = { sql: COUNT, args: [campaign] };
  const note = { kind: "numbers_forgotten" as const, actor: null, campaign, dataSql };
  await writeBatch(ctx.db, {
    filesDropped: statement(DROP_FILES, { campaign }),
    finished: query.update(campaigns).set({ forgottenAt: now })
      .where(and(eq(campaigns.id, campaign), isNull(campaigns.forgottenAt))),
    audited: rightAfter("finished", noteAudit(now, note, STEP_BEFORE_CHANGED)),
  });
  return 1;
}
