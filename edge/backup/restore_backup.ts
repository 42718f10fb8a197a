import { copyFile, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { opensSealed } from "../audit_log/mark_key.ts";
import type { AppKeys } from "../keys/app_key.ts";
import { noteRestore } from "../audit_log/note_restore.ts";
import type { ChainParts, EdgeContext } from "../context.ts";
import { connectDatabase } from "../db/connect.ts";
import { migrateDatabase, readMigrations, readSchema } from "../db/migrate.ts";
import { syncFile } from "../db/sync_file.ts";
import { isCopyFile } from "../opening/refuse_file.ts";
import { noteLostTime } from "../queue/pause_unreported.ts";
import { beginAgain } from "./begin_again.ts";
import { checkDatabase } from "./make_backup.ts";
import {
  BackupError,
  DATABASE_FILE,
  hashFile,
  type Manifest,
  MANIFEST_FILE,
  manifestSchema,
} from "./manifest.ts";
import { BESIDE, closeForGood, exists, takePlace } from "./take_place.ts";
import { takeAlong, type TakenAlong } from "./take_along.ts";

export interface RestoreRequest {
  /** Folder of a backup. */
  folder: string;
  databasePath: string;
  /**
   * True = a missing database is intended, and a new one is made. Otherwise a missing one means a wrong path, and is
   * refused.
   */
  makeNew?: boolean;
  /** Treat a damaged database as one that no process has open. */
  force?: boolean;
  /** Keys of the installation. Without them every key of marks counts as one that they open. */
  appKeys?: AppKeys;
}

export interface Restored {
  manifest: Manifest;
  /** New path of the earlier database, or null when there was none. */
  putAside: string | null;
  /** The earlier database's knowledge about the time since the backup. */
  along: TakenAlong;
  /** How many campaigns were paused because the sites no longer remember everything they sent since. */
  forgotten: number;
}

const GENERATION = "SELECT value FROM system WHERE key = 'generation'";

/**
 * Replaces a database that no edge has open with a backup. The copy begins its new generation before it gets the
 * database's name, so no edge ever serves the unprepared copy. The earlier database is put aside and never deleted.
 *
 * @throws BackupError when the backup is damaged or of a newer release, when the database is missing, or when an edge
 * still runs; nothing is changed then
 */
export async function restoreBackup(
  ctx: Pick<EdgeContext, "now" | "randomBytes"> & { audit: ChainParts },
  { folder, databasePath: named, makeNew = false, force = false, appKeys }: RestoreRequest,
): Promise<Restored> {
  const manifest = await checkBackup(folder);
  await checkPlace(named, makeNew);
  // For a link, SQLite keeps the log beside the file itself.
  const databasePath = await exists(named) ? await realpath(named) : named;
  // A backup's copy put there by hand knows nothing of the lost time, even beside another file's log.
  const isAsked = !await isCopyFile(databasePath);
  // This early check only saves waiting for a refusal: an edge may still start later.
  if (await exists(databasePath)) await closeForGood(databasePath, force);
  const draft = `${databasePath}.restoring`;
  const leftovers = [draft, ...BESIDE.map((end) => draft + end)];
  try {
    // SQLite would treat the log of a killed restore as this copy's log.
    await removeAll(leftovers);
    const { along, forgotten } = await makeDraft(ctx, {
      backup: join(folder, DATABASE_FILE),
      draft,
      databasePath: isAsked ? databasePath : null,
      appKeys,
    });
    const putAside = await takePlace({ draft, databasePath, force, now: ctx.now });
    await noteRestore(ctx).catch((error) => {
      throw new BackupError(
        `The database is restored, but the record of it in DATA_DIR failed (${error.message}). Run deno task restored.`,
      );
    });
    return { manifest, putAside, along, forgotten };
  } finally {
    await removeAll(leftovers);
  }
}

/** Checks that the path has a database. @throws BackupError when it has none and none is to be made */
export async function checkPlace(databasePath: string, makeNew: boolean): Promise<void> {
  if (makeNew || await exists(databasePath)) return;
  throw new BackupError(
    `There is no database at ${databasePath}. Set DATA_DIR to its folder, or add --new to create one there.`,
  );
}

/**
 * Makes a servable copy of the backup, in one file on the disk. Returns what it took along from the earlier database.
 */
async function makeDraft(
  ctx: Pick<EdgeContext, "now" | "randomBytes">,
  { backup, draft, databasePath, appKeys }: {
    backup: string;
    draft: string;
    databasePath: string | null;
    appKeys: AppKeys | undefined;
  },
): Promise<{ along: TakenAlong; forgotten: number }> {
  await copyFile(backup, draft);
  const db = await connectDatabase(`file:${draft}`);
  let along: TakenAlong;
  let forgotten: number;
  try {
    await migrateDatabase(db, await readSchema());
    // Note the lost time before any later data is written to the database.
    await noteLostTime(db, ctx.now());
    // Take it along before the new generation begins, so that these sites must report to it too.
    along = await takeAlong(databasePath, draft, {
      now: ctx.now(),
      opensKey: async (sealed) => appKeys === undefined || await opensSealed(sealed, appKeys),
    });
    forgotten = await beginAgain({ ...ctx, db }, { isNoted: true });
  } finally {
    db.close();
  }
  foldLog(draft);
  checkDatabase(draft);
  if (generationOf(draft) === generationOf(backup)) {
    throw new BackupError("The copy did not get its new generation. Nothing was changed; try again.");
  }
  await syncFile(draft);
  return { along, forgotten };
}

/** Folds the log into the file. A close does so too, but does not report a failure. */
function foldLog(path: string): void {
  using db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = DELETE");
}

function generationOf(path: string): unknown {
  using db = new DatabaseSync(path, { readOnly: true });
  return db.prepare(GENERATION).get()?.value;
}

async function removeAll(paths: string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}

/** Reads the manifest and checks every byte it covers. @throws BackupError */
async function checkBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), "utf8").catch(() => {
    throw new BackupError(`${folder} is not a backup: it has no ${MANIFEST_FILE}.`);
  });
  const manifest = manifestSchema.safeParse(parseJson(text));
  if (!manifest.success) {
    throw new BackupError(`${folder} is not a backup: its ${MANIFEST_FILE} was not made by this program.`);
  }
  const path = join(folder, DATABASE_FILE);
  const sha256 = await hashFile(path).catch(() => "missing");
  if (sha256 !== manifest.data.sha256) throw new BackupError("The backup is damaged: its checksum differs.");
  const ours = new Set((await readMigrations()).map(({ name }) => name));
  const unknown = checkDatabase(path).find((name) => !ours.has(name));
  if (unknown !== undefined) {
    throw new BackupError(
      `A newer release made the backup: it has the migration ${unknown}. Restore it with that release.`,
    );
  }
  return manifest.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
