import { link, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BackupError, syncFolder } from "./manifest.ts";

export interface PlaceRequest {
  /** A whole database, one file in the same folder. */
  draft: string;
  databasePath: string;
  /** Take a damaged database for one that nobody has open. */
  force: boolean;
  /** Milliseconds; names what is put aside. */
  now(): number;
}

/** What SQLite keeps beside a database that is open, or was when its process ended. */
export const BESIDE = ["-wal", "-shm", "-journal"];
const HEADER = "SQLite format 3\0";

/**
 * Gives `draft` the database's name in one step, so that at any moment one of the two has it, and answers where the
 * database of before was put, or null when there was none. Nobody may have that open: it is asked at the last moment,
 * and once more when it is done, for whoever opened it in between has its log where the new one's would be.
 *
 * @throws BackupError when somebody has the database open; everything is as it was then
 */
export async function takePlace({ draft, databasePath, force, now }: PlaceRequest): Promise<string | null> {
  const isThere = await exists(databasePath);
  const isSound = isThere && await closeForGood(databasePath, force);
  const aside = `${databasePath}.before-${new Date(now()).toISOString()}`;
  // A log that outlived its file would be taken for the new one's; of a damaged file it is what may be saved.
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
 * Folds the write-ahead log into the file, so that none is left to be taken for the restored one's. SQLite grants this
 * to the only connection alone. Answers whether the file is sound.
 *
 * @throws BackupError when there are others, or when the file is too damaged to ask and nobody vouches for it
 */
export async function closeForGood(path: string, force: boolean): Promise<boolean> {
  // Opening what is none would delete its log.
  if (await hasHeader(path)) {
    const db = new DatabaseSync(path);
    try {
      db.exec("PRAGMA journal_mode = DELETE");
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!/not a database|malformed/.test(reason)) {
        throw new BackupError(`The database is in use (${reason}). Stop every edge first; sites may go on.`);
      }
    } finally {
      db.close();
    }
  }
  if (force) return false;
  throw new BackupError(
    `${path} is damaged, and cannot tell whether an edge has it open. Stop every edge, then add --force.`,
  );
}

async function hasHeader(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(new Uint8Array(HEADER.length), 0, HEADER.length, 0);
    return new TextDecoder().decode(buffer) === HEADER;
  } finally {
    await file.close();
  }
}

async function moveBeside(from: string, to: string): Promise<void> {
  for (const end of BESIDE) {
    if (await exists(from + end)) await rename(from + end, to + end);
  }
}

/** Whether anything has that name. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}
