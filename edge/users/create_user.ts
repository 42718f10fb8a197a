import type { Role, User } from "shared/http_api.ts";
import { noteActivity } from "../events/note_activity.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { firstPasswordUntil } from "../auth/first_password.ts";
import { checkNewPassword } from "../auth/new_password.ts";
import type { Passwords } from "../auth/password.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { users } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import { toUser, USER_FIELDS } from "../auth/user_row.ts";
import { usernameKey } from "../auth/username_key.ts";

export interface NewUser {
  username: string;
  password: string;
  role: Role;
  /** Whether the password is valid for a week, and only for choosing another. */
  firstPassword?: boolean;
  /** The quota that a client starts with, as its first ledger entry. */
  messageQuota?: number;
}

/**
 * Makes a user. `actor` is the acting administrator; null = without a login.
 *
 * @throws HttpError username_taken in any letter case; invalid_input for a common password
 */
export async function createUser(
  ctx: EdgeContext,
  passwords: Passwords,
  user: NewUser,
  actor: number | null = null,
): Promise<User> {
  checkNewPassword(user.username, user.password);
  const now = ctx.now();
  const { username, role } = user;
  const note = noteActivity(
    now,
    { kind: "info", code: "user_created", data: { username, role } },
    STEP_BEFORE_CHANGED,
  );
  const audit = noteAudit(
    now,
    { kind: "user_created", actor, data: { username, role } },
    STEP_BEFORE_CHANGED,
  );
  const quota = role === "client" ? user.messageQuota ?? 0 : 0;
  const grant = quota > 0
    ? rightAfter("audited", {
      sql: `INSERT INTO quota_ledger (client, at, kind, delta, actor)
        SELECT id, :now, 'grant', :quota, :actor FROM users WHERE username_key = :key AND ${STEP_BEFORE_CHANGED}`,
      args: { now, quota, actor, key: usernameKey(username) },
    })
    : undefined;
  // The user of this transaction is the newest: ids only grow.
  const record = recordCall({ status: 201, made: { sql: "(SELECT max(id) FROM users)" } });
  const insert = query.insert(users).values({
    username,
    usernameKey: usernameKey(username),
    passwordHash: await passwords.hash(user.password),
    firstPasswordUntil: user.firstPassword ? firstPasswordUntil(ctx) : null,
    role,
    createdAt: now,
  }).onConflictDoNothing({ target: users.usernameKey }).returning(USER_FIELDS);
  const { created: { rows: [row] } } = await writeBatch(ctx.db, {
    created: insert,
    noted: rightAfter("created", note),
    audited: rightAfter("noted", audit),
    granted: grant,
    recorded: record && rightAfter(grant === undefined ? "audited" : "granted", record),
  });
  ctx.wakeOutbox();
  if (!row) throw new HttpError("username_taken");
  return { ...toUser(row), messageQuota: quota };
}
