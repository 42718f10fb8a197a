/** A database's generation: random, made once, renewed when a backup is restored. */
import type { EdgeContext } from "../context.ts";
import { OLDER_DATABASE } from "../queue/older_database.ts";
import { randomHex } from "../keys/random_hex.ts";
import { execute, query } from "../db/query.ts";
import { system } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readSystemValue } from "../db/system_value.ts";

/** More than an installation ever restores; the oldest are forgotten first. */
const MOST_EARLIER = 100;
const RENEW =
  "INSERT INTO system (key, value) VALUES ('generation', :value) ON CONFLICT (key) DO UPDATE SET value = :value";
// If a generation was ended on purpose, its marks do not mean that the database was put back unnoticed.
const KEEP_EARLIER = `INSERT OR REPLACE INTO system (key, value)
  SELECT 'earlier_generations', json_group_array(value) FROM (
    SELECT value FROM system WHERE key = 'generation'
    UNION ALL SELECT e.value FROM system s JOIN json_each(s.value) e WHERE s.key = 'earlier_generations'
    LIMIT ${MOST_EARLIER})`;
const NO_OLDER_DATABASE = `DELETE FROM system WHERE key = '${OLDER_DATABASE}'`;
// Sites remember campaigns by number: a new campaign must not get the number of a lost one. SQLite stores no number
// for a table that never had rows.
const BEGIN_NUMBERS = `INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_master
  WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)`;
// Excludes the audit log: a gap in it means that a row was removed.
const SKIP_LOST_NUMBERS =
  "UPDATE sqlite_sequence SET seq = seq + CAST(:skipped AS INTEGER) WHERE name <> 'audit_log'";
// One that was called off in the lost time must not start.
const HOLD_PLANS =
  "UPDATE campaigns SET plan_hold = 'restored', updated_at = :now WHERE status = 'scheduled'";
const HOLD_SERIES = "UPDATE series SET hold = 'restored', updated_at = :now WHERE ended_at IS NULL";
// One that was taken back in the lost time must not hold.
const FORGET_APPROVALS = `UPDATE campaigns SET revision = revision + 1
  WHERE status IN ('draft', 'ready', 'scheduled') AND id IN (SELECT campaign FROM approvals)`;
// A new connection must not get the epoch of a lost one either. Open connections end, and learn of the new
// generation.
const SKIP_LOST_EPOCHS = "UPDATE sites SET epoch = epoch + :skipped";

/** Returns the generation of this database; creates it when there is none. */
export async function readGeneration(ctx: EdgeContext): Promise<string> {
  const generation = await readSystemValue(ctx.db, "generation");
  if (generation !== null) return generation;
  const made = { key: "generation", value: randomHex(ctx, 16) };
  await execute(ctx.db, query.insert(system).values(made).onConflictDoNothing());
  return await readGeneration(ctx);
}

/**
 * Call this after restoring a backup: nothing is leased until every site has reported the lost time, and every plan
 * and every repeat waits for a person.
 */
export async function renewGeneration(ctx: Pick<EdgeContext, "db" | "now" | "randomBytes">): Promise<void> {
  // The same backup may be restored twice, and the numbers used in between are lost too.
  const [high, low] = ctx.randomBytes(2);
  const args = { value: randomHex(ctx, 16), skipped: 1_000_000 * (1 + high * 256 + low), now: ctx.now() };
  const steps = [
    KEEP_EARLIER,
    NO_OLDER_DATABASE,
    RENEW,
    BEGIN_NUMBERS,
    SKIP_LOST_NUMBERS,
    SKIP_LOST_EPOCHS,
    HOLD_PLANS,
    HOLD_SERIES,
    FORGET_APPROVALS,
  ];
  await ctx.db.batch(steps.map((sql) => statement(sql, args)), "write");
}
