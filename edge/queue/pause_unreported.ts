/**
 * Pauses campaigns whose lost time no site can report to a restored database. Sites remember sent messages for
 * ARCHIVE_MS, in the journal that sent them. With an older backup, or with another journal, nobody knows the people
 * reached in the lost time.
 */
import type { Client, Transaction } from "@libsql/client/web";
import { ARCHIVE_MS } from "shared/lease.ts";
import { countOf } from "../text/hebrew_count.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { alertEvents } from "../events/alert.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { rowsAs } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** Key of `system`: JSON with the last moment whose sent messages the backup knew, and its last campaign. */
const LOST_TIME_KEY = "lost_time";
/** Key of `system`: that moment alone, which stays when the other row is deleted. */
export const REACHED_SINCE_KEY = "reached_since";
/** An attempt is archived a little before or after its report, and clocks differ. */
const MARGIN_MS = 24 * 60 * 60_000;
// Reads the newest rows, not the greatest times: a clock that ran ahead for a while left times in the future. Ignores
// the audit's own row of a restore that was killed and started again.
const NEWEST = `(SELECT max(at) FROM (
  SELECT * FROM (SELECT at FROM events ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT * FROM (SELECT at FROM activity ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT * FROM (SELECT at FROM audit_log WHERE kind <> 'database_restored' ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT last_seen_at FROM sites
  UNION ALL SELECT updated_at FROM campaigns) WHERE at <= :now)`;
// An edge that ran on the old database before anybody noticed has written to it, but leased nothing from it.
const LAST_LEASED_DAY =
  `(SELECT unixepoch(format('%d-%02d-%02d', day / 10000, day / 100 % 100, day % 100), '+1 day') * 1000
  FROM (SELECT max(day) AS day FROM account_days))`;
// A site that still owes the outcomes of an earlier restore reports the time since that one.
const NOTE = `INSERT INTO system (key, value)
  SELECT '${LOST_TIME_KEY}', json_object('since', min(newest, coalesce(${LAST_LEASED_DAY}, newest)),
    'lastCampaign', (SELECT coalesce(max(id), 0) FROM campaigns))
  FROM (SELECT coalesce(${NEWEST}, 0) AS newest) WHERE true
  ON CONFLICT (key) DO UPDATE SET value = iif(${OUTCOMES_OWED},
    json_set(excluded.value, '$.since', min(value->>'since', excluded.value->>'since')), excluded.value)`;
const NOTE_REACHED_SINCE = `INSERT INTO system (key, value)
  SELECT '${REACHED_SINCE_KEY}', value->>'since' FROM system WHERE key = '${LOST_TIME_KEY}'
  ON CONFLICT (key) DO UPDATE SET value = iif(${OUTCOMES_OWED},
    min(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER)), excluded.value)`;
const LOST = (field: "since" | "lastCampaign") =>
  `(SELECT value->>'${field}' FROM system WHERE key = '${LOST_TIME_KEY}')`;
const IS_FORGOTTEN = `SELECT 1 WHERE ${LOST("since")} < :now - ${ARCHIVE_MS - MARGIN_MS}`;
// Campaigns that their clients had paused may have continued in the lost time: an administrator decides about them as
// well.
const PAUSE = `UPDATE campaigns SET status = 'paused', paused_by = 'admin', updated_at = :now
  WHERE status IN ('processing', 'active', 'paused') AND paused_by IS NOT 'admin'
    AND queued_count + leased_count > 0 AND id <= ${LOST("lastCampaign")}
  RETURNING id`;
// Pause once only: a person who resumes the campaign has read the reason.
const DONE = `DELETE FROM system WHERE key = '${LOST_TIME_KEY}'`;

/**
 * Stores up to which moment a restored database knows the sent messages. Call it before the new generation, which
 * every site owes, and before any other write to the copy.
 */
export async function noteLostTime(db: Client, now: number): Promise<void> {
  await db.batch([statement(NOTE, { now }), statement(NOTE_REACHED_SINCE, {})], "write");
}

/** Works as pauseUnreported() does, if the backup is older than the sites' memory. */
export async function pauseForgotten(tx: Transaction, now: number): Promise<number> {
  const { rows } = await tx.execute(statement(IS_FORGOTTEN, { now }));
  return rows.length === 0 ? 0 : await pauseUnreported(tx, now);
}

/**
 * Pauses the campaigns that may have been sent in the lost time by a site that cannot report it; returns how many.
 * They wait until an administrator lets them go on; an alert gives the reason.
 */
export async function pauseUnreported(tx: Transaction, now: number): Promise<number> {
  const rows = rowsAs(await tx.execute(statement(PAUSE, { now })), { id: campaigns.id });
  const note = { kind: "campaign_paused", actor: null, data: { reason: "sent_unknown" } } as const;
  await tx.batch([
    statement(DONE, {}),
    ...rows.map(({ id }) => noteAudit(now, { ...note, campaign: id })),
    ...(rows.length > 0 ? alertEvents({ code: "restore_untold", message: sentence(rows.length) }, now) : []),
  ]);
  return rows.length;
}

/** Returns the line about these campaigns for the operator of a restore. */
export function forgottenLine(campaigns: number): string {
  return `The backup is older than what sites remember. Campaigns that may have been sent since are paused: ${campaigns}.`;
}

function sentence(campaigns: number): string {
  return `המערכת שוחזרה מגיבוי, והאתרים כבר לא זוכרים את כל מה שנשלח אחריו. ${
    countOf(campaigns, "campaign")
  } ${
    campaigns === 1 ? "הושהה" : "הושהו"
  }: ייתכן שחלק מהנמענים כבר קיבלו את ההודעה. יש לבדוק למי כבר נשלח, ורק אז להמשיך.`;
}
