/**
 * Copies what a restore would lose and what would do harm if it were lost:
 *
 * - sites that joined since the backup, because only they know what they tapped;
 * - removals, however they came: no site knows of one that was entered, decided, or asked by a link. Sites report
 *   replies again, but a site may be gone;
 * - the stop of a campaign and the taking back of its send, which otherwise would go on without a person's decision;
 * - marks of erased and blocked numbers, with the key that made them: the edge searches for the numbers again.
 */
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

type Row = Record<string, SQLOutputValue>;

// Rows of the audit log are never removed: two databases with the same first row belong to one installation.
const BEGINNING = "SELECT hash FROM audit_log WHERE id = 1 AND hash IS NOT NULL";
const JOINED = `SELECT id, name, public_key, epoch, journal_id, journal_counter, created_at FROM sites
  WHERE public_key IS NOT NULL AND revoked = 0`;
// Enrolling raises the epoch. A database older than the backup knows an earlier machine.
const NEW_MACHINE = `UPDATE sites SET public_key = :public_key, epoch = :epoch,
    journal_id = :journal_id, journal_counter = :journal_counter
  WHERE id = :id AND revoked = 0 AND public_key IS NOT :public_key AND epoch <= :epoch`;
const NEW_SITE = `INSERT INTO sites (id, name, public_key, epoch, journal_id, journal_counter, created_at)
  SELECT :id, :name, :public_key, :epoch, :journal_id, :journal_counter, :created_at
  WHERE NOT EXISTS (SELECT 1 FROM sites WHERE id = :id)`;

// Row ids only rise.
const LAST_REMOVAL = "SELECT coalesce(max(id), 0) AS id FROM suppressions";
// `*` because the table of an older release has no column `listed_as`.
const REMOVALS = "SELECT * FROM suppressions WHERE id > ? ORDER BY id";
const REMOVE = `INSERT INTO suppressions (client, phone, source, at, listed_as)
  VALUES (:client, :phone, :source, :at, :listed_as) ON CONFLICT (phone, client) DO NOTHING`;
// The client listed the number before the backup, and its owner asked since: the client may no longer take it back.
const ASKED = "SELECT client, phone FROM suppressions WHERE id <= ? AND source = 'reply'";
const ASK = `UPDATE suppressions SET listed_as = source, source = 'reply'
  WHERE client = :client AND phone = :phone AND source <> 'reply'`;

const STOPPED = "SELECT id, client, paused_by FROM campaigns WHERE status IN ('paused', 'cancelled')";
const LAST_ENTRY = "SELECT coalesce(max(id), 0) AS id FROM quota_ledger";
// A send that was taken back, also if the campaign was then deleted, or sent again with other words.
const TAKEN_BACK = `SELECT DISTINCT campaign AS id, client, 'client' AS paused_by FROM quota_ledger
  WHERE kind = 'release' AND id > ?`;
// A cancelled campaign is paused too: a person cancels it again, and that settles every unit as usual.
const STOP = `UPDATE campaigns SET status = 'paused',
    paused_by = iif(:paused_by IN ('client', 'admin'), :paused_by, 'admin')
  WHERE id = :id AND client = :client AND status IN ('processing', 'active')`;

