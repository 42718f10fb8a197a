import { chmod, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { markCopy } from "../db/copy_mark.ts";
import {
  BackupError,
  DATABASE_FILE,
  hashFile,
  type Manifest,
  MANIFEST_FILE,
  syncFile,
  syncFolder,
} from "./manifest.ts";

export interface BackupRequest {
  /** Of the SQLite file that edges may be writing to. */
  databasePath: string;
  /** Where a folder named after the time is made. */
  under: string;
  /** Milliseconds. */
  now: number;
}

/**
 * Copies a living database as it was at one moment (SQLite's backup interface in one step: one read transaction, which
 * holds up no writer), checks the copy, and answers its folder. The folder gets its name when all is on the disk:
 * one that has it is whole.
 *
 * @throws BackupError
 */
export async function makeBackup({ databasePath, under, now }: BackupRequest): Promise<string> {
  await stat(databasePath).catch(() => {
    throw new BackupError(`There is no database at ${databasePath}.`);
  });
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

/** Not VACUUM INTO: it attaches a database, which the runtime grants only to a process that may do everything. */
async function copyDatabase(from: string, to: string): Promise<void> {
  using source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  // All pages in one step: in more, the copy would begin anew whenever an edge writes.
  await backup(source, to, { rate: -1 });
  using copy = new DatabaseSync(to);
  // One plain file, without a log beside it.
  copy.exec("PRAGMA journal_mode = DELETE");
}

/**
 * Reads every page and returns the names of the migrations.
 *
 * @throws BackupError when it is no sound database of ours
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
      `${path} is no database of ours: ${error instanceof Error ? error.message : error}`,
    );
  } finally {
    db.close();
  }
}
