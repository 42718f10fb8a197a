/** The demonstration site that `deno task start` starts by itself. */
import { createJoinToken } from "../sites/join_token.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { statement } from "../db/statement.ts";

export const EMBEDDED_SITE_NAME = "אתר הדגמה";

const MAKE = `INSERT INTO sites (name, created_at, simulated) VALUES (:name, :now, 1)
  ON CONFLICT (name) DO UPDATE SET simulated = 1`;
const LOOK = "SELECT id, public_key IS NOT NULL OR revoked AS is_closed FROM sites WHERE name = :name";

/**
 * Returns a new join token for the demonstration site, and makes the site when it is missing. Returns null when a
 * machine has enrolled as it, or when it was revoked. Instances that start together each get a valid token: the first
 * use of one ends the others.
 */
export async function embeddedSiteToken(ctx: EdgeContext): Promise<string | null> {
  const args = { name: EMBEDDED_SITE_NAME, now: ctx.now() };
  const { look: { rows: [site] } } = await writeBatch(ctx.db, {
    made: statement(MAKE, args),
    look: statement(LOOK, args),
  });
  if (site.is_closed) return null;
  return (await createJoinToken(ctx, Number(site.id), { keepOlder: true })).joinToken;
}
