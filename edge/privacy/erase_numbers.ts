/**
 * Removes the numbers of started erasures from every table as their deliveries settle, and then from the file itself.
 */
import type { Transaction } from "@libsql/client/web";
import { and, eq, isNotNull } from "drizzle-orm";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { execute, query, toStatement } from "../db/query.ts";
import { erasures } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { skipAgain } from "../queue/suppress.ts";
import { eraseContact } from "../people/remove_contacts.ts";
import { blockNumber } from "./blocked.ts";
import { eraseFromFiles } from "./erase_from_files.ts";
import { scrubDatabase } from "./scrub_database.ts";
import { WAS_SUPPRESSED } from "./start_erasure.ts";

type Counts = Record<string, number>;

/** Every subscriber has read an event long before this age. */
const EVENT_READ_MS = 60_000;
/** Replaces a number within a text. */
const GONE = "•••";

const INCOMPLETE = "SELECT 1 FROM erasures WHERE done_at IS NULL LIMIT 1";
const UNSCRUBBED = "SELECT id FROM erasures WHERE database_at IS NOT NULL AND scrubbed_at IS NULL LIMIT 1";
/** One campaign at a time: no index covers the numbers of all campaigns. */
const IN_ANY_CAMPAIGN = "campaign IN (SELECT id FROM campaigns) AND phone = :phone";
/** A delivery without its number gets its id below zero as an alias, still unique within a campaign. */
const ALIAS = (table: string) =>
  `coalesce((SELECT -d.id FROM deliveries d WHERE d.campaign = ${table}.campaign AND d.phone = :phone), -${table}.rowid)`;
/** After a restore a site may still report a message to this person: under its alias the row would not be found. */
const NO_OUTCOMES_OWED = `NOT ${OUTCOMES_OWED}`;
const SETTLED = (table: string) =>
  `${IN_ANY_CAMPAIGN} AND ${NO_OUTCOMES_OWED} AND NOT EXISTS (SELECT 1 FROM deliveries d
    WHERE d.campaign = ${table}.campaign AND d.phone = :phone AND d.state = 'leased')`;
// The history first: it is found by the number that the delivery still has.
const RENAME: Record<string, string> = {
  attempts: `UPDATE attempts SET phone = ${ALIAS("attempts")} WHERE ${SETTLED("attempts")}`,
  resends: `UPDATE resends SET phone = ${ALIAS("resends")} WHERE ${SETTLED("resends")}`,
  deliveries:
    `UPDATE deliveries SET phone = -id, fields = NULL WHERE ${IN_ANY_CAMPAIGN} AND ${NO_OUTCOMES_OWED} AND state <> 'leased'`,
};
/**
 * Deletes the notes about campaigns whose row has its alias by now. A later message must not be left for a sender, and
 * the note would name a row that is no longer found. By client, because no index covers the numbers of all clients.
 */
const FORGET_SENDERS = `DELETE FROM senders WHERE client IN (SELECT id FROM users) AND phone = :phone
  AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.campaign = senders.campaign AND d.phone = :phone)`;
// A test to oneself that has not ended may have the person's values beside another number.
const TEST_VALUES = `UPDATE deliveries SET fields = NULL WHERE fields IS NOT NULL AND campaign IN (
  SELECT t.id FROM campaigns t WHERE t.test_of IS NOT NULL
    AND EXISTS (SELECT 1 FROM deliveries d WHERE d.campaign = t.test_of AND d.phone = :phone))`;
// A site that has such a test has its text, and finds it by no number of the person: it is asked when that is gone.
const TEST_AT_SITE = `SELECT 1 FROM campaigns t WHERE t.test_of IS NOT NULL
  AND EXISTS (SELECT 1 FROM deliveries x WHERE x.campaign = t.id AND x.state = 'leased')
  AND EXISTS (SELECT 1 FROM deliveries d WHERE d.campaign = t.test_of AND d.phone = :phone) LIMIT 1`;
const STILL_LEASED = `SELECT 1 FROM deliveries WHERE ${IN_ANY_CAMPAIGN} AND state = 'leased' LIMIT 1`;
/** Every other table with such a column, of this release or a later one. */
const OTHER_TABLES = `SELECT DISTINCT t.name FROM sqlite_schema t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND c.name = 'phone' AND t.name NOT IN ('deliveries', 'attempts', 'resends', 'erasures', 'contacts', 'list_members', 'contact_keys')`;
const TEXTS: Record<string, string> = {
  activity: `UPDATE activity SET data = replace(data, :digits, '${GONE}') WHERE instr(data, :digits) > 0`,
  commands:
    `UPDATE commands SET detail = replace(detail, :digits, '${GONE}') WHERE instr(detail, :digits) > 0`,
  accounts: `UPDATE accounts SET own_number = NULL WHERE own_number = '+' || :digits`,
  events: "DELETE FROM events WHERE instr(data, :digits) > 0 AND at <= :readBefore",
};
// After a restore, a site that still owes reports may name the number again.
const YOUNG_EVENT = `SELECT 1 FROM events WHERE instr(data, :digits) > 0
  UNION ALL SELECT 1 WHERE ${OUTCOMES_OWED} LIMIT 1`;
