/** Gives an empty installation an administrator; a demonstration also gets a client with a quota. */
import { base64url } from "jose";
import type { Role } from "shared/http_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { firstPasswordUntil } from "../auth/first_password.ts";
import type { Passwords } from "../auth/password.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { checkGivenPassword } from "./given_password.ts";
import { usernameKey } from "../auth/username_key.ts";

const DEMO_USERNAME = "demo";
export const DEMO_QUOTA = 5_000;

export interface FirstLogin {
  username: string;
  role: Role;
  password: string;
}

/**
 * Makes the users and returns their logins, to be shown once; returns null when there is a user already.
 * `admin.password` undefined = a random one. When instances start at once, one of them makes the users. A random
 * password is a first password, except in a demonstration: visitors return with the password they were shown.
 *
 * @throws ConfigError when a given password is a common one
 */
export async function makeFirstUsers(
  ctx: EdgeContext,
  passwords: Passwords,
  admin: { username: string; password: string | undefined },
  { isDemonstration = false } = {},
): Promise<FirstLogin[] | null> {
  const { rows } = await ctx.db.execute("SELECT 1 FROM users LIMIT 1");
  if (rows.length > 0) return null;
  checkGivenPassword(admin.username, admin.password);
  const logins: FirstLogin[] = [
    { username: admin.username, role: "admin", password: admin.password ?? randomPassword(ctx) },
  ];
  if (isDemonstration) {
    logins.push({ username: demoName(admin.username), role: "client", password: randomPassword(ctx) });
  }
  const now = ctx.now();
  const rowsToMake = await Promise.all(logins.map(async ({ username, role, password }) => ({
    username,
    key: usernameKey(username),
    hash: await passwords.hash(password),
    until: isDemonstration || password === admin.password ? null : firstPasswordUntil(ctx),
    role,
  })));
  // One statement makes all users, or none when another instance was first.
  const isOurs = "EXISTS (SELECT 1 FROM users WHERE password_hash = ?)";
  const { made } = await writeBatch(ctx.db, {
    made: {
      sql: `INSERT INTO users (username, username_key, password_hash, first_password_until, role, created_at)
        SELECT value ->> 'username', value ->> 'key', value ->> 'hash', value ->> 'until', value ->> 'role', ?
        FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM users)`,
      args: [now, JSON.stringify(rowsToMake)],
    },
    granted: {
      sql: `INSERT INTO quota_ledger (client, at, kind, delta)
        SELECT users.id, ?, 'grant', ? FROM json_each(?) JOIN users ON password_hash = value ->> 'hash'
        WHERE users.role = 'client'`,
      args: [now, DEMO_QUOTA, JSON.stringify(rowsToMake)],
    },
    audited: rowsToMake.map(({ username, role, hash }) =>
      noteAudit(now, { kind: "user_created", actor: null, data: { username, role } }, isOurs, [hash])
    ),
  });
  return made.rowsAffected > 0 ? logins : null;
}

function demoName(adminUsername: string): string {
  return usernameKey(adminUsername) === DEMO_USERNAME ? `${DEMO_USERNAME}-client` : DEMO_USERNAME;
}

/** Returns a random password of 96 bits, enough without any rule about its form. */
export function randomPassword(ctx: Pick<EdgeContext, "randomBytes">): string {
  return base64url.encode(ctx.randomBytes(12));
}
