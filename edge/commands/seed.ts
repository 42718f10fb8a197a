/** `deno task seed <world>`: fills the database of DATABASE_URL or DATA_DIR with a named example world. */
import { keepFilesPrivate } from "shared/private_files.ts";
import { openChainParts } from "../audit_log/audit_parts.ts";
import { openMarkKey } from "../audit_log/mark_key.ts";
import { deriveKeys } from "../keys/app_key.ts";
import { openPasswords } from "../auth/password.ts";
import { ConfigError, parseConfig } from "../config.ts";
import type { EdgeContext } from "../context.ts";
import { connectDatabase, filePathOf } from "../db/connect.ts";
import { markOpenFile } from "../db/file_mark.ts";
import { migrateDatabase, readSchema } from "../db/migrate.ts";
import { createLog } from "../log.ts";
import { openAppKeys } from "../opening/open_keys.ts";
import { refuseDatabase } from "../opening/refuse_database.ts";
import { refuseFile } from "../opening/refuse_file.ts";
import { makeWorld } from "../seed/make_world.ts";
import { type WorldName, WORLDS } from "../seed/worlds.ts";
import { randomPassword } from "../users/first_start.ts";
import { checkGivenPassword } from "../users/given_password.ts";
import { print, randomBytes, runCommand } from "./run_command.ts";

const HELP = `deno task seed <world>

Worlds: ${Object.keys(WORLDS).join(", ")}.
Everybody in it has the password of ADMIN_PASSWORD, or one that is printed. Its sites have no agents: for nine
minutes they look connected, and nothing moves unless other phones take the campaigns.`;

keepFilesPrivate();
await runCommand("seed", () => main(Deno.args));

async function main([name = "", ...more]: readonly string[]): Promise<number> {
  try {
    // Without a name it makes none: this may be a database in use.
    if (!Object.hasOwn(WORLDS, name) || more.length > 0) throw new ConfigError(HELP);
    print(await seed(name as WorldName));
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    print(error.message);
    return 1;
  }
}

async function seed(name: WorldName): Promise<string> {
  const config = parseConfig(Deno.env.toObject());
  checkGivenPassword(config.adminUsername, config.adminPassword);
  await refuseFile(config);
  const db = await connectDatabase(config.databaseUrl, config.databaseAuthToken);
  const keys = await openAppKeys(db, config, randomBytes);
  const chain = openChainParts(keys, config);
  await refuseDatabase(db, chain);
  await markOpenFile(db, filePathOf(config.databaseUrl));
  await migrateDatabase(db, await readSchema());
  const ctx: EdgeContext = {
    db,
    now: Date.now,
    randomBytes,
    // A running edge polls the outbox, so there is no reader here to wake.
    wakeOutbox: () => {},
    log: createLog({ level: config.logLevel, now: Date.now, write: print }),
    audit: {
      ...chain,
      markKey: await openMarkKey({ db, randomBytes }, keys),
    },
    databaseMarkKeys: deriveKeys(keys, "database-mark"),
  };
  const passwords = openPasswords();
  const password = config.adminPassword ?? randomPassword(ctx);
  const { adminUsername } = config;
  const { admin, clients, campaigns, devices } = await makeWorld(ctx, passwords, name, {
    adminUsername,
    password,
  });
  passwords.close();
  db.close();
  const people = [admin, clients[0]].filter((username) => username !== null).join(" and ");
  const shown = config.adminPassword === undefined ? password : "that in ADMIN_PASSWORD";
  return `Made "${name}": ${clients.length} clients, ${devices} devices, ${campaigns} campaigns. ` +
    `Log in as ${people}, password: ${shown}`;
}