// A revoked site no longer answers.
const COMPLETE = `UPDATE erasures SET done_at = :now
  WHERE done_at IS NULL AND database_at IS NOT NULL AND (scrubbed_at IS NOT NULL OR :isRemote)
    AND NOT EXISTS (SELECT 1 FROM erasure_sites o JOIN sites s ON s.id = o.site
      WHERE o.erasure = erasures.id AND o.answered_at IS NULL AND s.revoked = 0)`;

/** Continues every started erasure, then rewrites the file for the finished ones. Runs as one slice of a tick. */
export async function eraseNumbers(ctx: EdgeContext): Promise<void> {
  // Usually there is none, and this read takes no lock.
  if ((await ctx.db.execute(INCOMPLETE)).rows.length === 0) return;
  for (let at = 0;;) {
    const { rows: [erasure] } = await execute(
      ctx.db,
      query.select({ id: erasures.id, phone: erasures.phone }).from(erasures)
        .where(isNotNull(erasures.phone)).orderBy(erasures.id).limit(1).offset(at),
    );
    if (erasure === undefined) break;
    // A finished one is no longer in the list.
    if (!await eraseNumber(ctx, erasure.id, erasure.phone!)) at++;
  }
  if ((await ctx.db.execute(UNSCRUBBED)).rows.length > 0) await scrubDatabase(ctx);
  await ctx.db.execute(statement(COMPLETE, { now: ctx.now(), isRemote: ctx.db.protocol !== "file" }));
}

/** Returns whether the number is gone from every table. */
async function eraseNumber(ctx: EdgeContext, id: number, phone: number): Promise<boolean> {
  const now = ctx.now();
  return await inTransaction(ctx.db, async (tx) => {
    const args = { phone, digits: String(phone), readBefore: now - EVENT_READ_MS };
    const { rows: [begun] } = await execute(
      tx,
      query.select({ removed: erasures.removed }).from(erasures)
        .where(and(eq(erasures.id, id), isNotNull(erasures.phone))),
    );
    // Another instance, or the request that started the erasure, has finished it meanwhile.
    if (begun === undefined) return true;
    const removed: Counts = JSON.parse(begun.removed);
    const count = (table: string, rows: number) => {
      if (rows > 0) removed[table] = (removed[table] ?? 0) + rows;
    };
    // Skip deliveries that a site gave back to the queue meanwhile: under an alias they would be leased without a valid
    // number.
    await tx.batch(skipAgain(phone, now));
    const run = async (statements: Record<string, string>) => {
      for (const [table, sql] of Object.entries(statements)) {
        count(table, (await tx.execute(statement(sql, args))).rowsAffected);
      }
    };
    await tx.execute(statement(TEST_VALUES, args));
    // Under its alias the row would no longer lead to the test.
    const isAtSite = await finds(tx, TEST_AT_SITE, args);
    if (!isAtSite) await run({ ...RENAME, senders: FORGET_SENDERS });
    // Lists need not wait for a site.
    for (const [table, rows] of Object.entries(await eraseContact(tx, phone))) count(table, rows);
    // The statements below scan everything and block all writers. Skip them while a silent site still holds a row,
    // otherwise they would repeat every few seconds.
    let isWaiting = isAtSite || await finds(tx, STILL_LEASED, args);
    if (!isWaiting) {
      await run(TEXTS);
      const files = await eraseFromFiles(tx, phone);
      count("import_chunks", files.removed);
      isWaiting = files.isWaiting || await finds(tx, YOUNG_EVENT, args);
    }
    // Until then the suppression keeps the number from being leased or added again.
    if (!isWaiting) {
      // The person asked for removal while the erasure was still waiting.
      if (await finds(tx, WAS_SUPPRESSED, args)) {
        const blocked = query.update(erasures).set({ blocked: true }).where(eq(erasures.id, id));
        await tx.batch([blockNumber(ctx, phone), toStatement(blocked)]);
      }
      for (const [table, rows] of await eraseFromOthers(tx, phone)) count(table, rows);
    }
    const finished = isWaiting ? {} : { phone: null, databaseAt: now };
    await execute(
      tx,
      query.update(erasures).set({ removed: JSON.stringify(removed), ...finished }).where(
        eq(erasures.id, id),
      ),
    );
    return !isWaiting;
  });
}

async function finds(tx: Transaction, sql: string, args: Record<string, number | string>): Promise<boolean> {
  return (await tx.execute(statement(sql, args))).rows.length > 0;
}

async function eraseFromOthers(tx: Transaction, phone: number): Promise<[string, number][]> {
  const counts: [string, number][] = [];
  for (const { name } of (await tx.execute(OTHER_TABLES)).rows) {
    const { rowsAffected } = await tx.execute({
      sql: `DELETE FROM "${name}" WHERE phone = ?`,
      args: [phone],
    });
    counts.push([String(name), rowsAffected]);
  }
  return counts;
}
