/**
 * The site's journal: every lease it holds and every outcome that the edge has not acknowledged, on disk. Each write is
 * one transaction, synced before it returns. It raises the counter that the edge compares, after the edge has answered
 * a hello of the process.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type {
  AgentFrameOf,
  DatabaseMark,
  EdgeFrameOf,
  Outcome,
  ReplyItem,
  Trial,
} from "shared/agent_protocol.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import { ARCHIVE_MS } from "shared/lease.ts";
import type { RowState } from "./decide.ts";
import { JournalWriteError, openJournalFile } from "./journal_file.ts";

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

/** Our words in a chat, written down before they are typed there; a picture's caption is typed beside it. */
export interface Draft {
  account: string;
  phone: string;
  text: string;
  isPicture: boolean;
  /** When it was typed, in milliseconds since 1970. */
  at: number;
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
/** So many proven sends make a version of the app known to the site. */
const ENOUGH_PROVEN = 3;
/** A draft in a phone's chat holds back the erasure of its number for at most so long: without it nobody clears it. */
const DRAFT_HOLDS_MS = 24 * 60 * 60_000;
/** Above this, versions that no phone has and that were never proven are forgotten. */
const MOST_VERSIONS = 500;

const SELECT_ROW =
  `SELECT d.token, m.campaign, d.phone, d.attempt, d.account, coalesce(d.text, m.text) AS text, m.image, d.state, d.reason,
  d.temporary, d.tap, d.tapped_at, d.edge_at FROM deliveries d JOIN messages m ON m.token = d.token`;

export class Journal {
  readonly id: string;
  /** The counter as found on disk; it stays until `helloAnswered()`. */
  readonly counterAtOpen: number;
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
  /** In memory for the same reason. */
  #trials: Map<string, Trial>;
  /** "app version" of each that has to be proven; in memory, because each pull reads it for each device. */
  #unproven: Set<string>;
  /** Drafts that may be in a chat; in memory, because each step of each worker reads it. */
  #drafts: Draft[];
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
    this.#trials = this.#readTrials();
    this.#unproven = this.#readUnproven();
    this.#drafts = this.#readDrafts();
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

