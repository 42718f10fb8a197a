/** The folder of what one machine keeps beside the database. */
import { access, constants, mkdir, rename, rm } from "node:fs/promises";
import { ConfigError } from "./config.ts";

/** Makes the folder when it is missing. @throws ConfigError when this user may not write there */
export async function openDataDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch {
    throw new ConfigError(`DATA_DIR ${path} must be a folder in which this user may write.`);
  }
}

/** Writes a file that only its owner reads, whole or not at all; null removes it. */
export async function keepSecret(path: string, text: string | null): Promise<void> {
  if (text === null) return await rm(path, { force: true });
  await Deno.writeTextFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
