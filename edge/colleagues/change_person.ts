/** What an owner does to a colleague: another duty, the confirmation after a restore, the removal. */
import type { InStatement } from "@libsql/client/web";
import type { AuditKind } from "shared/audit.ts";
import type { GivenDuty } from "shared/duty.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { removeFactor } from "../second_factor/turn_off.ts";

type Owner = Pick<Caller, "client" | "person">;

/** SQL: the colleague with :id in the account of :client. The owner is none of them. */
const THEIRS = "id = :id AND works_for = :client AND left_at IS NULL";
const FIND = `SELECT 1 FROM users WHERE ${THEIRS}`;
const SET_DUTY = `UPDATE users SET duty = :duty WHERE ${THEIRS} AND duty <> :duty`;
const CONFIRM = `UPDATE users SET waits = 0 WHERE ${THEIRS} AND waits`;
// The name is free again, and no password opens the row. A capital letter is in no key of a name.
const REMOVE = `UPDATE users SET disabled = 1, waits = 0, left_at = :now, password_hash = '',
    username_key = 'R' || id, first_password_until = NULL
  WHERE ${THEIRS}`;
/** What is kept for the person alone. Nobody else can read a staged file, and no erasure looks at remembered choices. */
const DROP_OWN = [
  "DELETE FROM staged_chunks WHERE staged IN (SELECT id FROM staged_files WHERE user = :id)",
  "DELETE FROM staged_files WHERE user = :id",
  "DELETE FROM column_choices WHERE user = :id",
];
const NOTE_REMOVAL = `INSERT INTO activity (at, kind, code, data, user)
  SELECT :now, 'info', 'person_removed', json_object('username', p.username, 'client', o.username), p.id
  FROM users p JOIN users o ON o.id = p.works_for WHERE p.id = :id`;

/**
 * Gives a colleague another duty, from their next call on.
 *
 * @throws HttpError not_found
 */
export async function changeDuty(ctx: EdgeContext, owner: Owner, id: number, duty: GivenDuty): Promise<void> {
  const args = { id, client: owner.client, duty };
  const { found } = await writeBatch(ctx.db, {
    found: statement(FIND, args),
    changed: statement(SET_DUTY, args),
    audited: rightAfter("changed", note(ctx, owner, "person_duty", id, { duty })),
  });
  if (found.rows.length === 0) throw new HttpError("not_found");
}

/**
 * Lets a colleague log in again after a restore, with the duty that the owner sees.
 *
 * @throws HttpError not_found
 */
export async function confirmPerson(ctx: EdgeContext, owner: Owner, id: number): Promise<void> {
  const args = { id, client: owner.client };
  const { found } = await writeBatch(ctx.db, {
    found: statement(FIND, args),
    changed: statement(CONFIRM, args),
    audited: rightAfter("changed", note(ctx, owner, "person_confirmed", id)),
  });
  if (found.rows.length === 0) throw new HttpError("not_found");
}

/**
 * Removes a colleague: their sessions end at once, and their name and password open nothing. The row stays for its
 * name in the past, until forgetPeople().
 *
 * @throws HttpError not_found
 */
export async function removePerson(ctx: EdgeContext, owner: Owner, id: number): Promise<void> {
  const args = { id, client: owner.client, now: ctx.now() };
  await inTransaction(ctx.db, async (tx) => {
    const { rowsAffected } = await tx.execute(statement(REMOVE, args));
    if (rowsAffected === 0) throw new HttpError("not_found");
    await tx.batch([
      statement(NOTE_REMOVAL, args),
      note(ctx, owner, "person_removed", id, {}, "1"),
      ...DROP_OWN.map((sql) => statement(sql, { id })),
      ...removeFactor(id),
      ...endSessionsOf(ctx, id),
    ]);
  });
  ctx.wakeOutbox();
}

function note(
  ctx: EdgeContext,
  { person }: Owner,
  kind: AuditKind,
  user: number,
  data = {},
  onlyIf = STEP_BEFORE_CHANGED,
): InStatement {
  return noteAudit(ctx.now(), { kind, actor: person, user, data }, onlyIf);
}