const LAST_AUDIT_ROW = "SELECT coalesce(max(id), 0) AS id FROM audit_log";
const MARK_KEY = "SELECT value FROM system WHERE key = 'mark_key'";
// The earlier database's key opens its marks. Marks that the backup has under another key can no longer be compared.
const KEEP_MARK_KEY = `INSERT INTO system (key, value) VALUES ('mark_key', :value)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
const BLOCKED = "SELECT mark, bucket, at FROM blocked_marks";
const BLOCK =
  "INSERT INTO blocked_marks (mark, bucket, at) VALUES (:mark, :bucket, :at) ON CONFLICT (mark) DO NOTHING";
const ERASURES =
  `SELECT id, at, user, reason, mark, nonce, hash, blocked, removed, database_at, scrubbed_at, done_at
  FROM erasures`;
// An erasure that the backup knows as begun continues there by itself.
const ERASE_AGAIN = `INSERT INTO erasures
    (id, at, user, reason, mark, nonce, hash, blocked, removed, database_at, scrubbed_at, done_at, to_repeat)
  VALUES (:id, :at, :user, :reason, :mark, :nonce, :hash, :blocked, :removed, :database_at, :scrubbed_at, :done_at, 1)
  ON CONFLICT (id) DO NOTHING`;
// `*` because the table of an older release has no column `hash`.
const ERASURE_SITES = "SELECT * FROM erasure_sites";
const ASK_SITE = `INSERT INTO erasure_sites (erasure, site, answered_at, removed, hash)
  SELECT :erasure, :site, :answered_at, :removed, :hash WHERE EXISTS (SELECT 1 FROM sites WHERE id = :site)
  ON CONFLICT (erasure, site) DO NOTHING`;

const CAMPAIGNS = "SELECT id, client FROM campaigns WHERE id > ?";
const LAST_CAMPAIGN = "SELECT coalesce(max(id), 0) AS id FROM campaigns";
// Sites report which numbers a lost campaign reached, but not its client.
const KNOW_CAMPAIGN = `INSERT INTO lost_campaigns (id, client, at) SELECT :id, :client, :at
  WHERE EXISTS (SELECT 1 FROM users WHERE id = :client) ON CONFLICT (id) DO NOTHING`;

export interface TakenAlong {
  /** Whether the path had a readable database of this installation; if not, nothing was copied. */
  isKnown: boolean;
  /** Names of the sites that joined, or got a new machine. */
  joined: string[];
  /** Number of removals. */
  removals: number;
  /** Number of campaigns now "paused" because they were paused or cancelled. */
  stopped: number;
  /** Number of erasures that the edge repeats. */
  erasures: number;
}

/**
 * Copies these from the database that is being replaced into `draft`, a migrated copy of a backup. A database of
 * another installation, or one too damaged to read, gives nothing; null = there is none.
 *
 * @param opensKey returns whether the installation's present keys open a sealed key of marks
 */
export async function takeAlong(
  databasePath: string | null,
  draft: string,
  { now, opensKey }: { now: number; opensKey(sealed: string): Promise<boolean> },
): Promise<TakenAlong> {
  using to = new DatabaseSync(draft);
  const later = readLater(databasePath, {
    beginning: to.prepare(BEGINNING).get()?.hash,
    lastRemoval: Number(to.prepare(LAST_REMOVAL).get()!.id),
    lastCampaign: Number(to.prepare(LAST_CAMPAIGN).get()!.id),
    lastEntry: Number(to.prepare(LAST_ENTRY).get()!.id),
  });
  // An older database's may be sealed under an APP_KEY that is gone: no edge would start with it.
  const takesKey = later.markKey !== undefined &&
    later.lastAuditRow >= Number(to.prepare(LAST_AUDIT_ROW).get()!.id) &&
    await opensKey(String(later.markKey));
  const [newMachine, newSite, remove, ask, stop] = [NEW_MACHINE, NEW_SITE, REMOVE, ASK, STOP].map((sql) =>
    to.prepare(sql)
  );
  to.exec("BEGIN");
  const joined = later.sites.filter((site) => {
    const { id, public_key, epoch, journal_id, journal_counter } = site;
    const machine = { id, public_key, epoch, journal_id, journal_counter };
    return newMachine!.run(machine).changes > 0 || newSite!.run(site).changes > 0;
  }).map(({ name }) => String(name));
  const removals =
    later.removals.filter(({ client, phone, source, at, listed_as = null }) =>
      remove!.run({ client, phone, source, at, listed_as }).changes > 0
    ).length;
  for (const asked of later.asked) ask!.run(asked);
  const stopped =
    later.stopped.filter(({ id, client, paused_by }) => stop!.run({ id, client, paused_by }).changes > 0)
      .length;
  if (takesKey) to.prepare(KEEP_MARK_KEY).run({ value: later.markKey! });
  const [block, eraseAgain, askSite] = [BLOCK, ERASE_AGAIN, ASK_SITE].map((sql) => to.prepare(sql));
  for (const mark of later.blocked) block!.run(mark);
  const erasures = later.erasures.filter((erasure) => eraseAgain!.run(erasure).changes > 0).length;
  for (const { hash = null, ...asked } of later.erasureSites) askSite!.run({ ...asked, hash });
  const knowCampaign = to.prepare(KNOW_CAMPAIGN);
  for (const { id, client } of later.campaigns) knowCampaign.run({ id: id!, client: client!, at: now });
  to.exec("COMMIT");
  return { isKnown: later.isKnown, joined, removals, stopped, erasures };
}

interface Later {
  isKnown: boolean;
  sites: Row[];
  removals: Row[];
  asked: Row[];
  stopped: Row[];
  campaigns: Row[];
  lastAuditRow: number;
  markKey: SQLOutputValue | undefined;
  blocked: Row[];
  erasures: Row[];
  erasureSites: Row[];
}

const NOTHING: Later = {
  isKnown: false,
  sites: [],
  removals: [],
  asked: [],
  stopped: [],
  campaigns: [],
  lastAuditRow: 0,
  markKey: undefined,
  blocked: [],
  erasures: [],
  erasureSites: [],
};

function readLater(
  databasePath: string | null,
  { beginning, lastRemoval, lastCampaign, lastEntry }: {
    beginning: unknown;
    lastRemoval: number;
    lastCampaign: number;
    lastEntry: number;
  },
): Later {
  if (databasePath === null) return NOTHING;
  try {
    using from = new DatabaseSync(databasePath, { readOnly: true });
    if (beginning === undefined || from.prepare(BEGINNING).get()?.hash !== beginning) return NOTHING;
    const hasErasures =
      from.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'erasures'").get() !== undefined;
    const ofErasures = (sql: string) => hasErasures ? from.prepare(sql).all() : [];
    return {
      isKnown: true,
      sites: from.prepare(JOINED).all(),
      removals: from.prepare(REMOVALS).all(lastRemoval),
      asked: from.prepare(ASKED).all(lastRemoval),
      stopped: [...from.prepare(STOPPED).all(), ...from.prepare(TAKEN_BACK).all(lastEntry)],
      campaigns: from.prepare(CAMPAIGNS).all(lastCampaign),
      lastAuditRow: Number(from.prepare(LAST_AUDIT_ROW).get()!.id),
      markKey: from.prepare(MARK_KEY).get()?.value,
      blocked: ofErasures(BLOCKED),
      erasures: ofErasures(ERASURES),
      erasureSites: ofErasures(ERASURE_SITES),
    };
  } catch {
    // Too damaged, or missing.
    return NOTHING;
  }
}
