/**
 * Checks a database file before SQLite opens it: opening writes, and applies a log even if it belongs to another file.
 */
import { access, constants, stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { COPY_APPLICATION_ID } from "../db/copy_mark.ts";
import type { Config } from "../config.ts";
import { filePathOf } from "../db/connect.ts";
import { hasLogBeside, readHeader } from "../db/file_header.ts";
import { isUnderForeignLog } from "../db/file_mark.ts";
import { tracesOfBefore } from "./first_start.ts";
import { DatabaseRefusedError } from "./refused_error.ts";

// https://www.sqlite.org/fileformat.html#the_database_header
const PAGE_SIZE_AT = 16;
const CHANGES_AT = 24;
const PAGES_AT = 28;
const APPLICATION_ID_AT = 68;
const PAGES_VALID_FOR_AT = 92;

const OURS = "schema_migrations";
const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY name <> '${OURS}' LIMIT 1`;

const RIGHT_ONE = "Set DATABASE_URL or DATA_DIR to the right one";
const RESTORE = "Stop every edge and restore a backup: deno task restore <folder>";

/**
 * Refuses a database file that must not be served: a backup's copy put there by hand, or a file that is cut short or
 * not a database. It also refuses a missing or empty file where DATA_DIR proves an earlier one.
 *
 * @throws DatabaseRefusedError
 */
export async function refuseFile(
  config: Pick<Config, "dataDir" | "databaseUrl" | "keepsFiles">,
): Promise<void> {
  const path = filePathOf(config.databaseUrl);
  if (path === null) return;
  // Read them first: an edge that starts at the same time makes the tables before it leaves a trace.
  const traces = await tracesOfBefore(config);
  const file = await stat(path).catch(() => null);
  if (file !== null && !file.isFile()) {
    throw new DatabaseRefusedError(`${path} is not a file. ${RIGHT_ONE}.`);
  }
  await refuseUnwritable(path);
  if (file === null) return refuseNone(config.dataDir, traces, `There is no database at ${path}`);
  if (file.size === 0) return refuseNone(config.dataDir, traces, `The database at ${path} is empty`);
  const header = await readHeader(path);
  if (header === null) {
    throw new DatabaseRefusedError(`${path} is not an SQLite database. ${RESTORE} --force.`);
  }
  const hasLog = await hasLogBeside(path);
  refuseCopy(path, header, hasLog);
  if (!hasLog && isCut(header, file.size)) {
    throw new DatabaseRefusedError(`${path} is damaged: its end is missing. ${RESTORE} --force.`);
  }
  if (hasLog) await refuseForeignPages(path);
  const table = firstTable(path);
  if (table === null) return refuseNone(config.dataDir, traces, `The database at ${path} is empty`);
  if (table !== OURS) {
    throw new DatabaseRefusedError(
      `The database at ${path} belongs to another program: it has the table ${table}. ${RIGHT_ONE}, or restore a backup: deno ` +
        "task restore <folder>.",
    );
  }
}

/** Refuses a file or log that this user may not write: a command run by another user leaves such files. */
async function refuseUnwritable(path: string): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      await access(file, constants.R_OK | constants.W_OK);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOENT") continue;
      throw new DatabaseRefusedError(
        `The edge's user cannot write ${file} (${code}). Give this user the file and its folder, or check the disk.`,
      );
    }
  }
}

/** Refuses a missing or empty database, unless no trace shows that one was used here: then it is a first start. */
function refuseNone(dataDir: string, traces: string[], what: string): void {
  if (traces.length === 0) return;
  const names = traces.join(" and ");
  throw new DatabaseRefusedError(
    `${what}, but ${names} in DATA_DIR ${dataDir} ${
      traces.length > 1 ? "show" : "shows"
    } that there was one ` +
      "before. Bring it back, or restore a backup: deno task restore <folder> --new. To begin with an empty one on " +
      `purpose, remove ${names} first.`,
  );
}

/**
 * Refuses a file when its pages and those in its log are of different moments: an older file was put beside the log
 * of the previous database. SQLite cannot detect this. The file's mark shows it; the pages do too, if they do not fit.
 * A log exists only after an edge was killed; the check of the pages then takes some seconds for each gigabyte.
 */
async function refuseForeignPages(path: string): Promise<void> {
  const [reason] = await isUnderForeignLog(path)
    ? ["the file is older than its log"]
    : readOnly(path, (db) => Object.values(db.prepare("PRAGMA quick_check(1)").get()!));
  if (reason === "ok") return;
  throw new DatabaseRefusedError(
    `${path} and its log ${path}-wal belong to different databases or are damaged (${reason}). ${RESTORE} --force.`,
  );
}

/**
 * Returns `OURS` if that table exists, else another one, else null. It only reads: the file may belong to another
 * program.
 */
function firstTable(path: string): string | null {
  const row = readOnly(path, (db) => db.prepare(TABLES).get());
  return row === undefined ? null : String(row.name);
}

/** Reads a file that may belong to another program. @throws DatabaseRefusedError when SQLite finds it damaged */
function readOnly<T>(path: string, read: (db: DatabaseSync) => T): T {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    return read(db);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!/malformed|not a database/.test(reason)) throw error;
    throw new DatabaseRefusedError(`${path} is damaged (${reason}). ${RESTORE} --force.`);
  }
}

/**
 * Refuses a file beside the log of another one, for a command that prepares a copy.
 *
 * @throws DatabaseRefusedError
 */
export async function refuseForeignLog(databaseUrl: string): Promise<void> {
  const path = filePathOf(databaseUrl);
  const header = path === null ? null : await readHeader(path).catch(() => null);
  if (path === null || header === null || !await hasLogBeside(path)) return;
  refuseCopy(path, header, true);
  await refuseForeignPages(path);
}

/** Returns whether the file is a backup's copy, whatever a log beside it contains. */
export async function isCopyFile(path: string): Promise<boolean> {
  const header = await readHeader(path).catch(() => null);
  return header !== null && isCopy(header);
}

function refuseCopy(path: string, header: DataView, hasLog: boolean): void {
  if (!isCopy(header)) return;
  if (!hasLog) throw new DatabaseRefusedError(copyRefusal(path));
  throw new DatabaseRefusedError(
    `${path} is a backup's copy, and ${path}-wal is the log of the database before it: they do not fit together. ` +
      `${RESTORE}.`,
  );
}

/** Returns the sentence that refuses a backup's copy. */
export function copyRefusal(name: string): string {
  return `${name} is a backup's copy that was put there by hand. If the edge served it, people would get messages twice. ` +
    "Stop every edge and run deno task restore <folder of the backup>, or, where that folder is gone, deno task " +
    "restored.";
}

function isCopy(header: DataView): boolean {
  return header.getUint32(APPLICATION_ID_AT) === COPY_APPLICATION_ID;
}

/** Returns whether pages are missing that no log beside the file could hold. */
function isCut(header: DataView, bytes: number): boolean {
  const pageSize = header.getUint16(PAGE_SIZE_AT);
  const isCounted = header.getUint32(CHANGES_AT) === header.getUint32(PAGES_VALID_FOR_AT);
  // 1 means 65,536.
  return isCounted && header.getUint32(PAGES_AT) * (pageSize === 1 ? 65_536 : pageSize) > bytes;
}
