import { base64url } from "jose";
import { type GivenDuty, MAX_PEOPLE } from "shared/duty.ts";
import type { Invited } from "shared/people_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { invitations } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";

/** How long an invitation's link works. */
export const INVITATION_MS = 3 * 24 * 60 * 60_000;
const TOKEN_BYTES = 32;

// No row = the account has as many people and open invitations as it may have.
const ADD = `INSERT INTO invitations (client, duty, label, token_hash, created_at, expires_at)
  SELECT :client, :duty, :label, :hash, :now, :expiresAt
  WHERE (SELECT count(*) FROM users WHERE works_for = :client AND left_at IS NULL)
    + (SELECT count(*) FROM invitations WHERE client = :client AND expires_at > :now) < ${MAX_PEOPLE}
  RETURNING id`;

/**
 * Makes an invitation to the caller's account. Its token is returned once; the owner hands the link over. The label
 * keeps nothing that may be a number.
 *
 * @throws HttpError too_many_people
 */
export async function invitePerson(
  ctx: EdgeContext,
  { client, person }: Pick<Caller, "client" | "person">,
  { label, duty }: { label: string; duty: GivenDuty },
): Promise<Invited> {
  const token = base64url.encode(ctx.randomBytes(TOKEN_BYTES));
  const now = ctx.now();
  const made = { label: withoutNumbers(label), duty, expiresAt: now + INVITATION_MS };
  const args = { ...made, client, hash: await hashInvitationToken(token), now };
  const note = { kind: "person_invited", actor: person, user: client, data: { duty } } as const;
  const record = recordCall({ status: 201 });
  const { added } = await writeBatch(ctx.db, {
    added: statement(ADD, args),
    audited: rightAfter("added", noteAudit(now, note, STEP_BEFORE_CHANGED)),
    recorded: record && rightAfter("audited", record),
  });
  const [row] = rowsAs(added, { id: invitations.id });
  if (row === undefined) throw new HttpError("too_many_people");
  return { invitation: { id: row.id, ...made, createdAt: now }, token };
}

/** Returns the stored form of a token: SHA-256 in hexadecimal. It is so random that a fast hash is enough. */
export async function hashInvitationToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return new Uint8Array(digest).toHex();
}

/**
 * Takes an open invitation of the caller's account back; its link no longer works.
 *
 * @throws HttpError not_found
 */
export async function withdrawInvitation(
  ctx: EdgeContext,
  { client, person }: Pick<Caller, "client" | "person">,
  id: number,
): Promise<void> {
  const note = { kind: "invitation_withdrawn", actor: person, user: client } as const;
  const { withdrawn } = await writeBatch(ctx.db, {
    withdrawn: { sql: "DELETE FROM invitations WHERE id = ? AND client = ?", args: [id, client] },
    audited: rightAfter("withdrawn", noteAudit(ctx.now(), note, STEP_BEFORE_CHANGED)),
  });
  if (withdrawn.rowsAffected === 0) throw new HttpError("not_found");
}
