/** The first logins, in a file for `start` to show; no other file contains a password. */
import { and, eq } from "drizzle-orm";
import type { Passwords } from "../auth/password.ts";
import type { EdgeContext } from "../context.ts";
import { keepSecret } from "../data_dir.ts";
import { execute, query } from "../db/query.ts";
import { users } from "../db/schema.ts";
import type { FirstLogin } from "./first_start.ts";
import { usernameKey } from "../auth/username_key.ts";

/** Writes the file, readable by its owner alone; without logins it writes none. */
export async function writeLogins(path: string, logins: FirstLogin[]): Promise<void> {
  await keepSecret(path, logins.length === 0 ? null : JSON.stringify(logins, null, 2));
}

/** Removes logins whose password has changed since, so that `start` never shows a password that no longer works. */
export async function dropStaleLogins(ctx: EdgeContext, passwords: Passwords, path: string): Promise<void> {
  const text = await Deno.readTextFile(path).catch(() => null);
  if (text === null) return;
  const logins: FirstLogin[] = JSON.parse(text);
  const valid: FirstLogin[] = [];
  for (const login of logins) {
    const { rows: [user] } = await execute(
      ctx.db,
      query.select({ passwordHash: users.passwordHash }).from(users)
        .where(and(eq(users.usernameKey, usernameKey(login.username)), eq(users.disabled, false))),
    );
    if (user && await passwords.verify(user.passwordHash, login.password)) valid.push(login);
  }
  if (valid.length < logins.length) await writeLogins(path, valid);
}
