/** What an owner does to a key: the revocation, and the confirmation after a restore. */
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";

type Owner = Pick<Caller, "person">;

const THEIRS = "id = :id AND owner = :owner AND revoked_at IS NULL";
const FIND = `SELECT 1 FROM api_keys WHERE ${THEIRS}`;
const REVOKE = `UPDATE api_keys SET revoked_at = :now, unconfirmed = 0 WHERE ${THEIRS}`;
const CONFIRM = `UPDATE api_keys SET unconfirmed = 0 WHERE ${THEIRS} AND unconfirmed`;

/**
 * Revokes a key: from now on it opens nothing, on any instance, because each call reads its row.
 *
 * @throws HttpError not_found
 */
export async function revokeKey(ctx: EdgeContext, { person }: Owner, id: number): Promise<void> {
  const now = ctx.now();
  const note = { kind: "key_revoked", actor: person, user: person, data: { apiKey: id } } as const;
  const { revoked } = await writeBatch(ctx.db, {
    revoked: statement(REVOKE, { id, owner: person, now }),
    audited: rightAfter("revoked", noteAudit(now, note, STEP_BEFORE_CHANGED)),
  });
  if (revoked.rowsAffected === 0) throw new HttpError("not_found");
}

/**
 * Lets a key work again after a restore.
 *
 * @throws HttpError not_found
 */
export async function confirmKey(ctx: EdgeContext, { person }: Owner, id: number): Promise<void> {
  const args = { id, owner: person };
  const note = { kind: "key_confirmed", actor: person, user: person, data: { apiKey: id } } as const;
  const { found } = await writeBatch(ctx.db, {
    found: statement(FIND, args),
    confirmed: statement(CONFIRM, args),
    audited: rightAfter("confirmed", noteAudit(ctx.now(), note, STEP_BEFORE_CHANGED)),
  });
  if (found.rows.length === 0) throw new HttpError("not_found");
}
