import { chmod, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { markCopy } from "../db/copy_mark.ts";
import { isUnderForeignLog } from "../db/file_mark.ts";
import { syncFile, syncFolder } from "../db/sync_file.ts";
import { BackupError, DATABASE_FILE, hashFile, type Manifest, MANIFEST_FILE } from "./manifest.ts";

export interface BackupRequest {
  /** Path of the SQLite file; edges may be writing to it. */
  databasePath: string;
  /** Folder in which a new folder, named after the time, is made. */
  under: string;
  /** Current time in milliseconds. */
  now: number;
}

/**
 * Copies a live database as of one moment, checks the copy, and returns its folder. It uses SQLite's backup interface
 * in one step: one read transaction, which blocks no writer. The folder gets its final name after everything is on
 * the disk: a folder with such a name is complete.
 *
 * @throws BackupError
 */
export async function makeBackup({ databasePath, under, now }: BackupRequest): Promise<string> {
  await stat(databasePath).catch(() => {
    throw new BackupError(`There is no database at ${databasePath}.`);
  });
  if (await isUnderForeignLog(databasePath)) {
    throw new BackupError(`${databasePath} is older than its log. Start the edge to see what to do.`);
  }
  const madeAt = new Date(now).toISOString();
  const folder = join(under, madeAt.replaceAll(":", "-"));
  const unfinished = `${folder}.part`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    const path = join(unfinished, DATABASE_FILE);
    await copyDatabase(databasePath, path);
    checkDatabase(path);
    markCopy(path, madeAt);
    await chmod(path, 0o600);
    await syncFile(path);
    const { size } = await stat(path);
    const manifest: Manifest = {
      format: 1,
      madeAt,
      bytes: size,
      sha256: await hashFile(path),
      migrations: checkDatabase(path),
    };
    await writeFile(join(unfinished, MANIFEST_FILE), JSON.stringify(manifest, null, 2), { mode: 0o600 });
    await syncFile(join(unfinished, MANIFEST_FILE));
    await syncFolder(unfinished);
    await rename(unfinished, folder);
    await syncFolder(under);
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Copies without VACUUM INTO, which attaches a database: the runtime allows that only to a process with all
 * permissions.
 */
async function copyDatabase(from: string, to: string): Promise<void> {
  using source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  // All pages in one step: with more steps, the copy would begin again after each write of an edge.
  await backup(source, to, { rate: -1 });
  using copy = new DatabaseSync(to);
  // One plain file without a log.
  copy.exec("PRAGMA journal_mode = DELETE");
}

/**
 * Reads every page and returns the names of the migrations.
 *
 * @throws BackupError when it is not an intact database of ours
 */
export function checkDatabase(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const faults = db.prepare("PRAGMA quick_check").all().map((row) => String(row.quick_check));
    if (faults.join() !== "ok") throw new BackupError(`The file is damaged: ${faults[0]}`);
    return db.prepare("SELECT name FROM schema_migrations ORDER BY name").all().map(({ name }) =>
      String(name)
    );
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `${path} is not a database of this program: ${error instanceof Error ? error.message : error}`,
    );
  } finally {
    db.close();
  }
}
