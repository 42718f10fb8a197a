/** Figures of a database file: its size, the free room on its disk, and the age of its newest backup. */
import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { BACKUPS_FOLDER } from "../backup/manifest.ts";
import { readNewestBackup } from "../backup/newest_backup.ts";

export interface FilePlaces {
  databasePath: string;
  dataDir: string;
}

export interface FileFigures {
  /** Includes the write-ahead log. */
  databaseBytes: number;
  /** The room that the edge's user may still fill. */
  freeBytes: number;
  /** Null = there is no backup in DATA_DIR. */
  backupAgeSeconds: number | null;
}

/** Reads the figures; `now` in milliseconds. @throws {Error} when the database or its disk cannot be read */
export async function readFileFigures(
  { databasePath, dataDir }: FilePlaces,
  now: number,
): Promise<FileFigures> {
  const [database, log, disk, backupAt] = await Promise.all([
    stat(databasePath),
    // SQLite removes it when the last edge has stopped.
    stat(`${databasePath}-wal`).catch(() => ({ size: 0 })),
    statfs(databasePath),
    readNewestBackup(join(dataDir, BACKUPS_FOLDER)),
  ]);
  return {
    databaseBytes: database.size + log.size,
    freeBytes: disk.bavail * disk.bsize,
    backupAgeSeconds: backupAt === null ? null : Math.max(0, now - backupAt) / 1000,
  };
}
