/** The demonstration site that `deno task start` starts by itself. */
import { eq } from "drizzle-orm";
import { createJoinToken } from "../sites/join_token.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { writeBatch } from "../db/write_batch.ts";

export const EMBEDDED_SITE_NAME = "אתר הדגמה";

/**
 * Returns a new join token for the demonstration site, and makes the site when it is missing. Returns null when a
 * machine has enrolled as it, or when it was revoked. Instances that start together each get a valid token: the first
 * use of one ends the others.
 */
export async function embeddedSiteToken(ctx: EdgeContext): Promise<string | null> {
  const made = { name: EMBEDDED_SITE_NAME, createdAt: ctx.now(), simulated: true };
  const { id, name, publicKey, revoked } = sites;
  const { found: { rows: [site] } } = await writeBatch(ctx.db, {
    made: query.insert(sites).values(made)
      .onConflictDoUpdate({ target: name, set: { simulated: true } }),
    found: query.select({ id, publicKey, revoked }).from(sites).where(eq(name, EMBEDDED_SITE_NAME)),
  });
  if (site!.publicKey !== null || site!.revoked) return null;
  return (await createJoinToken(ctx, site!.id, { keepOlder: true })).joinToken;
}
