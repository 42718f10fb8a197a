import { link, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readHeader } from "../db/file_header.ts";
import { isUnderForeignLog } from "../db/file_mark.ts";
import { syncFolder } from "../db/sync_file.ts";
import { BackupError } from "./manifest.ts";

export interface PlaceRequest {
  /** Path of a complete database, one file in the same folder. */
  draft: string;
  databasePath: string;
  /** Treat a damaged database as one that no process has open. */
  force: boolean;
  /** Returns milliseconds, for the name of the file put aside. */
  now(): number;
}

/** Files that SQLite keeps beside a database that is open, or was open when its process ended. */
export const BESIDE = ["-wal", "-shm", "-journal"];

/**
 * Gives `draft` the database's name in one step, so that one of the two has it at every moment. Returns the new path
 * of the earlier database, or null when there was none. No process may have the earlier one open. This is checked at
 * the last moment and again at the end: a process that opened it in between left its log in the new one's place.
 *
 * @throws BackupError when a process has the database open; everything is then as before
 */
export async function takePlace({ draft, databasePath, force, now }: PlaceRequest): Promise<string | null> {
  const isThere = await exists(databasePath);
  const isSound = isThere && await closeForGood(databasePath, force);
  const aside = `${databasePath}.before-${new Date(now()).toISOString()}`;
  // SQLite would treat a log without its file as the new file's log. For a damaged file the log may hold data worth
  // saving.
  if (!isSound) await moveBeside(databasePath, aside);
  if (isThere) await replace(draft, databasePath, aside);
  else await link(draft, databasePath);
  await syncFolder(dirname(databasePath));
  return isThere ? aside : null;
}

async function replace(draft: string, databasePath: string, aside: string): Promise<void> {
  await link(databasePath, aside);
  try {
    await rename(draft, databasePath);
  } catch (error) {
    await rm(aside);
    throw error;
  }
  if (await exists(`${databasePath}-wal`)) {
    await rename(aside, databasePath);
    throw new BackupError("The database is in use: an edge was started during the restore. Stop it first.");
  }
}

/**
 * Folds the write-ahead log into the file, so that SQLite cannot use it for the restored one. SQLite allows this only
 * to a sole connection. Returns whether the file is intact.
 *
 * @throws BackupError when there are other connections, or when the file is too damaged to check and `force` is false
 */
export async function closeForGood(path: string, force: boolean): Promise<boolean> {
  // Opening a file that is not a database would delete its log. Another file's log would become part of this file.
  if (await readHeader(path) !== null && !await isUnderForeignLog(path)) {
    const db = new DatabaseSync(path);
    try {
      db.exec("PRAGMA journal_mode = DELETE");
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!/not a database|malformed/.test(reason)) {
        throw new BackupError(
          `The database is in use (${reason}). Stop every edge first; sites may keep running.`,
        );
      }
    } finally {
      db.close();
    }
  }
  if (force) return false;
  throw new BackupError(
    `${path} is damaged, so this command cannot see whether an edge has it open. Stop every edge, then add --force.`,
  );
}

async function moveBeside(from: string, to: string): Promise<void> {
  for (const end of BESIDE) {
    if (await exists(from + end)) await rename(from + end, to + end);
  }
}

/** Returns whether a file or link of that name exists. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}
