import { and, eq } from "drizzle-orm";
import { decodeJwt, importJWK, type JWTPayload, jwtVerify } from "jose";
import { JOSEError } from "jose/errors";
import { AGENT_TOKEN_AUDIENCE, AGENT_TOKEN_MAX_AGE_MS } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** Two names of the only accepted algorithm (RFC 8037, RFC 9864); the token never chooses. */
const ALGORITHMS = ["EdDSA", "Ed25519"];
/** The site signs with the edge's clock, as it last received it. */
const CLOCK_TOLERANCE_MS = 5_000;
const MAX_JTI_CHARS = 64;
/** Stores a token this long after its end: another instance, whose clock is late, still accepts it. */
const CLOCKS_APART_MS = 60_000;

/** Stored tokens per site. An honest site uses a few per minute, and each is stored for some minutes. */
export const MOST_TOKENS = 600;
// No row = the token was used before, or the site has used up its share. A site's tokens are adjacent in the index,
// because `!` is the character after the space.
const REMEMBER = `INSERT INTO agent_tokens_seen (jti, expires_at) SELECT :jti, :expiresAt
  WHERE (SELECT count(*) FROM agent_tokens_seen WHERE jti >= :site || ' ' AND jti < :site || '!') < ${MOST_TOKENS}
  ON CONFLICT (jti) DO NOTHING`;

/**
 * Returns the site whose token the Authorization header carries. Returns null when the token is missing, of another
 * site, too old, too long-lived or already used. Also null when the site was revoked, or has used MOST_TOKENS within
 * minutes.
 */
export async function authorizeAgent(ctx: EdgeContext, header: string | undefined): Promise<number | null> {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(header ?? "")?.[1];
  if (token === undefined) return null;
  try {
    const site = Number(decodeJwt(token).sub);
    if (!Number.isSafeInteger(site)) return null;
    const { rows: [row] } = await execute(
      ctx.db,
      query.select({ publicKey: sites.publicKey }).from(sites)
        .where(and(eq(sites.id, site), eq(sites.revoked, false))),
    );
    if (row === undefined || row.publicKey === null) return null;
    const now = ctx.now();
    const key = await importJWK({ kty: "OKP", crv: "Ed25519", x: row.publicKey }, "EdDSA");
    const { payload } = await jwtVerify(token, key, {
      algorithms: ALGORITHMS,
      audience: AGENT_TOKEN_AUDIENCE,
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE_MS / 1000,
      maxTokenAge: AGENT_TOKEN_MAX_AGE_MS / 1000,
      requiredClaims: ["exp", "iat", "jti", "sub"],
    });
    return await isFirstUse(ctx, site, payload, now) ? site : null;
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}

async function isFirstUse(
  ctx: EdgeContext,
  site: number,
  payload: JWTPayload,
  now: number,
): Promise<boolean> {
  const { jti = "", exp = 0 } = payload;
  const expiresAt = exp * 1000;
  if (jti === "" || jti.length > MAX_JTI_CHARS) return false;
  if (expiresAt > now + AGENT_TOKEN_MAX_AGE_MS + CLOCK_TOLERANCE_MS) return false;
  const args = { site: String(site), jti: `${site} ${jti}`, expiresAt: expiresAt + CLOCKS_APART_MS };
  return (await ctx.db.execute(statement(REMEMBER, args))).rowsAffected === 1;
}
