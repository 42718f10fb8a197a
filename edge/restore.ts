/**
 * `deno task restore <folder>`: puts a backup in the database's place, while no edge runs. Sites may go on. `--new` makes
 * a database where none stands; `--force` replaces one that is too damaged to tell whether an edge has it open.
 */
import { resolve } from "node:path";
import { openChainParts } from "./audit_log/audit_parts.ts";
import { findAppKeys, readAppKeys } from "./auth/app_key.ts";
import { BackupError } from "./backup/manifest.ts";
import { checkPlace, restoreBackup } from "./backup/restore_backup.ts";
import { parseConfig } from "./config.ts";
import { openDataDir } from "./data_dir.ts";
import { filePathOf } from "./db/connect.ts";

const FLAGS = ["--new", "--force"];
const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
Deno.exit(await main());

async function main(): Promise<number> {
  try {
    const config = parseConfig(Deno.env.toObject());
    const { folder, makeNew, force } = parseArgs(Deno.args);
    const databasePath = filePathOf(config.databaseUrl);
    if (databasePath === null) {
      throw new BackupError("A remote database is restored where it is kept; then run deno task restored.");
    }
    // Before a folder and a key are made in a place that nobody meant.
    await checkPlace(databasePath, makeNew);
    await checkOwner(databasePath);
    await openDataDir(config.dataDir);
    const keys = makeNew ? await readAppKeys(config, randomBytes) : await findAppKeys(config);
    const audit = openChainParts(keys, config);
    const request = { folder, databasePath, makeNew, force };
    const done = await restoreBackup({ now: Date.now, randomBytes, audit }, request);
    print(`Restored ${resolve(databasePath)} as of ${done.manifest.madeAt}.`);
    print("Start the edge: nothing is sent until every site has told what it did since, or is written off.");
    print("Numbers erased since then are to be erased again.");
    const { joined, removals, stopped } = done.along;
    if (joined.length > 0) print(`Sites that joined since are known: ${joined.join(", ")}.`);
    if (removals > 0) print(`Removals that were entered since are kept: ${removals}.`);
    if (stopped > 0) print(`Campaigns that were paused or cancelled since are paused: ${stopped}.`);
    print("Everybody logs in again.");
    if (done.putAside !== null) print(`The database of before stands in ${resolve(done.putAside)}.`);
    return 0;
  } catch (error) {
    print(`Cannot restore: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

/** Edges could not open what another user put in their database's place. */
async function checkOwner(databasePath: string): Promise<void> {
  const owner = await Deno.stat(databasePath).then(({ uid }) => uid, () => null);
  if (owner === null || owner === Deno.uid()) return;
  throw new BackupError(`${databasePath} belongs to another user (${owner}): restore it as that one.`);
}

function parseArgs(args: string[]): { folder: string; makeNew: boolean; force: boolean } {
  const [folder, ...more] = args.filter((arg) => !FLAGS.includes(arg));
  if (folder === undefined || more.length > 0 || folder.startsWith("--")) {
    throw new BackupError(
      `Name the folder of the backup: deno task restore <folder> [${FLAGS.join("] [")}].`,
    );
  }
  return { folder, makeNew: args.includes("--new"), force: args.includes("--force") };
}
