/** The demonstration site that `deno task start` brings up by itself. */
import { createJoinToken } from "../agents/join_token.ts";
import { createSite } from "../agents/create_site.ts";
import type { EdgeContext } from "../context.ts";

export const EMBEDDED_SITE_NAME = "אתר הדגמה";

/**
 * A fresh join token for the demonstration site, which is made when it is missing; null once a machine has
 * enrolled as it, or when it was revoked.
 */
export async function embeddedSiteToken(ctx: EdgeContext): Promise<string | null> {
  const { rows: [site] } = await ctx.db.execute({
    sql: "SELECT id, public_key IS NOT NULL OR revoked AS is_closed FROM sites WHERE name = ?",
    args: [EMBEDDED_SITE_NAME],
  });
  if (site?.is_closed) return null;
  const token = site
    ? await createJoinToken(ctx, Number(site.id))
    : await createSite(ctx, EMBEDDED_SITE_NAME);
  return token.joinToken;
}
