/**
 * Checks the rules with two witnesses: the raw database rows after every commit, and the phones' own taps. It
 * knows the rules of docs/design.md, but none of the code that implements them.
 */
import assert from "node:assert/strict";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { isLegalMove, MOVED_BY } from "shared/delivery.ts";
import { SILENCE_LIMIT_MS } from "shared/lease.ts";
import type { Journal, JournalRow, LeaseFrame } from "../../agent/journal/journal.ts";
import type { ReportItem } from "./agent_process.ts";
import { Books, type Campaign, LIVE, RUNNING, STATES } from "./books.ts";
import { ChatSenders } from "./chat_senders.ts";
import { textFor } from "./ground.ts";
import { LostTime } from "./lost_time.ts";
import type { Tap } from "./phone.ts";
import { nameOf, type Row, ROW_FIELDS } from "./row.ts";
import { SenderWarning } from "./warning.ts";

interface Texts extends Record<string, SQLOutputValue> {
  rows: string;
  campaigns: string;
  suppressions: string;
  blocked: string;
  revoked: string;
}

/** Facts about a site that neither its journal nor the edge has. */
export interface SiteTruth {
  id: number;
  /** Error of its wall clock. */
  wallOffsetMs: number;
  /** Server times of the loss of its journal, and of its replacement by an older copy. */
  lostAt: number;
  restoredAt: number;
  /** Time when its wall clock was last set or its journal lost: the pace does not remember taps asked for before. */
  forgotPaceAt: number;
}

const CAMPAIGN = [
  "'id', id, 'client', client, 'status', status, 'message', message, 'reserved', reserved, 'starts_at', starts_at",
  "'first_leased_at', first_leased_at",
  `'texts', (SELECT json_group_array(message) FROM (SELECT 1 AS no, message UNION ALL
    SELECT no, message FROM variants v WHERE v.campaign = campaigns.id ORDER BY 1))`,
  ...STATES.map((state) => `'${state}_count', ${state}_count`),
].join(", ");
/**
 * Everything that a commit is judged by, as one JSON text for each table. A commit changes few tables, and comparing
 * a text takes less time than reading its rows.
 */
const TEXTS = `SELECT
  (SELECT json_group_array(json_object(${ROW_FIELDS})) FROM deliveries) AS rows,
  (SELECT json_group_array(json_object(${CAMPAIGN})) FROM campaigns) AS campaigns,
  (SELECT json_group_array(client || ' ' || phone) FROM suppressions) AS suppressions,
  (SELECT json_group_array(mark) FROM blocked_marks) AS blocked,
  (SELECT json_group_array(id) FROM sites WHERE revoked = 1) AS revoked`;
const israelDay = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Jerusalem" });

