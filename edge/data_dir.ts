/** The folder of files that one machine keeps beside the database. */
import { mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { type ExposedBy, findExposure } from "shared/exposed_folder.ts";
import { ConfigError } from "./config.ts";

/** Our files in the folder that hold numbers, keys or logins. */
const OURS = /^(shigur\.db.*|audit_heads\.jsonl|app_key|logins\.json|site_join_token)$/;

export interface OpenedDataDir {
  /** True when other users could enter it until now. */
  wasOpen: boolean;
  /** The user that can replace it; only a demonstration allows this. */
  exposedBy: ExposedBy | null;
}

/**
 * Creates the folder if it is missing, and closes it and our files in it to other users.
 *
 * @param isDemonstration true accepts a folder that other users can replace, because a demonstration sends no messages
 * @throws {ConfigError} when this user may not write there, the folder is another user's, or another user can replace
 * it
 */
export async function openDataDir(path: string, isDemonstration = false): Promise<OpenedDataDir> {
  const exposedBy = await findExposure(path);
  if (exposedBy !== null && !isDemonstration) throw new ConfigError(exposureText(path, exposedBy));
  await makeFolder(path);
  if (Deno.build.os === "windows") return { wasOpen: false, exposedBy };
  const { uid, mode } = await Deno.stat(path);
  if (uid !== Deno.uid()) {
    throw new ConfigError(
      `DATA_DIR ${path} belongs to another user (${uid}), who can read and replace its files. ` +
        "Start as that user, or give the folder to this one with chown.",
    );
  }
  for await (const { name, isFile } of Deno.readDir(path)) {
    if (isFile && OURS.test(name)) await closeToOthers(join(path, name));
  }
  if ((mode! & 0o077) === 0) return { wasOpen: false, exposedBy };
  await Deno.chmod(path, 0o700);
  return { wasOpen: true, exposedBy };
}

function exposureText(path: string, exposedBy: ExposedBy): string {
  const isWhose = exposedBy.uid === null
    ? "in which every user of this machine may rename folders"
    : `which belongs to another user (${exposedBy.uid})`;
  const mend = exposedBy.uid === null
    ? `Remove that right with chmod o-w ${exposedBy.path}`
    : "Give it to this user or to root with chown";
  return `DATA_DIR ${path} lies in ${exposedBy.path}, ${isWhose}: that user could replace the folder. ` +
    `${mend}, or choose another DATA_DIR.`;
}

/** Ignores a file that another process has just removed, as SQLite removes its logs. */
async function closeToOthers(path: string): Promise<void> {
  try {
    const { mode, uid } = await Deno.stat(path);
    if (uid === Deno.uid() && (mode! & 0o077) !== 0) await Deno.chmod(path, 0o600);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    // The runtime's access() checks only the owner's bits or everybody's, and ignores groups and root.
    await rmdir(await mkdtemp(join(path, ".may-write-")));
  } catch (error) {
    // A full disk may be temporary.
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    throw new ConfigError(`DATA_DIR ${path} must be a folder in which this user may write.`);
  }
}

/** Writes a file that only its owner can read, whole or not at all; null removes it. */
export async function keepSecret(path: string, text: string | null): Promise<void> {
  if (text === null) return await rm(path, { force: true });
  await Deno.writeTextFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
