/**
 * `deno task restored`: declares that this database was restored from a backup by other means than ours. From then on
 * nothing is leased until every site has reported its acts of the lost time, or was written off. `--lost <file>` copies
 * from the database that was replaced what no site knows, as `deno task restore` does.
 */
import { realpath } from "node:fs/promises";
import { keepFilesPrivate } from "shared/private_files.ts";
import { openChainParts } from "../audit_log/audit_parts.ts";
import { noteRestore } from "../audit_log/note_restore.ts";
import { beginAgain } from "../backup/begin_again.ts";
import { openDataDir } from "../data_dir.ts";
import { openAppKeys } from "../opening/open_keys.ts";
import { opensSealed } from "../audit_log/mark_key.ts";
import { BackupError } from "../backup/manifest.ts";
import { takeAlong, type TakenAlong } from "../backup/take_along.ts";
import { type Config, parseConfig } from "../config.ts";
import type { Client } from "@libsql/client/web";
import { connectExisting, filePathOf } from "../db/connect.ts";
import { migrateDatabase, readSchema } from "../db/migrate.ts";
import type { AppKeys } from "../keys/app_key.ts";
import { isCopyFile, refuseForeignLog } from "../opening/refuse_file.ts";
import { forgottenLine, noteLostTime } from "../queue/pause_unreported.ts";
import { alongLines } from "./along_lines.ts";
import { refuseArguments } from "./no_arguments.ts";
import { print, randomBytes, runCommand } from "./run_command.ts";

const LOST = [
  "If you still have the file of the lost database, run this again before an edge starts: deno task restored --lost " +
  "<file>. It copies the rest.",
  "Without that file, this is lost: removals entered or decided, presses of the link for removal, erasures, and stops " +
  "of campaigns since the backup. Sites report again only removals by reply.",
  "Before the last site has reported: enter the removals and erasures again, and pause what was stopped. Nobody " +
  "here knows who pressed a link: pause the campaigns of clients whose messages carry one (docs/operations.md).",
];
keepFilesPrivate();
await runCommand("record the restore", main);

async function main(): Promise<number> {
  const lostPath = parseArgs(Deno.args);
  const config = parseConfig(Deno.env.toObject());
  await refuseForeignLog(config.databaseUrl);
  const db = await connectExisting(config.databaseUrl, config.databaseAuthToken);
  if (config.keepsFiles) await openDataDir(config.dataDir, config.embeddedSite);
  const keys = await openAppKeys(db, config, randomBytes);
  const audit = openChainParts(keys, config);
  const along = lostPath === null ? null : await takeFrom(lostPath, { db, config, keys });
  const forgotten = await beginAgain({ db, now: Date.now, randomBytes }, { isNoted: along !== null });
  db.close();
  await noteRestore({ now: Date.now, audit });
  print("Recorded. Nothing is sent until every site has reported its outcomes, or is written off.");
  for (const line of along === null ? LOST : alongLines(along)) print(line);
  if (forgotten > 0) print(forgottenLine(forgotten));
  print("Every user must log in again.");
  return 0;
}

/** Copies what only the lost database knows. @throws {BackupError} when it is not that; no removal is copied then */
async function takeFrom(
  lostPath: string,
  { db, config, keys }: { db: Client; config: Config; keys: AppKeys },
): Promise<TakenAlong> {
  const databasePath = filePathOf(config.databaseUrl);
  if (databasePath === null) {
    throw new BackupError("--lost works only for a database in a file. Run deno task restored without it.");
  }
  const lost = await realpath(lostPath).catch(() => {
    throw new BackupError(`There is no file at ${lostPath}. Nothing was done.`);
  });
  const isItself = lost === await realpath(databasePath);
  if (isItself || await isCopyFile(lost)) {
    const what = isItself ? "the database that was put back" : "a backup";
    throw new BackupError(`${lostPath} is ${what}, not the one that was replaced. Nothing was done.`);
  }
  await migrateDatabase(db, await readSchema());
  // As in a restore: before any later data is written, and before the new generation.
  await noteLostTime(db, Date.now());
  const opensKey = (sealed: string) => opensSealed(sealed, keys);
  const along = await takeAlong(lost, databasePath, { now: Date.now(), opensKey });
  if (along.isKnown) return along;
  throw new BackupError(
    `${lostPath} cannot be read, or is of another installation. Run deno task restored without --lost if there is ` +
      "no other file.",
  );
}

/** Returns the path of the lost database; null = not given. */
function parseArgs(args: string[]): string | null {
  const [flag, path, ...more] = args;
  if (flag === "--lost" && path !== undefined && more.length === 0) return path;
  if (flag === "--lost") throw new BackupError("Give one file: deno task restored --lost <file>.");
  refuseArguments("restored", args);
  return null;
}
