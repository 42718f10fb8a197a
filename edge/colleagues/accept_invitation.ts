import type { GivenDuty } from "shared/duty.ts";
import type { AcceptInvitation, Offered } from "shared/people_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { checkNewPassword } from "../auth/new_password.ts";
import type { Passwords } from "../auth/password.ts";
import { usernameKey } from "../auth/username_key.ts";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { plainText, rowsAs } from "../db/query.ts";
import { invitations, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { noteActivity } from "../events/note_activity.ts";
import { HttpError } from "../http/http_error.ts";
import { hashInvitationToken } from "./invite.ts";

/** Most names that are taken which one link may try: otherwise it would find out names of users. */
export const MAX_NAME_TRIES = 10;

// No row = unknown, used, over, or the account is disabled.
const FIND = `SELECT i.id, i.client, i.duty, i.expires_at, o.username AS "clientName"
  FROM invitations i JOIN users o ON o.id = i.client AND NOT o.disabled
  WHERE i.token_hash = :hash AND i.expires_at > :now AND i.tries < ${MAX_NAME_TRIES}`;
const ADD = `INSERT INTO users (username, username_key, password_hash, role, works_for, duty, created_at)
  VALUES (:username, :key, :passwordHash, 'client', :client, :duty, :now)
  ON CONFLICT (username_key) DO NOTHING RETURNING id`;
const COUNT_TRY = "UPDATE invitations SET tries = tries + 1 WHERE id = :id";
const USE = "DELETE FROM invitations WHERE id = :id";

/**
 * Returns what a link offers, for the person who holds it.
 *
 * @throws HttpError invitation_over
 */
export async function lookAtInvitation(ctx: EdgeContext, token: string): Promise<Offered> {
  const { clientName, duty, expiresAt } = await find(ctx, ctx.db, await hashInvitationToken(token));
  return { clientName, duty, expiresAt };
}

/**
 * Makes the invited person a user of the account, with the name and password that they chose; the link is used up. Of
 * several at once, one wins. The audit log keeps the name for good, so it may hold no phone number.
 *
 * @throws HttpError invitation_over; username_taken in any letter case; invalid_input for a common password, or a name
 * with a number
 */
export async function acceptInvitation(
  ctx: EdgeContext,
  passwords: Passwords,
  { token, username, password }: AcceptInvitation,
): Promise<void> {
  const hash = await hashInvitationToken(token);
  // First, so that a caller without an invitation costs no hash of a password.
  await find(ctx, ctx.db, hash);
  if (withoutNumbers(username) !== username) {
    throw new HttpError("invalid_input", { text: "שם המשתמש לא יכול להכיל מספר טלפון. נא לבחור שם אחר." });
  }
  checkNewPassword(username, password);
  const passwordHash = await passwords.hash(password);
  const isMade = await inTransaction(ctx.db, async (tx) => {
    const { id, client, clientName, duty } = await find(ctx, tx, hash);
    const now = ctx.now();
    const args = { id, client, duty, username, key: usernameKey(username), passwordHash, now };
    const [person] = rowsAs(await tx.execute(statement(ADD, args)), { id: users.id });
    if (person === undefined) {
      await tx.execute(statement(COUNT_TRY, args));
      return false;
    }
    const data = { username, client: clientName };
    await tx.batch([
      statement(USE, args),
      noteAudit(now, { kind: "person_joined", actor: person.id, user: client, data: { duty } }),
      noteActivity(now, { kind: "info", code: "person_joined", data, user: person.id }),
    ]);
    return true;
  });
  if (!isMade) throw new HttpError("username_taken");
  ctx.wakeOutbox();
}

async function find(
  ctx: EdgeContext,
  db: Pick<EdgeContext["db"], "execute">,
  hash: string,
): Promise<Offered & { id: number; client: number }> {
  const [found] = rowsAs(await db.execute(statement(FIND, { hash, now: ctx.now() })), {
    id: invitations.id,
    client: invitations.client,
    duty: invitations.duty,
    expiresAt: invitations.expiresAt,
    clientName: plainText,
  });
  if (found === undefined) throw new HttpError("invitation_over");
  return { ...found, duty: found.duty as GivenDuty };
}
