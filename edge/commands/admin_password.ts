/**
 * `deno task admin:password`: sets the administrator's password to ADMIN_PASSWORD, or to a random one, which it
 * prints. The edge may run meanwhile; it closes the old sessions by itself.
 */
import { openPasswords } from "../auth/password.ts";
import { parseConfig } from "../config.ts";
import { connectExisting } from "../db/connect.ts";
import { refuseArguments } from "./no_arguments.ts";
import { randomPassword } from "../users/first_start.ts";
import { checkGivenPassword } from "../users/given_password.ts";
import { setAdminPassword } from "../users/set_admin_password.ts";
import { print, randomBytes, runCommand } from "./run_command.ts";

await runCommand("set the password", main);

async function main(): Promise<number> {
  refuseArguments("admin:password", Deno.args);
  const config = parseConfig(Deno.env.toObject());
  checkGivenPassword(config.adminUsername, config.adminPassword);
  const password = config.adminPassword ?? randomPassword({ randomBytes });
  const db = await connectExisting(config.databaseUrl, config.databaseAuthToken);
  const ctx = { db, now: Date.now, wakeOutbox: () => {} };
  const passwords = openPasswords();
  const isSet = await setAdminPassword(ctx, passwords, config.adminUsername, password);
  passwords.close();
  db.close();
  print(
    isSet
      ? `${config.adminUsername}: the new password is ${
        config.adminPassword ? "that in ADMIN_PASSWORD" : password
      }\nIt works for 7 days. The first login with it asks for another password.`
      : `There is no administrator "${config.adminUsername}"; set ADMIN_USERNAME to the right name.`,
  );
  return isSet ? 0 : 1;
}
