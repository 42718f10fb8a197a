/** Sites that joined after a backup was made: what they tapped since, nobody else can tell. */
import { DatabaseSync } from "node:sqlite";

// Rows of the audit log are never removed: two databases with one beginning are of one installation.
const BEGINNING = "SELECT hash FROM audit_log WHERE id = 1 AND hash IS NOT NULL";
const JOINED = `SELECT id, name, public_key, epoch, journal_id, journal_counter, created_at FROM sites
  WHERE public_key IS NOT NULL AND revoked = 0`;
const NEW_MACHINE = `UPDATE sites SET public_key = :public_key, epoch = max(epoch, :epoch),
    journal_id = :journal_id, journal_counter = :journal_counter
  WHERE id = :id AND revoked = 0 AND public_key IS NOT :public_key`;
const NEW_SITE = `INSERT INTO sites (id, name, public_key, epoch, journal_id, journal_counter, created_at)
  SELECT :id, :name, :public_key, :epoch, :journal_id, :journal_counter, :created_at
  WHERE NOT EXISTS (SELECT 1 FROM sites WHERE id = :id)`;

/**
 * Makes the sites and the machines that joined later known to `draft`, a copy of a backup, as the database that it is
 * to replace knows them, and answers their names. One of another installation, or one too damaged to read, tells nothing.
 */
export function takeSites(databasePath: string, draft: string): string[] {
  using to = new DatabaseSync(draft);
  const beginning = to.prepare(BEGINNING).get()?.hash;
  const [newMachine, newSite] = [NEW_MACHINE, NEW_SITE].map((sql) => to.prepare(sql));
  return readJoined(databasePath, beginning).filter((site) => {
    const { id, public_key, epoch, journal_id, journal_counter } = site;
    const machine = { id, public_key, epoch, journal_id, journal_counter };
    return newMachine!.run(machine).changes > 0 || newSite!.run(site).changes > 0;
  }).map(({ name }) => String(name));
}

function readJoined(databasePath: string, beginning: unknown) {
  try {
    using from = new DatabaseSync(databasePath, { readOnly: true });
    const isSame = beginning !== undefined && from.prepare(BEGINNING).get()?.hash === beginning;
    return isSame ? from.prepare(JOINED).all() : [];
  } catch {
    return [];
  }
}
