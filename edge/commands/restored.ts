/**
 * `deno task restored`: declares that this database was restored from a backup by other means than ours. From then on
 * nothing is leased until every site has reported its acts of the lost time, or was written off.
 */
import { keepFilesPrivate } from "shared/private_files.ts";
import { openChainParts } from "../audit_log/audit_parts.ts";
import { noteRestore } from "../audit_log/note_restore.ts";
import { beginAgain } from "../backup/begin_again.ts";
import { parseConfig } from "../config.ts";
import { openDataDir } from "../data_dir.ts";
import { connectExisting } from "../db/connect.ts";
import { forgottenLine } from "../queue/pause_unreported.ts";
import { openAppKeys } from "../opening/open_keys.ts";
import { refuseForeignLog } from "../opening/refuse_file.ts";
import { refuseArguments } from "./no_arguments.ts";
import { print, randomBytes, runCommand } from "./run_command.ts";

keepFilesPrivate();
await runCommand("record the restore", main);

async function main(): Promise<number> {
  refuseArguments("restored", Deno.args);
  const config = parseConfig(Deno.env.toObject());
  await refuseForeignLog(config.databaseUrl);
  const db = await connectExisting(config.databaseUrl, config.databaseAuthToken);
  if (config.keepsFiles) await openDataDir(config.dataDir, config.embeddedSite);
  const keys = await openAppKeys(db, config, randomBytes);
  const audit = openChainParts(keys, config);
  const forgotten = await beginAgain({ db, now: Date.now, randomBytes });
  db.close();
  await noteRestore({ now: Date.now, audit });
  print("Recorded. Nothing is sent until every site has reported its outcomes, or is written off.");
  print(
    "Enter removals and erasures made since the backup again: this database does not contain them.",
  );
  if (forgotten > 0) print(forgottenLine(forgotten));
  print("Every user must log in again.");
  return 0;
}