  /** Writes down a draft before it is typed, so that whatever happens next, somebody clears it. */
  draftBegins(draft: Omit<Draft, "at">): void {
    const { account, phone, text, isPicture } = draft;
    this.#write(() => {
      this.#run(
        `INSERT INTO drafts (account, phone, text, is_picture, at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (account, phone, text, is_picture) DO UPDATE SET at = ?5`,
        account,
        phone,
        text,
        isPicture ? 1 : 0,
        this.#now(),
      );
      // The counter covers deliveries only.
      return false;
    });
    this.#drafts = this.#readDrafts();
  }

  /** Forgets every draft in a chat: it was read, and has none of ours. */
  draftsGone(account: string, phone: string): void {
    if (!this.#drafts.some((draft) => draft.account === account && draft.phone === phone)) return;
    this.#write(() => {
      this.#run("DELETE FROM drafts WHERE account = ? AND phone = ?", account, phone);
      return false;
    });
    this.#drafts = this.#readDrafts();
  }

  /** Returns the drafts that may be in the chats of a device, the oldest first. */
  draftsOf(device: string): Draft[] {
    return this.#drafts.filter(({ account }) => deviceOf(account) === device);
  }

  #readDrafts(): Draft[] {
    return this.#all("SELECT account, phone, text, is_picture, at FROM drafts ORDER BY at, rowid").map((
      found,
    ) => ({
      account: String(found.account),
      phone: String(found.phone),
      text: String(found.text),
      isPicture: found.is_picture === 1,
      at: Number(found.at),
    }));
  }

  /** Returns what was tried with the device: a send that its chat proved, at least a rehearsal, or nothing. */
  trialOf(device: string): Trial {
    return this.#trials.get(device) ?? "none";
  }

  /** Writes that a rehearsal of the device passed, with an app in a version; null = its version is not known. */
  rehearsed(device: string, { app, version }: { app: string; version: string | null }): void {
    this.#write(() => {
      this.#run(
        `INSERT INTO device_trials (device, rehearsed_at) VALUES (?1, ?2)
         ON CONFLICT (device) DO UPDATE SET rehearsed_at = ?2`,
        device,
        this.#now(),
      );
      if (version !== null) {
        this.#run(
          `INSERT INTO app_versions (app, version, rehearsed) VALUES (?1, ?2, 1)
           ON CONFLICT (app, version) DO UPDATE SET rehearsed = 1`,
          app,
          version,
        );
      }
      // The counter covers deliveries only.
      return false;
    });
    this.#trials = this.#readTrials();
  }

  #readTrials(): Map<string, Trial> {
    return new Map(
      this.#all("SELECT device, proven_at FROM device_trials").map(({ device, proven_at }) => [
        String(device),
        proven_at === null ? "rehearsed" : "proven",
      ]),
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

  /**
   * Notes the app's version on a device. Returns whether it differs from the last one seen there. A version that came
   * this way has to be proven; one that the device was first seen with has not.
   */
  noteAppVersion(device: string, app: string, version: string): boolean {
    const known = this.#get("SELECT version FROM device_apps WHERE device = ? AND app = ?", device, app)
      ?.version;
    if (known === version) return false;
    const isNew = known !== undefined;
    this.#write(() => {
      this.#run(
        `INSERT INTO device_apps (device, app, version) VALUES (?1, ?2, ?3)
         ON CONFLICT (device, app) DO UPDATE SET version = ?3`,
        device,
        app,
        version,
      );
      this.#run(
        `INSERT INTO app_versions (app, version, arrived) VALUES (?1, ?2, ?3)
         ON CONFLICT (app, version) DO UPDATE SET arrived = max(arrived, ?3)`,
        app,
        version,
        isNew ? 1 : 0,
      );
      this.#run(
        `DELETE FROM app_versions WHERE proven < ?1 AND (SELECT count(*) FROM app_versions) > ?2
           AND (app, version) NOT IN (SELECT app, version FROM device_apps)`,
        ENOUGH_PROVEN,
        MOST_VERSIONS,
      );
      return false;
    });
    this.#unproven = this.#readUnproven();
    return isNew;
  }

  /** Notes a proven send with the app in this version. Writes nothing once there are enough. */
  noteProven(app: string, version: string): void {
    if (this.#provenWith(app, version) >= ENOUGH_PROVEN) return;
    this.#write(() => {
      this.#run(
        `INSERT INTO app_versions (app, version, proven) VALUES (?1, ?2, 1)
         ON CONFLICT (app, version) DO UPDATE SET proven = proven + 1`,
        app,
        version,
      );
      return false;
    });
    this.#unproven = this.#readUnproven();
  }

  /** Returns whether a phone of this site has shown the screens of this version: in a rehearsal, or a proven send. */
  isSeen(app: string, version: string): boolean {
    const found = this.#get(
      "SELECT 1 FROM app_versions WHERE app = ? AND version = ? AND (proven > 0 OR rehearsed = 1)",
      app,
      version,
    );
    return found !== undefined;
  }

  /** Returns whether the version came to a phone of this site by a change, and too few sends with it are proven. */
  isUnproven(app: string, version: string): boolean {
    return this.#unproven.has(`${app} ${version}`);
  }

  #readUnproven(): Set<string> {
    const found = this.#all(
      "SELECT app, version FROM app_versions WHERE arrived = 1 AND proven < ?",
      ENOUGH_PROVEN,
    );
    return new Set(found.map(({ app, version }) => `${app} ${version}`));
  }

  #provenWith(app: string, version: string): number {
    const found = this.#get("SELECT proven FROM app_versions WHERE app = ? AND version = ?", app, version);
    return Number(found?.proven ?? 0);
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
    this.#drafts = this.#readDrafts();
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
    this.#drafts = this.#readDrafts();
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
      this.#noteSent(token, phone);
      this.#draftSent(token, phone);
    }
    return moved > 0;
  }

  /** A send is proven by its row in the chat. Only the first one of a device is written. */
  #noteSent(token: string, phone: string): void {
    const account = String(
      this.#get("SELECT account FROM deliveries WHERE token = ? AND phone = ?", token, phone)?.account,
    );
    const device = deviceOf(account);
    if (this.trialOf(device) === "proven") return;
    this.#run(
      `INSERT INTO device_trials (device, proven_at) VALUES (?1, ?2)
       ON CONFLICT (device) DO UPDATE SET proven_at = ?2`,
      device,
      this.#now(),
    );
    this.#trials.set(device, "proven");
  }

  /** The proof read the chat without this draft. A picture's proof says nothing of what was typed in the chat before. */
  #draftSent(token: string, phone: string): void {
    const removed = this.#run(
      `DELETE FROM drafts WHERE rowid IN (
         SELECT r.rowid FROM drafts r JOIN deliveries d ON d.account = r.account AND d.phone = r.phone
           JOIN messages m ON m.token = d.token
         WHERE d.token = ?1 AND d.phone = ?2
           AND (m.image IS NULL OR (r.is_picture = 1 AND r.text = m.text)))`,
      token,
      phone,
    );
    if (removed > 0) this.#drafts = this.#readDrafts();
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

/** Returns the device of an account key, for example "R58M" of "R58M/com.whatsapp/0". */
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
    edgeAt: found.edge_at === null ? null : Number(found.edge_at),
  };
}
