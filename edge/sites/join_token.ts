import { and, eq, isNull } from "drizzle-orm";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { joinTokens } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import { statement } from "../db/statement.ts";

/** Validity of an unused join token. */
export const JOIN_TOKEN_MS = 15 * 60_000;
const TOKEN_BYTES = 32;

export interface JoinToken {
  siteId: number;
  /** Shown once; only its hash is stored. */
  joinToken: string;
  expiresAt: number;
}

// No row = no such site, or revoked. Revoking is final, and the room joins again as a new site.
const ADD = `INSERT INTO join_tokens (hash, site, expires_at)
  SELECT :hash, id, :expiresAt FROM sites WHERE id = :site AND revoked = 0`;

/**
 * Makes the one token with which a machine may enrol as this site. An older unused token ends, unless `keepOlder`.
 *
 * @throws HttpError not_found
 */
export async function createJoinToken(
  ctx: EdgeContext,
  siteId: number,
  { keepOlder = false, actor = null }: { keepOlder?: boolean; actor?: number | null } = {},
): Promise<JoinToken> {
  const joinToken = toBase64Url(ctx.randomBytes(TOKEN_BYTES));
  const expiresAt = ctx.now() + JOIN_TOKEN_MS;
  const args = { site: siteId, hash: await hashJoinToken(joinToken), expiresAt };
  const note = noteAudit(ctx.now(), { kind: "site_token", actor, site: siteId }, STEP_BEFORE_CHANGED);
  const record = recordCall({ status: 201 });
  const { added } = await writeBatch(ctx.db, {
    olderDropped: keepOlder ? undefined : query.delete(joinTokens)
      .where(and(eq(joinTokens.site, siteId), isNull(joinTokens.usedAt))),
    added: statement(ADD, args),
    audited: rightAfter("added", note),
    recorded: record && rightAfter("audited", record),
  });
  if (added.rowsAffected !== 1) throw new HttpError("not_found");
  return { siteId, joinToken, expiresAt };
}

/** Returns the stored form of a token. It is so random that a fast hash is enough. */
export async function hashJoinToken(joinToken: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(joinToken));
  return new Uint8Array(digest).toHex();
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
