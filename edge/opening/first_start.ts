/** A file in DATA_DIR that says that a first start was completed here: from then on there must be a database. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { HEADS_FILE } from "../audit_log/audit_parts.ts";
import type { Config } from "../config.ts";
import { filePathOf } from "../db/connect.ts";

const FIRST_START_FILE = "first_start_done";
const TEXT =
  "A database was made for this folder. Without this file and audit_heads.jsonl, an empty one is made again.\n";

type Place = Pick<Config, "dataDir" | "databaseUrl" | "keepsFiles">;

/** Writes the file when the database is a file too. A start killed before that is simply repeated. */
export async function noteFirstStart({ dataDir, databaseUrl, keepsFiles }: Place): Promise<void> {
  if (!keepsFiles || filePathOf(databaseUrl) === null) return;
  const path = join(dataDir, FIRST_START_FILE);
  if (!await isThere(path)) await Deno.writeTextFile(path, TEXT, { mode: 0o600 });
}

/** Returns the names of files in `dataDir` that prove an earlier use of a database; none = this is a first start. */
export async function tracesOfBefore({ dataDir, keepsFiles }: Place): Promise<string[]> {
  const traces: string[] = [];
  for (const name of keepsFiles ? [HEADS_FILE, FIRST_START_FILE] : []) {
    if (await isThere(join(dataDir, name))) traces.push(name);
  }
  return traces;
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}
