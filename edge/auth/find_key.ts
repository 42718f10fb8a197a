/** Finds the caller of an API key: by its SHA-256, read at each call, so that a revoked key opens nothing anywhere. */
import { isInRange, parseRange } from "shared/address_range.ts";
import type { KeyScope } from "shared/api_key.ts";
import { eq } from "drizzle-orm";
import type { EdgeContext } from "../context.ts";
import { condition, execute, query, rowsAs } from "../db/query.ts";
import { apiKeys, users } from "../db/schema.ts";
import { errorFields } from "../error_fields.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { hashKeyText, isKeyText } from "./key_text.ts";
import { KEY_MARK } from "./sessions.ts";
import { LACKS_FACTOR, MAY_LOG_IN } from "./user_row.ts";

const USED_EVERY_MS = 60_000;

/** A caller by a key. */
export interface KeyCaller extends Caller {
  key: NonNullable<Caller["key"]>;
}

export interface FoundKey {
  user: KeyCaller;
  scopes: readonly KeyScope[];
  dailyLimit: number | null;
}

/** SQL on api_keys k and users: the key opens something at :now. */
const WORKS = `k.revoked_at IS NULL AND NOT k.unconfirmed AND (k.expires_at IS NULL OR k.expires_at > :now)
  AND ${MAY_LOG_IN} AND first_password_until IS NULL`;
const FIND =
  `SELECT k.id, k.owner, k.mode, k.scopes, k.addresses, k.daily_limit, k.last_used_at, k.expires_at,
    k.revoked_at, k.unconfirmed, ${WORKS} AS works, ${LACKS_FACTOR} AS "lacksFactor", username, role, duty, works_for
  FROM api_keys k JOIN users ON users.id = k.owner WHERE k.key_hash = :hash`;

const FIELDS = {
  id: apiKeys.id,
  owner: apiKeys.owner,
  mode: apiKeys.mode,
  scopes: apiKeys.scopes,
  addresses: apiKeys.addresses,
  dailyLimit: apiKeys.dailyLimit,
  lastUsedAt: apiKeys.lastUsedAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  unconfirmed: apiKeys.unconfirmed,
  works: condition,
  lacksFactor: condition,
  username: users.username,
  role: users.role,
  duty: users.duty,
  worksFor: users.worksFor,
};

/**
 * Returns the caller of a key's text, and stores its use once a minute.
 *
 * @throws HttpError key_invalid for an unknown, revoked, expired or unconfirmed key, or one whose owner may not log in;
 * key_address
 */
export async function findKey(ctx: EdgeContext, text: string, address: string): Promise<FoundKey> {
  if (!isKeyText(text)) throw invalid();
  const hash = await hashKeyText(text);
  const now = ctx.now();
  const [row] = rowsAs(await ctx.db.execute({ sql: FIND, args: { hash, now } }), FIELDS);
  if (row === undefined) throw invalid();
  if (!row.works) throw invalid(whyNot(row, now));
  const ranges = row.addresses.split(" ").filter((range) => range !== "");
  if (ranges.length > 0 && !ranges.some((range) => isInRange(address, parseRange(range)!))) {
    throw new HttpError("key_address");
  }
  if (row.lastUsedAt === null || row.lastUsedAt <= now - USED_EVERY_MS) await noteUse(ctx, row.id, now);
  const { id, owner: person, username, role, dailyLimit } = row;
  return {
    user: {
      client: row.worksFor ?? person,
      person,
      username,
      role,
      // Of a client's owner alone are their people and keys, which no key touches.
      duty: role === "admin" ? row.duty : "sender",
      owes: row.lacksFactor ? "second_factor_required" : undefined,
      sessionHash: KEY_MARK + hash,
      key: { id, isTest: row.mode === "test" },
    },
    scopes: row.scopes.split(" ") as KeyScope[],
    dailyLimit,
  };
}

/** Stores the use. A failure is ignored, as for a session: the call itself may do without. */
async function noteUse(ctx: EdgeContext, id: number, now: number): Promise<void> {
  try {
    await execute(ctx.db, query.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id)));
  } catch (error) {
    ctx.log.warn("key_use_not_noted", errorFields(error));
  }
}

/** The holder of a key learns why it no longer works; a guess is never right. */
function whyNot(
  { revokedAt, expiresAt, unconfirmed }: {
    revokedAt: number | null;
    expiresAt: number | null;
    unconfirmed: boolean;
  },
  now: number,
): string | undefined {
  if (revokedAt !== null) return "המפתח בוטל.";
  if (expiresAt !== null && expiresAt <= now) return "תוקף המפתח פג.";
  return unconfirmed ? "המערכת שוחזרה מגיבוי, והמפתח מחכה לאישור של בעל החשבון." : undefined;
}

function invalid(text?: string): HttpError {
  return new HttpError("key_invalid", { ...(text && { text }), headers: { "www-authenticate": "Bearer" } });
}
