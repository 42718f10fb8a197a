/** The journal's file: its tables, how it is opened, and its possible faults. */
import { DatabaseSync } from "node:sqlite";
import { errorText } from "../log.ts";

/** Thrown when another process holds this journal. */
export class JournalLockedError extends Error {
  override name = "JournalLockedError";
}

/** Thrown when a write did not reach the disk, or the journal cannot be written at all. */
export class JournalWriteError extends Error {
  override name = "JournalWriteError";
}

/** Thrown when the file is not a journal, or is damaged. */
export class JournalDamagedError extends Error {
  override name = "JournalDamagedError";
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (
  one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, counter INTEGER NOT NULL, answered_generation TEXT);
CREATE TABLE IF NOT EXISTS openings (one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS messages (
  token TEXT PRIMARY KEY, campaign INTEGER NOT NULL, text TEXT NOT NULL, image TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS deliveries (
  token TEXT NOT NULL, phone TEXT NOT NULL, attempt INTEGER NOT NULL, account TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('leased','tapping','sent','failed','unknown','void')),
  reason TEXT, temporary INTEGER NOT NULL DEFAULT 0, tap TEXT, tapped_at INTEGER, updated_at INTEGER NOT NULL,
  seq INTEGER PRIMARY KEY, UNIQUE (token, phone));
CREATE INDEX IF NOT EXISTS deliveries_by_state ON deliveries (state, seq);
CREATE TABLE IF NOT EXISTS archive (
  campaign INTEGER NOT NULL, phone TEXT NOT NULL, token TEXT NOT NULL, attempt INTEGER NOT NULL,
  outcome TEXT NOT NULL, account TEXT NOT NULL, at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS archive_by_time ON archive (at);
CREATE INDEX IF NOT EXISTS archive_by_phone ON archive (phone);
CREATE TABLE IF NOT EXISTS replies (
  id TEXT PRIMARY KEY, phone TEXT NOT NULL, account TEXT NOT NULL, decision TEXT NOT NULL, excerpt TEXT NOT NULL,
  at INTEGER NOT NULL, seen_at INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS database_mark (
  one INTEGER PRIMARY KEY CHECK (one = 1), generation TEXT NOT NULL, event INTEGER NOT NULL, hmac TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS devices (
  device TEXT PRIMARY KEY, last_tap_at INTEGER, stopped INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS device_apps (
  device TEXT NOT NULL, app TEXT NOT NULL, version TEXT NOT NULL, PRIMARY KEY (device, app)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS app_versions (
  app TEXT NOT NULL, version TEXT NOT NULL, proven INTEGER NOT NULL DEFAULT 0,
  arrived INTEGER NOT NULL DEFAULT 0, rehearsed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (app, version)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS drafts (
  account TEXT NOT NULL, phone TEXT NOT NULL, text TEXT NOT NULL, is_picture INTEGER NOT NULL, at INTEGER NOT NULL,
  deleting INTEGER NOT NULL DEFAULT 0, UNIQUE (account, phone, text, is_picture));
`;
/** Kept for good, unlike outcomes: a phone that was tried once needs no second trial. */
const DEVICE_TRIALS = `
CREATE TABLE device_trials (device TEXT PRIMARY KEY, rehearsed_at INTEGER, proven_at INTEGER) WITHOUT ROWID;
INSERT INTO device_trials (device, proven_at)
  SELECT substr(account, 1, instr(account, '/') - 1) AS device, min(at) FROM
    (SELECT account, at FROM archive WHERE outcome = 'sent'
     UNION ALL SELECT account, tapped_at FROM deliveries WHERE state = 'sent')
  WHERE instr(account, '/') > 1 GROUP BY 1;
`;

/**
 * Opens or makes the file, tries to write to it, and holds it. `newId` is the identity of a new file.
 *
 * @throws {JournalLockedError} when another process has it open
 * @throws {JournalDamagedError} when it cannot be read
 * @throws {JournalWriteError} when it cannot be written
 */
export function openJournalFile(path: string, newId: string): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path);
    // The first write takes the exclusive lock and keeps it. WAL then needs no shared memory file.
    db.exec(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON",
    );
    const found = db.prepare("PRAGMA quick_check(1)").get()?.quick_check;
    if (found !== "ok") throw new Error(`database disk image is malformed: ${found}`);
    db.exec(`BEGIN IMMEDIATE; ${SCHEMA}`);
    db.prepare("INSERT OR IGNORE INTO meta (one, id, counter) VALUES (1, ?, 0)").run(newId);
    // The edge's time, null where it was not known.
    for (const table of ["deliveries", "archive"]) addColumn(db, table, "edge_at", "INTEGER");
    addColumn(db, "drafts", "deleting", "INTEGER NOT NULL DEFAULT 0");
    // A row's own text, null where the text of its lease is meant. It goes with the row.
    addColumn(db, "deliveries", "text", "TEXT");
    addTrials(db);
    // Change the row: an unchanged row would not be written, and the disk not tried.
    db.exec("INSERT INTO openings VALUES (1, 1) ON CONFLICT DO UPDATE SET count = count + 1");
    db.exec("COMMIT");
    return db;
  } catch (cause) {
    db?.close();
    throw openError(path, cause);
  }
}

/** Adds a column that a journal of an earlier release lacks. */
function addColumn(db: DatabaseSync, table: string, column: string, type: string): void {
  const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  if (columns.some(({ name }) => name === column)) return;
  db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
}

/** Adds the table of trials. In a journal of an earlier release, the sends that it still knows prove their phones. */
function addTrials(db: DatabaseSync): void {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'device_trials'").get()) return;
  db.exec(DEVICE_TRIALS);
}

/** node:sqlite gives no error classes: only SQLite's own words differ. */
function openError(path: string, cause: unknown): Error {
  const why = errorText(cause);
  if (/locked|busy/i.test(why)) {
    return new JournalLockedError(`Cannot open journal "${path}": another agent has it open`, { cause });
  }
  if (/not a database|malformed/i.test(why)) {
    return new JournalDamagedError(`Cannot read journal "${path}": it is damaged (${why})`, { cause });
  }
  return new JournalWriteError(`Cannot write journal "${path}": ${why}`, { cause });
}
