/**
 * The site's journal: every lease it holds and every outcome that the edge has not acknowledged, on disk. Each write is
 * one transaction, synced before it returns. It raises the counter that the edge compares, after the edge has answered
 * a hello of the process.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { AgentFrameOf, DatabaseMark, EdgeFrameOf, Outcome, ReplyItem } from "shared/agent_protocol.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import { ARCHIVE_MS } from "shared/lease.ts";
import type { RowState } from "./decide.ts";
import { DraftNotes } from "./draft_notes.ts";
import { JournalWriteError, openJournalFile } from "./journal_file.ts";
import type { JournalTables } from "./journal_tables.ts";
import { TrialNotes } from "./trial_notes.ts";

export type LeaseFrame = EdgeFrameOf<"lease">;
export type ArchivedOutcome = AgentFrameOf<"outcomes">["items"][number];

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
  /**
   * `tappedAt` by the edge's clock; for an untapped row, the time of its last move.
   * Null = the edge's time was not known.
   */
  edgeAt: number | null;
}

export interface RowChange {
  to: RowState;
  reason: DeliveryReason | null;
  temporary: boolean;
  tap?: TapIntent;
  tappedAt?: number;
}

/** The newest mark of the edge's database. */
interface KeptMark {
  mark: DatabaseMark;
  /** False until a later write has put it on disk. */
  isWritten: boolean;
}

/**
 * Stands in `messages` for a lease whose items have their own texts. An agent of an earlier release that opens this
 * journal reads it: no draft equals it, so a tap that it looks back at stays unknown.
 */
const TEXT_OF_EACH_ROW = "(each row has its own text)";
/** A draft in a phone's chat holds back the erasure of its number for at most this long. Without the note it would never be cleared. */
const DRAFT_HOLDS_MS = 24 * 60 * 60_000;

const SELECT_ROW =
  `SELECT d.token, m.campaign, d.phone, d.attempt, d.account, coalesce(d.text, m.text) AS text, m.image, d.state, d.reason,
  d.temporary, d.tap, d.tapped_at, d.edge_at FROM deliveries d JOIN messages m ON m.token = d.token`;

export class Journal {
  readonly id: string;
  /** The counter as found on disk; it stays until `helloAnswered()`. */
  readonly counterAtOpen: number;
  /** Words of ours that may be in chats. */
  readonly drafts: DraftNotes;
  /** What was tried with each phone and each version of the app. */
  readonly trials: TrialNotes;
  /** The edge's time, ms, on a clock that is never corrected. Null before the edge has sent it. */
  edgeNow: () => number | null = () => null;
  #db: DatabaseSync;
  #now: () => number;
  #counter: number;
  #helloAnswered = false;
  #broken = new AbortController();
  /** The open transaction, or null. */
  #open: { changed: boolean } | null = null;
  /** Devices that a person has stopped. Kept in memory, because each step of each worker reads it. */
  #stopped: Set<string>;
  #mark: KeptMark | null;
  #statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();

