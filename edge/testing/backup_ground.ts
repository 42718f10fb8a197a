/** A fleet whose database is backed up and restored, in a folder that is deleted with the test. */
import { backup, DatabaseSync } from "node:sqlite";
import { makeBackup } from "../backup/make_backup.ts";
import { restoreBackup } from "../backup/restore_backup.ts";
import { type Fleet, openFleet } from "./fleet.ts";

export interface BackupGround extends AsyncDisposable {
  fleet: Fleet;
  folder: string;
  back(): Promise<string>;
  /** Copies the database as it is now, as if the copy had always been there. */
  copyTo(path: string): Promise<void>;
  /** Restores a backup to a place without a database, and returns its path. */
  place(folder: string): Promise<string>;
}

export async function openBackupGround(): Promise<BackupGround> {
  const fleet = await openFleet();
  const folder = await Deno.makeTempDir({ prefix: "shigur-backup-" });
  return {
    fleet,
    folder,
    back: () => makeBackup({ databasePath: fleet.database.path, under: folder, now: fleet.ctx.now() }),
    async copyTo(path) {
      using source = new DatabaseSync(fleet.database.path, { readOnly: true });
      await backup(source, path, { rate: -1 });
    },
    async place(from) {
      const databasePath = `${folder}/shigur.db`;
      await restoreBackup(fleet.ctx, { folder: from, databasePath, makeNew: true });
      return databasePath;
    },
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Returns the rows of a database file, each as its values with commas. */
export function rows(path: string, sql: string): unknown[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare(sql).all().map((row) => Object.values(row).join());
  } finally {
    db.close();
  }
}
