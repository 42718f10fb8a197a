/**
 * The site's journal: every lease it holds and every outcome the edge has not yet acknowledged, on disk.
 * Each write is one transaction, synced before it returns, and raises the counter the edge compares.
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { AgentFrame, EdgeFrame, Outcome } from "shared/agent_protocol.ts";
import type { TapIntent } from "./phone/tap_intent.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import { ARCHIVE_MS } from "shared/lease.ts";
import type { RowState } from "./decide.ts";

export type LeaseFrame = Extract<EdgeFrame, { type: "lease" }>;
export type ArchivedOutcome = Extract<AgentFrame, { type: "outcomes" }>["items"][number];

export interface JournalRow {
  token: string;
  campaign: number;
  phone: string;
  attempt: number;
  account: string;
  text: string;
  /** SHA-256 of the image, or null. */
  image: string | null;
  state: RowState;
  reason: DeliveryReason | null;
  temporary: boolean;
  tap: TapIntent | null;
  tappedAt: number | null;
}

export interface RowChange {
  to: RowState;
  reason: DeliveryReason | null;
  temporary: boolean;
  tap?: TapIntent;
  tappedAt?: number;
}

/** Thrown when another process holds this journal. */
export class JournalLockedError extends Error {
  override name = "JournalLockedError";
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (
  one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, counter INTEGER NOT NULL, answered_generation TEXT);
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
CREATE TABLE IF NOT EXISTS devices (
  device TEXT PRIMARY KEY, last_tap_at INTEGER, stopped INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
`;

const SELECT_ROW =
  `SELECT d.token, m.campaign, d.phone, d.attempt, d.account, m.text, m.image, d.state, d.reason,
  d.temporary, d.tap, d.tapped_at FROM deliveries d JOIN messages m ON m.token = d.token`;

export class Journal {
  readonly id: string;
  /** The counter as found on disk, before this process wrote anything. */
  readonly counterAtOpen: number;
  #db: DatabaseSync;
  #now: () => number;
  #counter: number;
  /** The transaction under way, or null. */
  #open: { changed: boolean } | null = null;
  #statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();

  /**
   * Opens or makes the journal at `path` and holds it until `close()` or the end of the process.
   *
   * @throws {JournalLockedError} when another process has it open
   */
  constructor(path: string, options: { now: () => number; newId: () => string }) {
    this.#db = new DatabaseSync(path);
    this.#now = options.now;
    try {
      // The exclusive lock is taken with the first write and kept; WAL needs no shared memory file then.
      this.#db.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
      this.#db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    } catch (cause) {
      this.#db.close();
      if (cause instanceof Error && /locked|busy/i.test(cause.message)) {
        throw new JournalLockedError(`Cannot open journal "${path}": another agent has it open`, { cause });
      }
      throw cause;
    }
    this.#run("INSERT OR IGNORE INTO meta (one, id, counter) VALUES (1, ?, 0)", options.newId());
    const meta = this.#get("SELECT id, counter FROM meta");
    this.id = String(meta?.id);
    this.counterAtOpen = Number(meta?.counter);
    this.#counter = this.counterAtOpen;
  }

  get counter(): number {
    return this.#counter;
  }

  /** Writes every item of a lease as `leased`; false when the token is already known. */
  addLease(lease: LeaseFrame): boolean {
    if (this.#get("SELECT 1 FROM messages WHERE token = ?", lease.token)) return false;
    this.#write(() => {
      this.#run(
        "INSERT INTO messages (token, campaign, text, image) VALUES (?, ?, ?, ?)",
        lease.token,
        lease.campaign,
        lease.text,
        lease.image,
      );
      for (const item of lease.items) {
        this.#run(
          `INSERT OR IGNORE INTO deliveries (token, phone, attempt, account, state, updated_at)
           VALUES (?, ?, ?, ?, 'leased', ?)`,
          lease.token,
          item.phone,
          item.attempt,
          item.account,
          this.#now(),
        );
      }
      return true;
    });
    return true;
  }

  /** Moves a row if it is still in `from`; false = somebody else moved it first, and nothing was written. */
  move(token: string, phone: string, from: RowState, change: RowChange): boolean {
    return this.#write(() => this.#move(token, phone, from, change));
  }

  /** Moves every listed row that is still in `from`, in one transaction; answers how many moved. */
  moveAll(rows: { token: string; phone: string; from: RowState; change: RowChange }[]): number {
    let moved = 0;
    this.#write(() => {
      for (const row of rows) if (this.#move(row.token, row.phone, row.from, row.change)) moved++;
      return moved > 0;
    });
    return moved;
  }

  /** Runs several writes as one transaction, synced once. */
  together(changes: () => void): void {
    this.#write(() => {
      changes();
      return false;
    });
  }

  /** Deletes rows that are still in the given state; outcomes go to the archive in the same transaction. */
  forget(rows: { token: string; phone: string; state: RowState }[]): void {
    this.#write(() => {
      let forgotten = 0;
      for (const row of rows) forgotten += this.#forget(row.token, row.phone, row.state);
      for (const token of new Set(rows.map((row) => row.token))) {
        this.#run(
          "DELETE FROM messages WHERE token = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE token = ?1)",
          token,
        );
      }
      return forgotten > 0;
    });
  }

  get(token: string, phone: string): JournalRow | null {
    const found = this.#get(`${SELECT_ROW} WHERE d.token = ? AND d.phone = ?`, token, phone);
    return found ? toRow(found) : null;
  }

  /** Rows in any of the given states, in the order they were leased. */
  rows(states: readonly RowState[], limit = -1): JournalRow[] {
    return this.#all(
      `${SELECT_ROW} WHERE d.state IN (SELECT value FROM json_each(?)) ORDER BY d.seq LIMIT ?`,
      JSON.stringify(states),
      limit,
    ).map(toRow);
  }

  count(): number {
    return Number(this.#get("SELECT count(*) n FROM deliveries")?.n);
  }

  /** When a device last tapped, in milliseconds since 1970, or null. */
  lastTapAt(device: string): number | null {
    const at = this.#get("SELECT last_tap_at FROM devices WHERE device = ?", device)?.last_tap_at;
    return at === null || at === undefined ? null : Number(at);
  }

  isStopped(device: string): boolean {
    return this.#get("SELECT stopped FROM devices WHERE device = ?", device)?.stopped === 1;
  }

  setStopped(device: string, stopped: boolean): void {
    this.#write(() =>
      this.#run(
        `INSERT INTO devices (device, stopped) VALUES (?1, ?2)
         ON CONFLICT (device) DO UPDATE SET stopped = ?2 WHERE stopped <> ?2`,
        device,
        stopped ? 1 : 0,
      ) > 0
    );
  }

  /** The database generation whose question for outcomes is known to be answered. */
  get answeredGeneration(): string | null {
    const found = this.#get("SELECT answered_generation FROM meta")?.answered_generation;
    return typeof found === "string" ? found : null;
  }

  setAnsweredGeneration(generation: string): void {
    this.#write(() =>
      this.#run(
        "UPDATE meta SET answered_generation = ?1 WHERE answered_generation IS NOT ?1",
        generation,
      ) > 0
    );
  }

  /** Every outcome of the last 30 days, the unreported and the doubtful included, oldest first. */
  *outcomes(): Generator<ArchivedOutcome> {
    const statement = this.#db.prepare(
      `SELECT campaign, phone, token, attempt, outcome, account, at FROM archive WHERE at >= ?
       UNION ALL
       SELECT m.campaign, d.phone, d.token, d.attempt, d.state, d.account, coalesce(d.tapped_at, d.updated_at)
       FROM deliveries d JOIN messages m ON m.token = d.token WHERE d.state <> 'leased'
       ORDER BY at`,
    );
    for (const found of statement.all(this.#now() - ARCHIVE_MS)) {
      yield {
        campaign: Number(found.campaign),
        phone: String(found.phone),
        token: String(found.token),
        attempt: Number(found.attempt),
        outcome: found.outcome as Outcome | "tapping",
        account: String(found.account),
        at: Number(found.at),
      };
    }
  }

  /** Drops archived outcomes older than 30 days. */
  pruneArchive(): void {
    this.#write(() => this.#run("DELETE FROM archive WHERE at < ?", this.#now() - ARCHIVE_MS) > 0);
  }

  close(): void {
    this.#db.close();
  }

  #move(token: string, phone: string, from: RowState, change: RowChange): boolean {
    const moved = this.#run(
      `UPDATE deliveries SET state = ?, reason = ?, temporary = ?, tap = coalesce(?, tap),
         tapped_at = coalesce(?, tapped_at), updated_at = ?
       WHERE token = ? AND phone = ? AND state = ?`,
      change.to,
      change.reason,
      change.temporary ? 1 : 0,
      change.tap ? JSON.stringify(change.tap) : null,
      change.tappedAt ?? null,
      this.#now(),
      token,
      phone,
      from,
    );
    if (moved > 0 && change.tappedAt !== undefined) {
      this.#run(
        `INSERT INTO devices (device, last_tap_at)
         SELECT substr(account, 1, instr(account, '/') - 1), ?1 FROM deliveries WHERE token = ?2 AND phone = ?3
         ON CONFLICT (device) DO UPDATE SET last_tap_at = excluded.last_tap_at`,
        change.tappedAt,
        token,
        phone,
      );
    }
    return moved > 0;
  }

  #forget(token: string, phone: string, state: RowState): number {
    if (state !== "leased" && state !== "tapping") {
      this.#run(
        `INSERT INTO archive (campaign, phone, token, attempt, outcome, account, at)
         SELECT m.campaign, d.phone, d.token, d.attempt, d.state, d.account, coalesce(d.tapped_at, d.updated_at)
         FROM deliveries d JOIN messages m ON m.token = d.token
         WHERE d.token = ? AND d.phone = ? AND d.state = ?`,
        token,
        phone,
        state,
      );
    }
    return this.#run(
      "DELETE FROM deliveries WHERE token = ? AND phone = ? AND state = ?",
      token,
      phone,
      state,
    );
  }

  /** Runs `change` in a transaction; the counter grows only if it says that it changed something. */
  #write(change: () => boolean): boolean {
    if (this.#open) {
      const changed = change();
      this.#open.changed ||= changed;
      return changed;
    }
    this.#run("BEGIN IMMEDIATE");
    const open: { changed: boolean } = { changed: false };
    this.#open = open;
    try {
      const changed = change();
      open.changed ||= changed;
      if (open.changed) this.#run("UPDATE meta SET counter = ?", this.#counter + 1);
      this.#run("COMMIT");
      if (open.changed) this.#counter++;
      return changed;
    } catch (error) {
      this.#run("ROLLBACK");
      throw error;
    } finally {
      this.#open = null;
    }
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  #get(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.#prepare(sql).get(...values);
  }

  #all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#prepare(sql).all(...values);
  }

  #prepare(sql: string): ReturnType<DatabaseSync["prepare"]> {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#db.prepare(sql));
    return statement;
  }
}

/** Device part of an account key, for example "R58M" of "R58M/com.whatsapp/0". */
export function deviceOf(account: string): string {
  return account.slice(0, account.indexOf("/"));
}

function toRow(found: Record<string, unknown>): JournalRow {
  return {
    token: String(found.token),
    campaign: Number(found.campaign),
    phone: String(found.phone),
    attempt: Number(found.attempt),
    account: String(found.account),
    text: String(found.text),
    image: found.image === null ? null : String(found.image),
    state: found.state as RowState,
    reason: found.reason as DeliveryReason | null,
    temporary: found.temporary === 1,
    tap: found.tap === null ? null : JSON.parse(String(found.tap)) as TapIntent,
    tappedAt: found.tapped_at === null ? null : Number(found.tapped_at),
  };
}
