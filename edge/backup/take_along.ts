/**
 * What was lost with the time since a backup and would do harm: sites that joined in it, for what they tapped nobody else
 * can tell, removals that somebody entered, and campaigns that were stopped: nobody would press a button for them to go
 * on. Those who replied are heard again from the sites.
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

const STOPPED = "SELECT id, client, paused_by FROM campaigns WHERE status IN ('paused', 'cancelled')";
// A cancelled one waits as well: whoever cancelled it does so again, and then every unit is settled as ever.
const STOP = `UPDATE campaigns SET status = 'paused',
    paused_by = iif(:paused_by IN ('client', 'admin'), :paused_by, 'admin')
  WHERE id = :id AND client = :client AND status IN ('processing', 'active')`;

export interface TakenAlong {
  /** Names of the sites that joined, or got a new machine. */
  joined: string[];
  /** How many removals were entered. */
  removals: number;
  /** How many campaigns wait at "paused" because they were paused or cancelled. */
  stopped: number;
}

/**
 * Makes these known to `draft`, a copy of a backup, as the database that it is to replace knows them. One of another
 * installation, or one too damaged to read, tells nothing.
 */
export function takeAlong(databasePath: string, draft: string): TakenAlong {
  using to = new DatabaseSync(draft);
  const later = readLater(databasePath, {
    beginning: to.prepare(BEGINNING).get()?.hash,
    lastRemoval: Number(to.prepare(LAST_REMOVAL).get()!.id),
  });
  const [newMachine, newSite, remove, stop] = [NEW_MACHINE, NEW_SITE, REMOVE, STOP].map((sql) =>
    to.prepare(sql)
  );
  to.exec("BEGIN");
  const joined = later.sites.filter((site) => {
    const { id, public_key, epoch, journal_id, journal_counter } = site;
    const machine = { id, public_key, epoch, journal_id, journal_counter };
    return newMachine!.run(machine).changes > 0 || newSite!.run(site).changes > 0;
  }).map(({ name }) => String(name));
  const removals = later.removals.filter((removal) => remove!.run(removal).changes > 0).length;
  const stopped =
    later.stopped.filter(({ id, client, paused_by }) => stop!.run({ id, client, paused_by }).changes > 0)
      .length;
  to.exec("COMMIT");
  return { joined, removals, stopped };
}

function readLater(
  databasePath: string,
  { beginning, lastRemoval }: { beginning: unknown; lastRemoval: number },
) {
  try {
    using from = new DatabaseSync(databasePath, { readOnly: true });
    if (beginning !== undefined && from.prepare(BEGINNING).get()?.hash === beginning) {
      const [sites, stopped] = [JOINED, STOPPED].map((sql) => from.prepare(sql).all());
      return { sites: sites!, removals: from.prepare(REMOVALS).all(lastRemoval), stopped: stopped! };
    }
  } catch {
    // Too damaged, or none.
  }
  return { sites: [], removals: [], stopped: [] };
}
