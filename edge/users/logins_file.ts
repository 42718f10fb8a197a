/** The first logins, left in a file for `start` to show; the only place a password is ever written down. */
import { rm } from "node:fs/promises";
import type { Passwords } from "../auth/password.ts";
import type { EdgeContext } from "../context.ts";
import type { FirstLogin } from "./first_start.ts";
import { usernameKey } from "./username_key.ts";

/** Writes the file, readable by its owner alone; without logins there is none. */
export async function writeLogins(path: string, logins: FirstLogin[]): Promise<void> {
  if (logins.length === 0) await rm(path, { force: true });
  else await Deno.writeTextFile(path, JSON.stringify(logins, null, 2), { mode: 0o600 });
}

/** Takes those out whose password was changed since, so that nobody is shown one that no longer opens. */
export async function dropStaleLogins(ctx: EdgeContext, passwords: Passwords, path: string): Promise<void> {
  const text = await Deno.readTextFile(path).catch(() => null);
  if (text === null) return;
  const logins: FirstLogin[] = JSON.parse(text);
  const valid: FirstLogin[] = [];
  for (const login of logins) {
    const { rows: [row] } = await ctx.db.execute({
      sql: "SELECT password_hash FROM users WHERE username_key = ? AND disabled = 0",
      args: [usernameKey(login.username)],
    });
    if (row && await passwords.verify(String(row.password_hash), login.password)) valid.push(login);
  }
  if (valid.length < logins.length) await writeLogins(path, valid);
}
