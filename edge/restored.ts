/**
 * `deno task restored`: says that this database was restored from a backup by other means than ours. From then on
 * nothing is leased until every site has told what it did in the lost time, or was written off.
 */
import { openChainParts } from "./audit_log/audit_parts.ts";
import { noteRestore } from "./audit_log/note_restore.ts";
import { readAppKeys } from "./auth/app_key.ts";
import { beginAgain } from "./backup/begin_again.ts";
import { parseConfig } from "./config.ts";
import { openDataDir } from "./data_dir.ts";
import { connectExisting } from "./db/connect.ts";
import { refuseArguments } from "./no_arguments.ts";

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
Deno.exit(await main());

async function main(): Promise<number> {
  try {
    refuseArguments("restored", Deno.args);
    const config = parseConfig(Deno.env.toObject());
    const db = await connectExisting(config.databaseUrl, config.databaseAuthToken);
    if (config.keepsFiles) await openDataDir(config.dataDir);
    const keys = await readAppKeys(config, randomBytes);
    const audit = openChainParts(keys, config);
    await beginAgain({ db, now: Date.now, randomBytes });
    db.close();
    await noteRestore({ now: Date.now, audit });
    print("Noted. Nothing is sent until every site has told what it did meanwhile, or is written off.");
    print("Everybody logs in again.");
    return 0;
  } catch (error) {
    print(`Cannot note the restore: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}
