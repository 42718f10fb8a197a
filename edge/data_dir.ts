/** The folder of what one machine keeps beside the database. */
import { mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "./config.ts";

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

/** Writes a file that only its owner reads, whole or not at all; null removes it. */
export async function keepSecret(path: string, text: string | null): Promise<void> {
  if (text === null) return await rm(path, { force: true });
  await Deno.writeTextFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
