/**
 * Which releases may use a database. Edges of two releases run side by side during a rolling restart, and both see
 * every campaign.
 */
import type { Client } from "@libsql/client/web";
import { statement } from "./statement.ts";

/**
 * Number of this release's abilities to send. Raise it by one with each change that adds a way to send: a kind of
 * campaign, a part of a message, a rule for the lease. Older edges then lease nothing from a database that this
 * release has opened.
 */
export const LEASE_RELEASE = 5;
/** Raise it with a change after which older edges cannot read the database: they then refuse to start. */
export const READ_RELEASE = 1;

const LEASE_RELEASE_KEY = "lease_release";
const READ_RELEASE_KEY = "read_release";

/** SQL condition: only releases newer than this one may lease from the database. */
export const LEASED_BY_NEWER = `EXISTS (SELECT 1 FROM system
  WHERE key = '${LEASE_RELEASE_KEY}' AND CAST(value AS INTEGER) > ${LEASE_RELEASE})`;

const READ = `SELECT
  coalesce((SELECT CAST(value AS INTEGER) FROM system WHERE key = '${LEASE_RELEASE_KEY}'), 0) AS lease,
  coalesce((SELECT CAST(value AS INTEGER) FROM system WHERE key = '${READ_RELEASE_KEY}'), 0) AS read`;
// When two edges start together, the higher value stays.
const RAISE = `INSERT INTO system (key, value) VALUES (:key, CAST(:release AS TEXT))
  ON CONFLICT (key) DO UPDATE SET value = excluded.value
  WHERE CAST(system.value AS INTEGER) < CAST(excluded.value AS INTEGER)`;

/** Returns the lowest releases that may read this database and lease from it; 0 = any. */
export async function readReleases(db: Client): Promise<{ lease: number; read: number }> {
  const { rows: [row] } = await db.execute(READ);
  return { lease: Number(row!.lease), read: Number(row!.read) };
}

/** Stores the releases that this edge requires of every edge. Call it before anything is served. */
export async function raiseReleases(db: Client): Promise<void> {
  const { lease, read } = await readReleases(db);
  // Usually nothing is due, and no lock is taken.
  if (lease >= LEASE_RELEASE && read >= READ_RELEASE) return;
  await db.batch([
    statement(RAISE, { key: LEASE_RELEASE_KEY, release: LEASE_RELEASE }),
    statement(RAISE, { key: READ_RELEASE_KEY, release: READ_RELEASE }),
  ], "write");
}