export class Oracle {
  /** Number of events of each kind: moves, reports and journal changes. */
  readonly tally = new Map<string, number>();
  /** The world's present act, for the tally. */
  cause = "";
  /** People reached in a lost time. */
  readonly lostTime = new LostTime();
  rows: ReadonlyMap<number, Row> = new Map();
  #campaigns: ReadonlyMap<number, Campaign> = new Map();
  #suppressions: readonly string[] = [];
  #blocked: readonly string[] = [];
  #revoked: ReadonlySet<number> = new Set();
  /** Campaigns with a delivery that this database has leased. */
  readonly #leasedCampaigns = new Set<number>();
  #commits = 0;
  /** Time when an older database replaced the present one; sites that lost nothing also seem to forget then. */
  #replacedAt = -Infinity;
  #checkedCommits = -1;
  /** Sites without a hello since the database was put back by hand, each with the last hello that the database knows. */
  readonly #withoutHello = new Map<number, number>();
  readonly #ackedAtCommit = new Map<string, number>();
  readonly #suppressedAtCommit = new Map<string, number>();
  /** Erased people who asked for no further messages. */
  readonly #blockedAtCommit = new Map<number, number>();
  readonly #phoneOf = new Map<number, number>();
  /** Outcomes that sites removed for erased people: a restored database never receives them again. */
  #erasedOutcomes = 0;
  /** Whether such an outcome was lost with a database. */
  #isForgotten = false;
  readonly #resends = new Map<string, number>();
  readonly #taps = new Map<string, number>();
  readonly #tapsOfAttempt = new Map<string, number>();
  readonly #tapping = new Set<string>();
  readonly #reported = new Map<string, Set<string>>();
  /** Deliveries whose `sent` the edge has acknowledged to a site. */
  readonly #ackedSent = new Set<string>();
  /** Other outcomes that the edge has acknowledged. */
  readonly #ackedOthers = new Set<string>();
  /** Used part of each account's daily cap, and the deliveries whose last lease uses some of it. */
  readonly #room = new Map<string, number>();
  readonly #takesRoom = new Set<string>();
  /** Deliveries given to an account per day, except those last given to its site and those called back. */
  readonly #given = new Map<string, number>();
  /** Deliveries whose last lease was to another site than the lease before. */
  readonly #newToSite = new Set<string>();
  readonly #overruled = new Set<string>();
  readonly #lastTap = new Map<string, Tap>();
  readonly #tapsOfDay = new Map<string, number>();
  readonly #capOfDay = new Map<string, number>();
  /** Client of each campaign, including lost ones. */
  readonly #clientOf = new Map<number, number>();
  /** Whether senders were warned about the people reached in a lost time. */
  readonly warning: SenderWarning;
  readonly #books: Books;
  readonly #senders: ChatSenders;
  readonly #read;
  readonly #rowsIn = keepLast((text) =>
    new Map((JSON.parse(text) as Row[]).map((row) => [row.id, this.#named(row)]))
  );
  readonly #campaignsIn = keepLast((text) =>
    new Map((JSON.parse(text) as Campaign[]).map((campaign) => [campaign.id, campaign]))
  );
  readonly #suppressionsIn = keepLast((text) => JSON.parse(text) as string[]);
  readonly #blockedIn = keepLast((text) => JSON.parse(text) as string[]);
  readonly #revokedIn = keepLast((text) => new Set(JSON.parse(text) as number[]));

  constructor(
    db: DatabaseSync,
    readonly now: () => number,
    readonly truthOf: (site: number) => SiteTruth,
    readonly personOf: (mark: string) => number | undefined,
  ) {
    const all = (sql: string) => {
      const statement = db.prepare(sql);
      return (...args: number[]) => statement.all(...args);
    };
    this.#read = {
      texts: all(TEXTS),
      doubts: all("SELECT token, known FROM resends WHERE campaign = ? AND phone = ?"),
      days: all("SELECT account, day, used, given FROM account_days"),
      cap: all("SELECT value FROM settings WHERE key = 'maxMessagesPerDay'"),
      site: all("SELECT journal_counter FROM sites WHERE id = ?"),
      answered: all(
        `SELECT 1 FROM sites WHERE id = ?
          AND answered_generation = (SELECT value FROM system WHERE key = 'generation')`,
      ),
      hellos: all("SELECT id, hello_epoch FROM sites"),
      older: all("SELECT 1 FROM system WHERE key = 'older_database'"),
      device: all("SELECT d.key FROM accounts a JOIN devices d ON d.id = a.device WHERE a.id = ?"),
    };
    this.#books = new Books(db, (what) => this.count(what));
    this.warning = new SenderWarning(db, {
      lostTime: this.lostTime,
      rows: () => this.rows,
      count: (what) => this.count(what),
    });
    this.#senders = new ChatSenders(db, {
      now: this.now,
      today: () => Number(israelDay.format(this.now()).replaceAll("-", "")),
      rows: () => this.rows,
      campaigns: () => this.#campaigns,
      clientOf: (campaign) => this.#clientOf.get(campaign),
      isSuppressed: (client, phone) => this.#isSuppressed(client, phone),
      cap: () => this.#cap(),
      count: (what) => this.count(what),
    });
    this.#load();
  }

  /** Returns one sent or one unsent campaign; undefined when there is none. */
  campaign(index: number, isSent: boolean): { id: number; client: number } | undefined {
    const all = [...this.#campaigns.values()].filter(({ status }) =>
      isSent !== ["draft", "ready"].includes(status)
    );
    return all[index % all.length];
  }

  /** Returns the unsettled rows of sent campaigns. */
  unsettled(): Row[] {
    return [...this.rows.values()].filter(({ state, campaign }) =>
      ["queued", "leased"].includes(state) &&
      !["draft", "ready"].includes(this.#campaigns.get(campaign)!.status)
    );
  }

  /** Returns the last journal counter that the edge has received. */
  counterOf(site: number): number {
    return Number(this.#read.site(site)[0]!.journal_counter);
  }

  /** Returns whether the database knows everything the site did, or will receive it in ordinary reports. */
  hasAnswered(site: number): boolean {
    return this.#read.answered(site).length > 0 && !this.isOlderDatabase &&
      !this.#sitesWithoutHello().has(site);
  }

  /** Returns whether a site has shown the edges that the database was put back. */
  get isOlderDatabase(): boolean {
    return this.#read.older().length > 0;
  }

  /**
   * Returns whether every site sent a hello since the database was put back by hand, and none has shown that it is
   * older.
   */
  get isTrusted(): boolean {
    return !this.isOlderDatabase && this.#sitesWithoutHello().size === 0;
  }

  #sitesWithoutHello(): ReadonlyMap<number, number> {
    if (this.#withoutHello.size === 0) return this.#withoutHello;
    for (const { id, hello_epoch } of this.#read.hellos()) {
      if (Number(hello_epoch) > (this.#withoutHello.get(Number(id)) ?? Infinity)) {
        this.#withoutHello.delete(Number(id));
      }
    }
    return this.#withoutHello;
  }

  isRevoked(site: number): boolean {
    return this.#revoked.has(site);
  }

  count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  // ---- the edge

  /** Call after every commit: checks each row's move separately. */
  committed(): void {
    this.#commits += 1;
    const before = this.rows;
    const campaignsBefore = this.#campaigns;
    const present = this.#load();
    this.#judgeReturns(campaignsBefore);
    for (const row of present.values()) {
      const isNews = row.alias > 0 && !before.has(row.id) && this.#blockedAtCommit.has(row.phone);
      assert.ok(!isNews, `I5: ${nameOf(row)} was erased and blocked, and came into a campaign`);
    }
    for (const key of this.#suppressions) {
      if (!this.#suppressedAtCommit.has(key)) this.#suppressedAtCommit.set(key, this.#commits);
    }
    for (const mark of this.#blocked) {
      const phone = this.personOf(mark);
      if (phone === undefined || this.#blockedAtCommit.has(phone)) continue;
      this.#blockedAtCommit.set(phone, this.#commits);
      this.count("blocked");
    }
    for (const row of present.values()) {
      const old = before.get(row.id);
      if (old === undefined) continue;
      // Resends that a restored database learns of were counted when they happened.
      if (row.resent > old.resent && row.state === "queued") {
        this.#resends.set(nameOf(row), (this.#resends.get(nameOf(row)) ?? 0) + 1);
      }
      assert.ok(
        old.variant === null || row.variant === old.variant,
        `I2: the text of ${nameOf(row)} went from ${old.variant} to ${row.variant}`,
      );
      if (row.state !== old.state || row.by !== old.by) this.#judge(old, row);
      this.#senders.judge(old, row);
      const isNewlyAcked = row.state === "leased" && row.acked_at !== null && old.acked_at === null;
      if (isNewlyAcked) this.#judgeAck(row);
      if (row.state === "sent" && row.by === MOVED_BY.site) continue;
      const wasFinal = old.state === "sent" && old.by === MOVED_BY.site;
      assert.ok(!wasFinal, `I7: ${nameOf(row)} left sent, the site's word, for ${row.state} by ${row.by}`);
    }
  }

  /** A site's journal has removed this many outcomes of erased people. */
  forgot(outcomes: number): void {
    this.#erasedOutcomes += outcomes;
    this.count("outcome erased from a journal");
  }

  /** An older database is open now; `byHand` = the edges were not notified, `along` = opt-outs were taken along. */
  replaced({ byHand = false, along = false } = {}): void {
    if (!along) this.#blockedAtCommit.clear();
    this.#withoutHello.clear();
    for (const { id, hello_epoch } of byHand ? this.#read.hellos() : []) {
      this.#withoutHello.set(Number(id), Number(hello_epoch));
    }
    this.#replacedAt = this.now();
    this.#books.begin();
    this.#load();
    this.#leasedCampaigns.clear();
    for (const { id, first_leased_at } of this.#campaigns.values()) {
      // Not by the attempts: the database also knows those that it learned from sites after an earlier restore.
      if (first_leased_at !== null) this.#leasedCampaigns.add(id);
    }
    this.warning.forget();
    this.lostTime.replaced(this.rows.values(), this.#campaigns, { isNoticed: !byHand });
    this.#suppressedAtCommit.clear();
    this.committed();
    // The sites report what was sent since then, and it counts against the caps again, except removed outcomes.
    for (const [day, cap] of this.#capOfDay) this.#capOfDay.set(day, cap + this.#erasedOutcomes);
    this.#isForgotten ||= this.#erasedOutcomes > 0;
    this.#erasedOutcomes = 0;
    this.#ackedSent.clear();
    this.#ackedOthers.clear();
  }

  #load(): ReadonlyMap<number, Row> {
    const [texts] = this.#read.texts() as [Texts];
    this.rows = this.#rowsIn(texts.rows);
    this.#campaigns = this.#campaignsIn(texts.campaigns);
    for (const { id, client } of this.#campaigns.values()) this.#clientOf.set(id, client);
    this.#suppressions = this.#suppressionsIn(texts.suppressions);
    this.#blocked = this.#blockedIn(texts.blocked);
    this.#revoked = this.#revokedIn(texts.revoked);
    return this.rows;
  }

  /** Returns an erased person's row with the real number, so that its taps are still counted. */
  #named(row: Row): Row {
    if (row.alias > 0) this.#phoneOf.set(row.id, row.alias);
    return { ...row, phone: this.#phoneOf.get(row.id)! };
  }

  #judge(old: Row, row: Row): void {
    const wasAcked = old.state === "leased" && old.acked_at !== null;
    const from = old.state === "leased" && !wasAcked ? "offered" : old.state;
    this.count(`move ${from} → ${row.state} by ${row.by}`);
    this.count(`${this.cause}: ${from} → ${row.state} by ${row.by}`);
    const name = nameOf(row);
    const move = { from: old.state, was: old.by, acked: old.acked_at !== null, to: row.state, by: row.by };
    assert.ok(isLegalMove(move), `I7: ${name} went ${from} by ${old.by} → ${row.state} by ${row.by}`);
    const { client, status } = this.#campaigns.get(row.campaign)!;
    if (row.state === "leased") {
      assert.ok(!this.#isSuppressed(client, row.phone), `I5: ${name} is suppressed and was leased`);
      assert.ok(!this.#blockedAtCommit.has(row.phone), `I5: ${name} is blocked and was leased`);
      assert.ok(LIVE.includes(status), `${name} was leased of a campaign that is ${status}`);
      assert.ok(this.#hasStarted(row), `I2: ${name} was leased before its campaign starts`);
      this.#judgeFamily(row);
      this.#leasedCampaigns.add(row.campaign);
      this.#senders.judgeLease(old, row);
      assert.ok(!this.isRevoked(row.site!), `${name} was leased to a revoked site`);
      const [{ key: device }] = this.#read.device(row.account!) as unknown as [{ key: string }];
      const day = `${device} ${israelDay.format(this.now())}`;
      this.#capOfDay.set(day, Math.max(this.#capOfDay.get(day) ?? 0, this.#cap()));
    }
    const { token, phone } = row;
    // A database that was put back without notice accepts reports as usual.
    const isOrdinary = row.by === MOVED_BY.site && !this.lostTime.isNoticed;
    if (token !== null && (row.by === MOVED_BY.person || isOrdinary)) this.lostTime.known({ token, phone });
    if (token !== null && row.by === MOVED_BY.clockOrRevoked) this.lostTime.overdue({ token, phone });
    this.#follow(old, row);
    if (row.state === "unknown") this.#judgeUnknown(old, row);
    const isOfRevoked = old.reason === "site_revoked" && row.by === MOVED_BY.site && row.resent === 0;
    assert.ok(!isOfRevoked, `rule 16: ${name} went to ${row.state} by a report of a revoked site`);
    const reported = this.#reported.get(keyOf(row.token, row.phone));
    if (wasAcked && ["queued", "cancelled", "skipped", "failed"].includes(row.state)) {
      assert.equal(
        row.by,
        MOVED_BY.site,
        `rule 8: ${name} was acknowledged and went to ${row.state} by ${row.by}`,
      );
      assert.ok(
        reported?.has("void") || reported?.has("failed"),
        `rule 8: no site reported that ${name} was not tapped`,
      );
    }
    // A person's decision ends the doubt: contradicting reports of a restored journal are then accepted.
    const isOverruled = old.state === "sent" && row.state === "failed" &&
      this.truthOf(row.site!).restoredAt > 0;
    if (isOverruled) this.#overruled.add(name);
    if (row.state === "queued" && old.state === "unknown" && row.by === MOVED_BY.site) {
      assert.ok(reported?.has("void"), `rule 11: no site reported void for ${name}`);
    }
  }

  /** I2: nobody is written to again while the message may be under way, or once it has reached them. */
  #judgeFamily(row: Row): void {
    const root = row.origin ?? row.id;
    for (const other of this.rows.values()) {
      if (other.id === row.id || (other.origin ?? other.id) !== root) continue;
      this.count(`leased beside ${other.state}`);
      assert.ok(
        other.state !== "sent" && other.state !== "leased",
        `I2: ${nameOf(row)} was leased, and ${nameOf(other)} for the same message is ${other.state}`,
      );
    }
  }

  /** I6: a lease uses part of its account's daily cap, and returns it once it is known that it did not tap. */
  #follow(old: Row, row: Row): void {
    const name = nameOf(row);
    const day = `${row.account} ${row.leased_day}`;
    const reported = this.#reported.get(keyOf(row.token, row.phone)) ?? new Set();
    const wasOpen = old.state === "unknown" && old.by !== MOVED_BY.earlierDoubt;
    const isByWord = row.state !== "sent" && (row.by === MOVED_BY.site || row.by === MOVED_BY.earlierDoubt);
    const isUntapped = old.state === "leased"
      ? ["queued", "cancelled", "skipped"].includes(row.state)
      : wasOpen && isByWord && reported.has("void");
    const isLate = row.state === "sent" && old.state !== "leased" && reported.has("sent");
    if (row.state === "leased" && row.site !== old.site) {
      const most = 3 * this.#cap() + 60;
      assert.ok(add(this.#given, day) <= most, `account ${day} was given more than ${most}`);
      this.#newToSite.add(name);
    } else if (row.state === "leased") this.#newToSite.delete(name);
    const takes = row.state === "leased" || isLate;
    if (takes && row.state === "leased") this.#takesRoom.delete(name);
    if (takes && !this.#takesRoom.has(name)) {
      this.#takesRoom.add(name);
      add(this.#room, day);
    } else if (isUntapped && this.#takesRoom.delete(name)) {
      this.#room.set(day, this.#room.get(day)! - 1);
      const isCalledBack = row.state === "cancelled" || row.state === "skipped" ||
        (row.state === "queued" && !LIVE.includes(this.#campaigns.get(row.campaign)!.status));
      if (isCalledBack && this.#newToSite.has(name)) this.#given.set(day, this.#given.get(day)! - 1);
    }
  }

  #hasStarted({ campaign }: Row): boolean {
    return (this.#campaigns.get(campaign)!.starts_at ?? 0) <= this.now();
  }

  /** I2: a sent campaign becomes ready again only while none of its deliveries was ever leased. */
  #judgeReturns(before: ReadonlyMap<number, Campaign>): void {
    for (const { id, status } of this.#campaigns.values()) {
      const was = before.get(id)?.status ?? "draft";
      if (!["draft", "ready"].includes(status) || ["draft", "ready"].includes(was)) continue;
      this.count(`taken back while ${was}`);
      assert.ok(!this.#leasedCampaigns.has(id), `I2: campaign ${id} was taken back after a lease`);
      const gone = [...this.rows.values()].filter((row) =>
        row.campaign === id && (row.state === "sent" || row.state === "unknown")
      );
      assert.deepEqual(gone, [], `I2: campaign ${id} was taken back although people may have it`);
    }
  }

  #judgeAck(row: Row): void {
    const { client, status } = this.#campaigns.get(row.campaign)!;
    assert.ok(!this.#isSuppressed(client, row.phone), `I5: ${nameOf(row)} is suppressed and got its go`);
    assert.ok(LIVE.includes(status), `${nameOf(row)} got its go while its campaign is ${status}`);
    assert.ok(this.#hasStarted(row), `I2: ${nameOf(row)} got its go before its campaign starts`);
    this.#ackedAtCommit.set(keyOf(row.token, row.phone), this.#commits);
  }

  /** I4: every `unknown` has a cause. */
  #judgeUnknown(old: Row, row: Row): void {
    const name = `I4: ${nameOf(row)} is unknown by ${row.by} (${row.reason})`;
    const site = this.truthOf(row.site!);
    const ackedAt = old.acked_at ?? Infinity;
    switch (row.by) {
      case MOVED_BY.site: {
        // A restored database that learns of an earlier tap records it beside the row, as after a resend (rule 17).
        const open = this.#read.doubts(row.campaign, row.alias).filter(({ known }) => known === 0);
        const attempts = [row.token, ...open.map(({ token }) => String(token))];
        return assert.ok(
          attempts.some((token) => this.#tapping.has(keyOf(token, row.phone))),
          `${name}, and nobody began to tap`,
        );
      }
      case MOVED_BY.clockOrRevoked:
        if (row.reason === "site_revoked") {
          return assert.ok(this.isRevoked(row.site!), `${name}, and the site is not revoked`);
        }
        return assert.ok(this.now() - ackedAt > SILENCE_LIMIT_MS, `${name} before 24 h of silence`);
      case MOVED_BY.journalLost:
        // To a database that was put back, a site seems to have forgotten what it reported since the backup.
        return assert.ok(
          Math.max(site.lostAt, site.restoredAt, this.#replacedAt) >= ackedAt,
          `${name}, and no journal was lost`,
        );
      case MOVED_BY.journalDoubted:
        return assert.ok(Math.max(site.lostAt, site.restoredAt) > 0, `${name}, and no journal was restored`);
      case MOVED_BY.earlierDoubt: {
        const doubts = this.#read.doubts(row.campaign, row.alias);
        return assert.ok(doubts.some(({ known }) => known === 0), `${name}, and no earlier attempt is open`);
      }
    }
    assert.fail(name);
  }

  // ---- the site

  /** Call before a site acknowledges a lease; its journal must contain all of it. */
  siteTakes({ token, items }: LeaseFrame, journal: Journal): void {
    for (const { phone } of items) {
      assert.equal(
        journal.get(token, phone)?.state,
        "leased",
        "a lease is acknowledged before it is written",
      );
    }
  }

  /** Call before a site asks a phone to tap. */
  tapAsked(site: SiteTruth, row: JournalRow | undefined, command: string): void {
    assert.ok(row?.tap, "I2: a phone was asked to tap and the journal does not say for what");
    const { bootId, deadlineUptime } = row.tap;
    assert.ok(
      command.includes(`${deadlineUptime}`) && command.includes(bootId),
      "rule 10: the tap asks for another deadline than the journal's",
    );
    const key = keyOf(row.token, row.phone);
    assert.ok(site.restoredAt > 0 || !this.#tapping.has(key), "I2: an attempt was begun twice");
    this.#tapping.add(key);
    const { campaign, token } = row;
    const attempt = {
      campaign,
      token,
      phone: Number(row.phone),
      client: this.#clientOf.get(campaign)!,
      site: site.id,
    };
    const mayBeReported = this.warning.isOwed || !this.lostTime.isNoticed || !this.#isKnown(attempt);
    this.lostTime.begun(attempt, this.#replacedAt > 0 && mayBeReported);
  }

  /** Call before a site reports; its journal must say the same. */
  siteReports(site: SiteTruth, items: readonly ReportItem[], journal: Journal): void {
    for (const { token, phone, outcome, reason } of items) {
      const key = keyOf(token, phone);
      this.count(`reported ${outcome}${reason === null ? "" : `: ${reason}`}`);
      assert.equal(journal.get(token, phone)?.state, outcome, "rule 3: reported before it was written");
      const reported = this.#reported.get(key) ?? new Set();
      this.#reported.set(key, reported.add(outcome));
      if (site.restoredAt > 0) continue;
      assert.equal(reported.size, 1, `rule 3: a site reported ${[...reported]} for one attempt`);
      const taps = this.#tapsOfAttempt.get(key) ?? 0;
      if (outcome === "sent") {
        assert.equal(taps, 1, "a site reported sent for an attempt that was never tapped");
      }
      if (outcome === "void" || outcome === "failed") {
        assert.equal(taps, 0, `rule 3: a site reported ${outcome} for an attempt that was tapped`);
      }
    }
  }

  /** Call when a site receives the edge's acknowledgement. */
  edgeAcked(rows: readonly JournalRow[]): void {
    // A report that is stale now is sent again after the restore.
    if (this.isOlderDatabase) return;
    for (const { campaign, phone, token, state } of rows) {
      const reported = this.#reported.get(keyOf(token, phone));
      // A restored journal may report what its original gave up: it saw a later attempt's message.
      const isTakenBack = reported?.has("void") || reported?.has("failed");
      if (state === "sent" && !isTakenBack) this.#ackedSent.add(`${campaign} ${phone}`);
      else this.#ackedOthers.add(`${campaign} ${phone} ${token}`);
    }
  }

  // ---- the phone

  tapped(tap: Tap, site: SiteTruth, paceMs: number): void {
    const key = keyOf(tap.token, tap.number);
    add(this.#tapsOfAttempt, key);
    const of = { token: tap.token, phone: Number(tap.number) };
    this.lostTime.tapped(of, {
      at: tap.at,
      isLost: this.#replacedAt > 0 && !this.#isKnown(of),
      isDatedRight: site.wallOffsetMs >= 0,
    });
    const campaign = [...this.#campaigns.values()].find(({ texts }) =>
      texts.some((text) => textFor(text, Number(tap.number)) === tap.text)
    );
    if (campaign === undefined) return assert.ok(this.#replacedAt > 0, `a phone sent ${tap.text}`);
    const name = `${campaign.id} +${tap.number}`;
    const taps = add(this.#taps, name);
    this.count("tap");
    if (!campaign.texts.includes(tap.text)) this.count("tap of a personal text");
    this.#judgeText(campaign, tap);
    const wanted = this.warning.decisionOn(name);
    assert.notEqual(wanted, "leave_out", `${name} was reached in a lost time, left out, and was tapped`);
    if (wanted === "send") this.count("tap of a person whom the lost time reached");
    assert.ok(taps <= 1 + (this.#resends.get(name) ?? 0), `I2: ${name} was tapped ${taps} times`);
    const ackedAt = this.#ackedAtCommit.get(key);
    assert.ok(ackedAt !== undefined, `I2: ${name} was tapped without go`);
    const reported = this.#reported.get(key);
    const isGivenUp = reported?.has("void") || reported?.has("failed");
    assert.ok(site.restoredAt > 0 || !isGivenUp, `rule 3: ${name} was tapped after it was given up`);
    for (const scope of [0, campaign.client]) {
      const suppressedAt = this.#suppressedAtCommit.get(`${scope} ${tap.number}`) ?? Infinity;
      assert.ok(ackedAt < suppressedAt, `I5: ${name} was suppressed before its go and was tapped`);
    }
    const blockedAt = this.#blockedAtCommit.get(Number(tap.number)) ?? Infinity;
    assert.ok(ackedAt < blockedAt, `I5: ${name} was blocked before its go and was tapped`);
    const day = `${tap.device} ${israelDay.format(tap.begunAt)}`;
    const cap = this.#capOfDay.get(day) ?? 0;
    assert.ok(add(this.#tapsOfDay, day) <= cap, `I6: ${day} has more taps than the ${cap} of its cap`);
    const last = this.#lastTap.get(tap.device);
    const pausedMs = tap.at - (last?.at ?? -Infinity);
    const isRemembered = last !== undefined && last.askedAt > site.forgotPaceAt;
    assert.ok(!isRemembered || pausedMs >= paceMs, `I6: ${tap.device} tapped again after ${pausedMs} ms`);
    this.#lastTap.set(tap.device, tap);
  }

  /** I2: a person gets the text that was set at the first claim, whatever was chosen since. */
  #judgeText({ id, texts }: Campaign, { number, text }: Tap): void {
    if (texts.length === 1 || this.#replacedAt > 0) return;
    const row = [...this.rows.values()].find((row) => row.campaign === id && row.phone === Number(number))!;
    const own = texts[row.variant! - 1];
    assert.ok(own !== undefined, `I2: ${nameOf(row)} was tapped without a text of its own`);
    assert.equal(text, textFor(own, row.phone), `I2: ${nameOf(row)} got another text than its row says`);
    this.count(`tap of text ${row.variant}`);
  }

  /** Returns whether the present database has leased the attempt, even if it was given up since. */
  #isKnown({ token, phone }: { token: string; phone: number }): boolean {
    const rows = [...this.rows.values()].filter((row) => row.phone === phone);
    return rows.some((row) =>
      row.token === token || this.#read.doubts(row.campaign, row.alias).some((doubt) => doubt.token === token)
    );
  }

  // ---- after every step

  check(): void {
    for (const row of this.rows.values()) {
      const name = `${row.campaign} +${row.phone}`;
      const isShownSent = row.state === "sent" || (row.state === "leased" && row.acked_at !== null);
      if (this.#ackedSent.has(name)) {
        assert.ok(isShownSent, `the edge acknowledged sent of ${name}, and it shows ${row.state}`);
      }
      if (this.#ackedOthers.has(`${name} ${row.token}`)) {
        assert.notEqual(
          row.state,
          "leased",
          `the edge acknowledged an outcome of ${name}, and the row is still leased`,
        );
      }
    }
    if (this.#checkedCommits === this.#commits) return;
    this.#checkedCommits = this.#commits;
    this.#books.check(this.#campaigns, this.rows.values());
    if (this.#replacedAt > 0) return;
    for (const { account, day, used, given } of this.#read.days()) {
      const name = `${account} ${day}`;
      assert.equal(used, this.#room.get(name) ?? 0, `I6: room of account ${name}`);
      assert.equal(given, this.#given.get(name) ?? 0, `what account ${name} was given`);
    }
  }

  // ---- the end

  /** Call when everything has settled: nothing is left over, and the states match the phones' taps. */
  checkEnd(): void {
    for (const { id, status } of this.#campaigns.values()) {
      assert.ok(!RUNNING.includes(status), `I1: campaign ${id} did not end: ${status}`);
    }
    assert.deepEqual(this.unsettled(), [], "I1: rows are left over");
    for (const row of this.rows.values()) {
      const name = `${row.campaign} +${row.phone}`;
      this.count(`end ${row.state}`);
      if (this.#ackedSent.has(name)) assert.equal(row.state, "sent", `a site reported sent for ${name}`);
      if (row.by === MOVED_BY.person || this.#overruled.has(name)) continue;
      const taps = this.#taps.get(name) ?? 0;
      if (row.state === "sent") {
        // After a database was put back, a campaign can be taken back and get other words although a site has tapped
        // for it: that tap is known by its attempt alone.
        const ofAttempt = row.token === null ? 0 : this.#tapsOfAttempt.get(keyOf(row.token, row.phone)) ?? 0;
        assert.ok(taps + ofAttempt > 0, `${name} is sent and was never tapped`);
      }
      // An outcome that a site removed with an erased person and the database lost cannot be known.
      if (row.alias < 0 && this.#isForgotten) continue;
      if (["failed", "cancelled", "skipped"].includes(row.state)) {
        assert.equal(taps, 0, `I1: ${name} was tapped and is ${row.state}`);
      }
    }
  }

  #isSuppressed(client: number, phone: number): boolean {
    return this.#suppressedAtCommit.has(`0 ${phone}`) || this.#suppressedAtCommit.has(`${client} ${phone}`);
  }

  #cap(): number {
    return Number(this.#read.cap()[0]?.value ?? Infinity);
  }
}

/** Returns `parse`, with its last result again for an equal text. */
function keepLast<T>(parse: (text: string) => T): (text: string) => T {
  let last: { text: string; parsed: T } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, parsed: parse(text) };
    return last.parsed;
  };
}

function keyOf(token: string | null, phone: number | string): string {
  return `${token} ${String(phone).replace("+", "")}`;
}

function add(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
