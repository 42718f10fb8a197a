/** A database's generation: random, made once, renewed when a backup is restored. */
import type { EdgeContext } from "../context.ts";
import { randomHex } from "../queue/random_hex.ts";
import { statement } from "../queue/statement.ts";

const MAKE = "INSERT INTO system (key, value) VALUES ('generation', :value) ON CONFLICT (key) DO NOTHING";
const RENEW =
  "INSERT INTO system (key, value) VALUES ('generation', :value) ON CONFLICT (key) DO UPDATE SET value = :value";
// Sites remember campaigns by number: one made from now on must not get the number of a lost one.
const SKIP_LOST_NUMBERS = "UPDATE sqlite_sequence SET seq = seq + 1000000";
const READ = "SELECT value FROM system WHERE key = 'generation'";

/** The generation of this database, made now when it has none. */
export async function readGeneration(ctx: EdgeContext): Promise<string> {
  const { rows: [row] } = await ctx.db.execute(READ);
  if (row !== undefined) return String(row.value);
  await ctx.db.execute(statement(MAKE, { value: randomHex(ctx, 16) }));
  return await readGeneration(ctx);
}

/** Call after restoring a backup: nothing is leased until every site has told what it did in the lost time. */
export async function renewGeneration(ctx: EdgeContext): Promise<void> {
  await ctx.db.batch([statement(RENEW, { value: randomHex(ctx, 16) }), SKIP_LOST_NUMBERS], "write");
}
