/** The folder of what one machine keeps beside the database. */
import { mkdir, mkdtemp, rename, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { HEADS_FILE } from "./audit_log/audit_parts.ts";
import { type Config, ConfigError } from "./config.ts";
import { filePathOf } from "./db/connect.ts";

/** Makes the folder when it is missing. @throws ConfigError when this user may not write there */
export async function openDataDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    // The runtime's access() judges by the owner's bits or everybody's: it knows neither groups nor root.
    await rmdir(await mkdtemp(join(path, ".may-write-")));
  } catch (error) {
    // That may pass.
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    throw new ConfigError(`DATA_DIR ${path} must be a folder in which this user may write.`);
  }
}

/**
 * An empty database in the place of a lost one would look ready, and know nobody who was written to.
 *
 * @throws ConfigError when `dataDir` has heads of an audit log, and no database stands where it is looked for
 */
export async function refuseLostDatabase(
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
): Promise<void> {
  const path = filePathOf(databaseUrl);
  if (path === null || await isThere(path) || !await isThere(join(dataDir, HEADS_FILE))) return;
  throw new ConfigError(
    `There is no database at ${path}, but ${HEADS_FILE} in DATA_DIR ${dataDir} is of one that stood there. ` +
      "Bring it back, restore a backup with --new, or take that file away to begin with an empty one.",
  );
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

/** Writes a file that only its owner reads, whole or not at all; null removes it. */
export async function keepSecret(path: string, text: string | null): Promise<void> {
  if (text === null) return await rm(path, { force: true });
  await Deno.writeTextFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
