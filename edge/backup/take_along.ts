/**
 * What was lost with the time since a backup and would do harm: sites that joined in it, for what they tapped nobody else
 * can tell, and removals that somebody entered. Those who replied are heard again from the sites.
 */
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

// Numbers of rows only rise.
const LAST_REMOVAL = "SELECT coalesce(max(id), 0) AS id FROM suppressions";
const REMOVALS =
  "SELECT client, phone, source, at FROM suppressions WHERE id > ? AND source <> 'reply' ORDER BY id";
const REMOVE = `INSERT INTO suppressions (client, phone, source, at) VALUES (:client, :phone, :source, :at)
  ON CONFLICT (phone, client) DO NOTHING`;

export interface TakenAlong {
  /** Names of the sites that joined, or got a new machine. */
  joined: string[];
  /** How many removals were entered. */
  removals: number;
}

/**
 * Makes both known to `draft`, a copy of a backup, as the database that it is to replace knows them. One of another
 * installation, or one too damaged to read, tells nothing.
 */
export function takeAlong(databasePath: string, draft: string): TakenAlong {
  using to = new DatabaseSync(draft);
  const later = readLater(databasePath, {
    beginning: to.prepare(BEGINNING).get()?.hash,
    lastRemoval: Number(to.prepare(LAST_REMOVAL).get()!.id),
  });
  const [newMachine, newSite, remove] = [NEW_MACHINE, NEW_SITE, REMOVE].map((sql) => to.prepare(sql));
  to.exec("BEGIN");
  const joined = later.sites.filter((site) => {
    const { id, public_key, epoch, journal_id, journal_counter } = site;
    const machine = { id, public_key, epoch, journal_id, journal_counter };
    return newMachine!.run(machine).changes > 0 || newSite!.run(site).changes > 0;
  }).map(({ name }) => String(name));
  const removals = later.removals.filter((removal) => remove!.run(removal).changes > 0).length;
  to.exec("COMMIT");
  return { joined, removals };
}

function readLater(
  databasePath: string,
  { beginning, lastRemoval }: { beginning: unknown; lastRemoval: number },
) {
  try {
    using from = new DatabaseSync(databasePath, { readOnly: true });
    if (beginning !== undefined && from.prepare(BEGINNING).get()?.hash === beginning) {
      return { sites: from.prepare(JOINED).all(), removals: from.prepare(REMOVALS).all(lastRemoval) };
    }
  } catch {
    // Too damaged, or none.
  }
  return { sites: [], removals: [] };
}
