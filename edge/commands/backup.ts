/**
 * `deno task backup [folder]`: copies the live database into a new folder under `folder` (default DATA_DIR/backups).
 */
import { keepFilesPrivate } from "shared/private_files.ts";
import { join } from "node:path";
import { makeBackup } from "../backup/make_backup.ts";
import { BackupError, BACKUPS_FOLDER } from "../backup/manifest.ts";
import { parseConfig } from "../config.ts";
import { filePathOf } from "../db/connect.ts";
import { print, runCommand } from "./run_command.ts";

keepFilesPrivate();
await runCommand("back up", main);

async function main(): Promise<number> {
  const [folder, ...more] = Deno.args;
  if (folder?.startsWith("-") || more.length > 0) {
    throw new BackupError("Give at most one folder: deno task backup [folder].");
  }
  const { dataDir, databaseUrl } = parseConfig(Deno.env.toObject());
  const databasePath = filePathOf(databaseUrl);
  if (databasePath === null) {
    throw new BackupError("A remote database must be backed up at its provider; see docs/deploy.md.");
  }
  const under = folder ?? join(dataDir, BACKUPS_FOLDER);
  print(`Backed up in ${await makeBackup({ databasePath, under, now: Date.now() })}`);
  return 0;
}
