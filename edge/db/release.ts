/**
 * Which releases a database may be used with. Edges of two releases run side by side while they are restarted one after
 * the other, and both see every campaign.
 */
import type { Client } from "@libsql/client/web";
import { statement } from "./statement.ts";

/**
 * What this release can send. A change that adds a way to send (a kind of campaign, a part of a message, a rule for the
 * lease) raises it by one: older edges then lease nothing from a database that this release has opened.
 */
export const LEASE_RELEASE = 1;
/** A change after which older edges can't even read the database raises it: they refuse to start then. */
export const READ_RELEASE = 1;

export const LEASE_RELEASE_KEY = "lease_release";
const READ_RELEASE_KEY = "read_release";

const READ = `SELECT
  coalesce((SELECT CAST(value AS INTEGER) FROM system WHERE key = '${LEASE_RELEASE_KEY}'), 0) AS lease,
  coalesce((SELECT CAST(value AS INTEGER) FROM system WHERE key = '${READ_RELEASE_KEY}'), 0) AS read`;
// Two edges that start together end with the higher one.
const RAISE = `INSERT INTO system (key, value) VALUES (:key, CAST(:release AS TEXT))
  ON CONFLICT (key) DO UPDATE SET value = excluded.value
  WHERE CAST(system.value AS INTEGER) < CAST(excluded.value AS INTEGER)`;

/** The least releases that may read this database and lease from it; 0 = any. */
export async function readReleases(db: Client): Promise<{ lease: number; read: number }> {
  const { rows: [row] } = await db.execute(READ);
  return { lease: Number(row!.lease), read: Number(row!.read) };
}

/** Stores what this release requires of every edge. Call it before anything is served. */
export async function raiseReleases(db: Client): Promise<void> {
  const { lease, read } = await readReleases(db);
  // The usual start takes no lock.
  if (lease >= LEASE_RELEASE && read >= READ_RELEASE) return;
  await db.batch([
    statement(RAISE, { key: LEASE_RELEASE_KEY, release: LEASE_RELEASE }),
    statement(RAISE, { key: READ_RELEASE_KEY, release: READ_RELEASE }),
  ], "write");
}