  /**
   * Opens or makes the journal at `path` and holds it until `close()` or the end of the process. Opening writes to it,
   * so an open journal could be written.
   *
   * @throws {JournalLockedError} when another process has it open
   * @throws {JournalDamagedError} when it cannot be read
   * @throws {JournalWriteError} when it cannot be written
   */
  constructor(path: string, options: { now: () => number; newId: () => string }) {
    this.#db = openJournalFile(path, options.newId());
    this.#now = options.now;
    const meta = this.#get("SELECT id, counter FROM meta");
    this.id = String(meta?.id);
    this.#mark = this.#readMark();
    this.counterAtOpen = Number(meta?.counter);
    this.#counter = this.counterAtOpen;
    this.#stopped = this.#readStopped();
    const tables: JournalTables = {
      write: (change) =>
        void this.#write(() => {
          change();
          // The counter covers deliveries only.
          return false;
        }),
      run: (sql, ...values) => this.#run(sql, ...values),
      get: (sql, ...values) => this.#get(sql, ...values),
      all: (sql, ...values) => this.#all(sql, ...values),
      now: this.#now,
    };
    this.drafts = new DraftNotes(tables);
    this.trials = new TrialNotes(tables);
  }

  /**
   * Aborts with a JournalWriteError when a write fails. The memory may then be ahead of the disk, so nothing more is
   * written until the journal is opened again.
   */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  get counter(): number {
    return this.#counter;
  }

  /**
   * True after the edge answered a hello of this process. Before that, the edge may not know the counter at opening.
   */
  get isHelloAnswered(): boolean {
    return this.#helloAnswered;
  }

  /**
   * Called when the edge has compared the counter with which this process opened the journal. From now on every write
   * raises it. If writes raised it before, a restored copy could catch up with the lost journal unseen (rule 14).
   */
  helloAnswered(): void {
    if (this.#helloAnswered) return;
    this.#helloAnswered = true;
    this.#write(() => true);
  }

  /** Writes every item of a lease as `leased`. Returns false when the token is already known. */
  addLease(lease: LeaseFrame): boolean {
    if (this.#get("SELECT 1 FROM messages WHERE token = ?", lease.token)) return false;
    this.#write(() => {
      this.#run(
        "INSERT INTO messages (token, campaign, text, image) VALUES (?, ?, ?, ?)",
        lease.token,
        lease.campaign,
        lease.text ?? TEXT_OF_EACH_ROW,
        lease.image,
      );
      for (const item of lease.items) {
        this.#run(
          `INSERT OR IGNORE INTO deliveries (token, phone, attempt, account, text, state, updated_at)
           VALUES (?, ?, ?, ?, ?, 'leased', ?)`,
          lease.token,
          item.phone,
          item.attempt,
          item.account,
          item.text ?? null,
          this.#now(),
        );
      }
      return true;
    });
    return true;
  }

  /** Moves a row if it is still in `from`. Returns false when another write has moved it, and writes nothing. */
  move(token: string, phone: string, from: RowState, change: RowChange): boolean {
    return this.#write(() => this.#move(token, phone, from, change));
  }

  /** Moves every listed row that is still in `from`, in one transaction. Returns how many moved. */
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

  /** Deletes rows that are still in the given state. Outcomes go to the archive in the same transaction. */
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

  /** Returns the rows in any of the given states, in the order of their leases. */
  rows(states: readonly RowState[], limit = -1): JournalRow[] {
    return this.#all(
      `${SELECT_ROW} WHERE d.state IN (SELECT value FROM json_each(?)) ORDER BY d.seq LIMIT ?`,
      JSON.stringify(states),
      limit,
    ).map(toRow);
  }

  /** Returns the number of rows, including outcomes that still have to be reported. */
  count(): number {
    return Number(this.#get("SELECT count(*) n FROM deliveries")?.n);
  }

  /** Returns the number of rows in each state. */
  countByState(): Partial<Record<RowState, number>> {
    const found = this.#all("SELECT state, count(*) n FROM deliveries GROUP BY state");
    return Object.fromEntries(found.map(({ state, n }) => [state, Number(n)]));
  }

  /** Returns the time of a device's last tap, in milliseconds since 1970, or null. */
  lastTapAt(device: string): number | null {
    const at = this.#get("SELECT last_tap_at FROM devices WHERE device = ?", device)?.last_tap_at;
    return at === null || at === undefined ? null : Number(at);
  }

  /** Returns whether a person has stopped the device. */
  isStopped(device: string): boolean {
    return this.#stopped.has(device);
  }

  /** Returns the devices that a person has stopped. */
  stoppedDevices(): string[] {
    return [...this.#stopped];
  }

  /** Writes that a person has stopped the device, or started it again. */
  setStopped(device: string, stopped: boolean): void {
    this.#write(() =>
      this.#run(
        `INSERT INTO devices (device, stopped) VALUES (?1, ?2)
         ON CONFLICT (device) DO UPDATE SET stopped = ?2 WHERE stopped <> ?2`,
        device,
        stopped ? 1 : 0,
      ) > 0
    );
    this.#stopped = this.#readStopped();
  }

  #readStopped(): Set<string> {
    return new Set(
      this.#all("SELECT device FROM devices WHERE stopped = 1").map(({ device }) => String(device)),
    );
  }

  /** Returns how many taps a person's commands made on the device since a time, in milliseconds since 1970. */
  handTapsSince(device: string, since: number): number {
    return Number(
      this.#get(
        `SELECT count(*) n FROM archive
         WHERE campaign = 0 AND at >= ?1 AND outcome IN ('sent','unknown') AND substr(account, 1, length(?2) + 1) = ?2 || '/'`,
        since,
        device,
      )?.n,
    );
  }

  /** The newest mark of the edge's database, or null. */
  get databaseMark(): DatabaseMark | null {
    return this.#mark?.mark ?? null;
  }

  /**
   * Keeps a mark when it is newer. The next write of any kind puts it on disk, so it costs no write of its own. Every
   * effect of a frame starts with a write (before a tap, `tapping`). A crash before that write loses only a mark that
   * had no effect. The counter does not rise: it counts changes of deliveries only.
   */
  noteDatabaseMark(mark: DatabaseMark | undefined): void {
    const kept = this.#mark?.mark;
    const isOld = mark === undefined || (kept?.generation === mark.generation && kept.event >= mark.event);
    if (!isOld) this.#mark = { mark, isWritten: false };
  }

  #readMark(): KeptMark | null {
    const found = this.#get("SELECT generation, event, hmac FROM database_mark");
    if (found === undefined) return null;
    const { generation, event, hmac } = found;
    const mark = { generation: String(generation), event: Number(event), hmac: String(hmac) };
    return { mark, isWritten: true };
  }

  #writeMark({ generation, event, hmac }: DatabaseMark): void {
    this.#run(
      `INSERT INTO database_mark (one, generation, event, hmac) VALUES (1, ?1, ?2, ?3)
       ON CONFLICT (one) DO UPDATE SET generation = ?1, event = ?2, hmac = ?3`,
      generation,
      event,
      hmac,
    );
  }

  /** The database generation that has received all outcomes. */
  get answeredGeneration(): string | null {
    const found = this.#get("SELECT answered_generation FROM meta")?.answered_generation;
    return typeof found === "string" ? found : null;
  }

  /** A database of another generation may lack the replies: all are sent again, and it takes each once. */
  setAnsweredGeneration(generation: string): void {
    this.#write(() => {
      const isNew = this.#run(
        "UPDATE meta SET answered_generation = ?1 WHERE answered_generation IS NOT ?1",
        generation,
      ) > 0;
      if (isNew) this.#run("UPDATE replies SET told = 0");
      return isNew;
    });
  }

  /** Yields every outcome in the archive, and the unreported and doubtful ones, oldest first. */
  *outcomes(): Generator<ArchivedOutcome> {
    const statement = this.#db.prepare(
      `SELECT campaign, phone, token, attempt, outcome, account, at, edge_at FROM archive
       UNION ALL
       SELECT m.campaign, d.phone, d.token, d.attempt, d.state, d.account, coalesce(d.tapped_at, d.updated_at),
         d.edge_at
       FROM deliveries d JOIN messages m ON m.token = d.token WHERE d.state <> 'leased'
       ORDER BY at`,
    );
    for (const found of statement.all()) {
      yield {
        campaign: Number(found.campaign),
        phone: String(found.phone),
        token: String(found.token),
        attempt: Number(found.attempt),
        outcome: found.outcome as Outcome | "tapping",
        account: String(found.account),
        at: Number(found.at),
        ...(found.edge_at === null ? {} : { edgeAt: Math.max(0, Number(found.edge_at)) }),
      };
    }
  }

  /** Returns whether a campaign's message went, or may have gone, to this number within the last 30 days. */
  hasWrittenTo(phone: string): boolean {
    return this.#get(
      `SELECT 1 FROM archive WHERE phone = ?1 AND campaign > 0 AND outcome IN ('sent','unknown')
       UNION ALL
       SELECT 1 FROM deliveries d JOIN messages m ON m.token = d.token
       WHERE d.phone = ?1 AND m.campaign > 0 AND d.state IN ('tapping','sent','unknown') LIMIT 1`,
      phone,
    ) !== undefined;
  }

  /** Keeps replies that were not seen before, to be sent to the edge. Returns how many were new. */
  addReplies(replies: readonly ReplyItem[]): number {
    let added = 0;
    this.#write(() => {
      for (const { id, phone, account, decision, excerpt, at } of replies) {
        added += this.#run(
          `INSERT OR IGNORE INTO replies (id, phone, account, decision, excerpt, at, seen_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          id,
          phone,
          account,
          decision,
          excerpt,
          at,
          this.#now(),
        );
      }
      // The counter covers deliveries only: a reply lost with a restored journal puts no delivery in doubt.
      return false;
    });
    return added;
  }

  /** Returns whether a reply was seen before, sent or not. */
  knowsReply(id: string): boolean {
    return this.#get("SELECT 1 FROM replies WHERE id = ?", id) !== undefined;
  }

  /** Returns the replies that the edge has not acknowledged, the first seen first. */
  unsentReplies(limit: number): ReplyItem[] {
    return this.#all(
      "SELECT id, phone, account, decision, excerpt, at FROM replies WHERE told = 0 ORDER BY rowid LIMIT ?",
      limit,
    ).map((found) => ({
      id: String(found.id),
      phone: String(found.phone),
      account: String(found.account),
      decision: found.decision as ReplyItem["decision"],
      excerpt: String(found.excerpt),
      at: Number(found.at),
    }));
  }

  /** Notes that the edge has these replies. Only their ids are kept, so that they are not sent again. */
  repliesAcknowledged(ids: readonly string[]): void {
    this.#write(() => {
      const acknowledged = JSON.stringify(ids);
      this.#run(
        "UPDATE replies SET told = 1, excerpt = '' WHERE id IN (SELECT value FROM json_each(?))",
        acknowledged,
      );
      return false;
    });
  }

  /**
   * Removes the numbers for which `isErased` holds from the archive, and from the file's bytes. Returns how many rows
   * there were. Returns null and changes nothing when one of them is still at work or not yet reported.
   */
  erase(isErased: (phone: string) => boolean): number | null {
    const open = this.#all(
      "SELECT phone FROM deliveries UNION SELECT phone FROM drafts WHERE at > ?",
      this.#now() - DRAFT_HOLDS_MS,
    );
    if (open.some(({ phone }) => isErased(String(phone)))) return null;
    const phones = this.#all(
      "SELECT phone FROM archive UNION SELECT phone FROM replies UNION SELECT phone FROM drafts",
    ).map(({ phone }) => String(phone));
    const erased = JSON.stringify(phones.filter(isErased));
    let removed = 0;
    this.#write(() => {
      for (const table of ["archive", "replies", "drafts"]) {
        removed += this.#run(`DELETE FROM ${table} WHERE phone IN (SELECT value FROM json_each(?))`, erased);
      }
      return removed > 0;
    });
    this.drafts.reread();
    this.#scrub();
    return removed;
  }

  /**
   * Drops archived outcomes older than 30 days, and replies sent as long ago. Both this machine's clock and the edge's
   * must agree: one that runs ahead would drop outcomes that a restored database still needs.
   */
  pruneArchive(edgeNow: number): void {
    const before = Math.min(this.#now(), edgeNow) - ARCHIVE_MS;
    this.#write(() => {
      this.#run("DELETE FROM replies WHERE seen_at < ? AND told = 1", before);
      this.#run("DELETE FROM drafts WHERE at < ?", before);
      return this.#run("DELETE FROM archive WHERE at < ?", before) > 0;
    });
    this.drafts.reread();
  }

  close(): void {
    this.#db.close();
  }

  /**
   * Removes deleted rows from the file's bytes: writes the tables with numbers again, and secure_delete overwrites
   * freed pages. VACUUM is no choice: Deno lets only unrestricted processes attach a second database.
   */
  #scrub(): void {
    this.#write(() => {
      for (const table of ["archive", "deliveries", "replies", "drafts"]) {
        this.#db.exec(`CREATE TABLE being_rewritten AS SELECT * FROM ${table} ORDER BY rowid;
          DELETE FROM ${table};
          INSERT INTO ${table} SELECT * FROM being_rewritten ORDER BY rowid;
          DROP TABLE being_rewritten;`);
      }
      return false;
    });
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  #move(token: string, phone: string, from: RowState, change: RowChange): boolean {
    const edgeNow = this.edgeNow();
    const moved = this.#run(
      `UPDATE deliveries SET state = ?, reason = ?, temporary = ?, tap = coalesce(?, tap),
         edge_at = CASE WHEN ? OR tapped_at IS NULL THEN ? ELSE edge_at END,
         tapped_at = coalesce(?, tapped_at), updated_at = ?
       WHERE token = ? AND phone = ? AND state = ?`,
      change.to,
      change.reason,
      change.temporary ? 1 : 0,
      change.tap ? JSON.stringify(change.tap) : null,
      change.tappedAt === undefined ? 0 : 1,
      edgeNow === null ? null : Math.max(0, Math.round(edgeNow)),
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
    if (moved > 0 && change.to === "sent") {
      // A send is proven by its row in the chat.
      this.trials.sent(token, phone);
      this.drafts.sent(token, phone);
    }
    return moved > 0;
  }

  #forget(token: string, phone: string, state: RowState): number {
    if (state !== "leased" && state !== "tapping") {
      this.#run(
        `INSERT INTO archive (campaign, phone, token, attempt, outcome, account, at, edge_at)
         SELECT m.campaign, d.phone, d.token, d.attempt, d.state, d.account, coalesce(d.tapped_at, d.updated_at),
           d.edge_at
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

  /** Runs `change` in a transaction. The counter rises only if `change` returns true, and if it may rise. */
  #write(change: () => boolean): boolean {
    if (this.#open) {
      const changed = change();
      this.#open.changed ||= changed;
      return changed;
    }
    this.broken.throwIfAborted();
    const open: { changed: boolean } = { changed: false };
    this.#open = open;
    try {
      this.#run("BEGIN IMMEDIATE");
      const unwritten = this.#mark?.isWritten === false ? this.#mark : null;
      if (unwritten) this.#writeMark(unwritten.mark);
      const changed = change();
      open.changed ||= changed;
      const raises = open.changed && this.#helloAnswered;
      if (raises) this.#run("UPDATE meta SET counter = ?", this.#counter + 1);
      this.#run("COMMIT");
      if (raises) this.#counter++;
      if (unwritten) unwritten.isWritten = true;
      return changed;
    } catch (cause) {
      // After some errors, a full disk among them, SQLite has rolled back by itself (sqlite.org/lang_transaction.html).
      if (this.#db.isOpen && this.#db.isTransaction) this.#run("ROLLBACK");
      this.#broken.abort(new JournalWriteError("Cannot write the journal", { cause }));
      throw this.broken.reason;
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
    edgeAt: found.edge_at === null ? null : Number(found.edge_at),
  };
}
