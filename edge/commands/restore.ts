/**
 * `deno task restore <folder>`: replaces the database with a backup while no edge runs. Sites may continue. `--new`
 * makes a database where there is none. `--force` replaces one that is too damaged to show whether an edge has it open.
 */
import { keepFilesPrivate } from "shared/private_files.ts";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openChainParts } from "../audit_log/audit_parts.ts";
import { MARK_KEY } from "../audit_log/mark_key.ts";
import { findAppKeys, readAppKeys } from "../keys/app_key.ts";
import { BackupError, DATABASE_FILE } from "../backup/manifest.ts";
import { checkPlace, restoreBackup } from "../backup/restore_backup.ts";
import { parseConfig } from "../config.ts";
import { openDataDir } from "../data_dir.ts";
import { alongLines } from "./along_lines.ts";
import { filePathOf } from "../db/connect.ts";
import { forgottenLine } from "../queue/pause_unreported.ts";
import { print, randomBytes, runCommand } from "./run_command.ts";

const FLAGS = ["--new", "--force"];
keepFilesPrivate();
await runCommand("restore", main);

async function main(): Promise<number> {
  const config = parseConfig(Deno.env.toObject());
  const { folder, makeNew, force } = parseArgs(Deno.args);
  const databasePath = filePathOf(config.databaseUrl);
  if (databasePath === null) {
    throw new BackupError(
      "A remote database must be restored at its provider. Run deno task restored after that.",
    );
  }
  // Check before it makes a folder and a key in a wrong place.
  await checkPlace(databasePath, makeNew);
  await checkOwner(databasePath);
  await openDataDir(config.dataDir, config.embeddedSite);
  const mayMakeKey = makeNew && !wasUsedWithKey(folder);
  const keys = mayMakeKey ? await readAppKeys(config, randomBytes) : await findAppKeys(config);
  const audit = openChainParts(keys, config);
  const request = { folder, databasePath, makeNew, force, appKeys: keys };
  const done = await restoreBackup({ now: Date.now, randomBytes, audit }, request);
  print(`Restored ${resolve(databasePath)} as of ${done.manifest.madeAt}.`);
  print(
    "Start the edge now. Nothing is sent until every site has reported its outcomes since then, or is written off.",
  );
  for (const line of alongLines(done.along)) print(line);
  if (done.forgotten > 0) print(forgottenLine(done.forgotten));
  print("Every user must log in again.");
  if (done.putAside !== null) print(`The earlier database was moved to ${resolve(done.putAside)}.`);
  return 0;
}

/** Refuses a database of another user: that user's edges could not open a file that this user writes. */
async function checkOwner(databasePath: string): Promise<void> {
  const owner = await Deno.stat(databasePath).then(({ uid }) => uid, () => null);
  if (owner === null || owner === Deno.uid()) return;
  throw new BackupError(`${databasePath} belongs to another user (${owner}): run this as that user.`);
}

/** Returns whether only its own key opens a backup's secrets: a new key would take that key's place. */
function wasUsedWithKey(folder: string): boolean {
  try {
    using backup = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
    return backup.prepare("SELECT 1 FROM system WHERE key = ?").get(MARK_KEY) !== undefined;
  } catch {
    // The restore reports what is wrong with it.
    return false;
  }
}

function parseArgs(args: string[]): { folder: string; makeNew: boolean; force: boolean } {
  const [folder, ...more] = args.filter((arg) => !FLAGS.includes(arg));
  if (folder === undefined || more.length > 0 || folder.startsWith("--")) {
    throw new BackupError(
      `Give the folder of the backup: deno task restore <folder> [${FLAGS.join("] [")}].`,
    );
  }
  return { folder, makeNew: args.includes("--new"), force: args.includes("--force") };
}
