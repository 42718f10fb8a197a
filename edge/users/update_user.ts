import type { InStatement } from "@libsql/client/web";
import { and, eq, inArray, isNull } from "drizzle-orm";
import type { User } from "shared/http_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { firstPasswordUntil } from "../auth/first_password.ts";
import { checkNewPassword } from "../auth/new_password.ts";
import type { Passwords } from "../auth/password.ts";
import { endSessionsOf, endSessionsOfAccount } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { campaigns, users } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Actor } from "../queue/own_campaign.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { removeFactor } from "../second_factor/turn_off.ts";
import { toUser, USER_FIELDS } from "../auth/user_row.ts";

export interface UserChange {
  userId: number;
  /** The acting administrator. */
  actorId: number;
  disabled?: boolean;
  password?: string;
  /** Whether the password is valid for a week, and only for choosing another. */
  firstPassword?: boolean;
  /** Removes the second factor. */
  secondFactor?: false;
}

/**
 * Returns whether a change needs a proof. It does when it opens a login: a password, a removed factor, an enabled
 * user. It also does when it disables an administrator, who could be the one to stop a thief. Disabling a client
 * needs none, because it may be urgent.
 */
export async function needsProof(
  { db }: Pick<EdgeContext, "db">,
  { userId, disabled, password, secondFactor }: UserChange,
): Promise<boolean> {
  if (password !== undefined || secondFactor === false || disabled === false) return true;
  if (disabled === undefined) return false;
  const { rows: [user] } = await execute(
    db,
    query.select({ role: users.role }).from(users).where(eq(users.id, userId)),
  );
  return user?.role === "admin";
}

/**
 * Disables or enables a user, gives a new password, or removes a lost second factor. All except enabling end the
 * user's sessions; disabling an account's owner ends those of all its people and pauses its campaigns.
 *
 * @throws HttpError not_found; invalid_input for a common password. Administrators get invalid_input for disabling
 * themselves, which another must be able to undo. They get it for their own password or factor too, because a stolen
 * session must not change them.
 */
export async function updateUser(ctx: EdgeContext, passwords: Passwords, change: UserChange): Promise<User> {
  const { userId, actorId, disabled, password, firstPassword, secondFactor } = change;
  if (disabled && userId === actorId) {
    throw new HttpError("invalid_input", { text: "אי אפשר להשבית את המשתמש שלך." });
  }
  if (password !== undefined && userId === actorId) {
    throw new HttpError("invalid_input", { text: "את הסיסמה שלך מחליפים בעמוד החשבון שלי." });
  }
  if (secondFactor === false && userId === actorId) {
    throw new HttpError("invalid_input", { text: "את האימות הדו־שלבי שלך מכבים בעמוד החשבון שלי." });
  }
  const hash = password === undefined ? null : await hashFor(ctx, passwords, userId, password);
  const update = query.update(users).set({
    disabled: disabled ?? users.disabled,
    ...(hash !== null && {
      passwordHash: hash,
      firstPasswordUntil: firstPassword ? firstPasswordUntil(ctx) : null,
    }),
  }).where(and(eq(users.id, userId), isNull(users.leftAt))).returning(USER_FIELDS);
  const endsSessions = disabled || hash !== null || secondFactor === false;
  const isRemoving = secondFactor === false;
  const { updated: { rows: [row] } } = await writeBatch(ctx.db, {
    factorRemoved: isRemoving ? removeFactor(userId) : [],
    removalNoted: isRemoving ? notesOf(ctx, change, "user_second_factor", "factorRemoved") : [],
    sessionsEnded: disabled
      ? endSessionsOfAccount(ctx, userId)
      : endsSessions
      ? endSessionsOf(ctx, userId)
      : [],
    stateNoted: disabled === undefined
      ? []
      : notesOf(ctx, change, disabled ? "user_disabled" : "user_enabled"),
    passwordNoted: hash === null ? [] : notesOf(ctx, change, "user_password"),
    updated: update,
  });
  ctx.wakeOutbox();
  if (!row) throw new HttpError("not_found");
  // After the end of the sessions, so that the disabled user starts nothing again. A repeated call does what is left.
  if (disabled) await pauseAll(ctx, { client: actorId, person: actorId, role: "admin" }, userId);
  return toUser(row);
}

async function hashFor(ctx: EdgeContext, passwords: Passwords, userId: number, password: string) {
  const { rows: [user] } = await execute(
    ctx.db,
    query.select({ username: users.username }).from(users).where(eq(users.id, userId)),
  );
  if (!user) throw new HttpError("not_found");
  checkNewPassword(user.username, password);
  return await passwords.hash(password);
}

async function pauseAll(ctx: EdgeContext, actor: Actor, userId: number): Promise<void> {
  const { id, carrierUntil, queuedCount, leasedCount } = campaigns;
  const running = query.select({ id, carrierUntil, queuedCount, leasedCount }).from(campaigns)
    .where(and(eq(campaigns.client, userId), inArray(campaigns.status, ["processing", "active"])));
  for (const { id, carrierUntil, queuedCount, leasedCount } of (await execute(ctx.db, running)).rows) {
    const isCarrier = carrierUntil !== null;
    // Nobody hands over messages meanwhile.
    if (isCarrier && queuedCount + leasedCount === 0) continue;
    // No screen of administrators shows carriers: their client lets the messages go on.
    const by = isCarrier ? { ...actor, client: userId, role: "client" as const } : actor;
    await pauseCampaign(ctx, by, id).catch((error) => {
      // The campaign ended in between.
      if (!(error instanceof HttpError)) throw error;
    });
  }
}

const AUDITED_AS = {
  user_disabled: "user_disabled",
  user_enabled: "user_enabled",
  user_password: "password_reset",
  user_second_factor: "second_factor_removed",
} as const;

/** Returns the note for administrators and the audit line; both apply only if the step called `after` changed a row. */
function notesOf(
  ctx: EdgeContext,
  { userId, actorId: actor }: UserChange,
  code: keyof typeof AUDITED_AS,
  after?: string,
): InStatement[] {
  const activity = {
    sql: `INSERT INTO activity (at, kind, code, data, user)
      SELECT ?, 'info', ?, json_object('username', username), id FROM users
      WHERE id = ? AND ${after === undefined ? "1" : STEP_BEFORE_CHANGED}`,
    args: [ctx.now(), code, userId],
  };
  return [
    after === undefined ? activity : rightAfter(after, activity),
    noteAudit(ctx.now(), { kind: AUDITED_AS[code], actor, user: userId }, STEP_BEFORE_CHANGED),
  ];
}
