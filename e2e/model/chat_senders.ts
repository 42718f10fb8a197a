/**
 * Checks that a chat keeps its sender: rows are left for the account that wrote to the person for the same client, not
 * too many and not for too long, and no other account takes them meanwhile.
 */
import assert from "node:assert/strict";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { type Campaign, LIVE } from "./books.ts";
import { nameOf, type Row } from "./row.ts";

/** The longest wait for a sender, by docs/account_health.md. */
const SENDER_WAIT_MS = 10 * 60_000;

interface Sender extends Record<string, SQLOutputValue> {
  device: string;
  /** What its phone used of the day. */
  used: number;
  /** When its phone and its site had both answered last. */
  answeredAt: number;
  /** 1 = nothing stops it, its phone or its site. */
  isWell: number;
}

const SENDER = `SELECT d.key AS device, (SELECT coalesce(sum(t.used), 0) FROM accounts o
    JOIN account_days t ON t.account = o.id WHERE o.device = d.id AND t.day = ?2) AS used,
  min(s.last_seen_at, d.proof_at) AS answeredAt,
  a.state = 'ok' AND a.trip IS NULL AND d.state = 'online' AND d.stopped = 0 AND d.site_stopped IS NOT 1
    AND s.stopped = 0 AND s.draining = 0 AND s.revoked = 0 AS isWell
  FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site WHERE a.id = ?1`;

/** The parts of the oracle that the senders are compared with. */
interface Facts {
  now(): number;
  /** Today in Israel, as yyyymmdd. */
  today(): number;
  rows(): ReadonlyMap<number, Row>;
  campaigns(): ReadonlyMap<number, Campaign>;
  /** The client of a campaign, also of a lost one. */
  clientOf(campaign: number): number | undefined;
  isSuppressed(client: number, phone: number): boolean;
  /** What a phone may send in a day. */
  cap(): number;
  count(what: string): void;
}

export class ChatSenders {
  readonly #facts: Facts;
  readonly #readSender;
  readonly #readNoted;
  readonly #readPace;
  /** When rows were last left for their senders, and those whose sender could not go on. */
  readonly #leftAt = new Map<number, number>();
  readonly #inVain = new Set<number>();

  constructor(db: DatabaseSync, facts: Facts) {
    this.#facts = facts;
    this.#readSender = db.prepare(SENDER);
    this.#readNoted = db.prepare("SELECT account FROM senders WHERE client = ? AND phone = ?");
    this.#readPace = db.prepare(
      "SELECT CAST(value AS REAL) AS seconds FROM settings WHERE key = 'rateLimit'",
    );
  }

  /** Checks one row after a commit; `old` is the row before it. */
  judge(old: Row, row: Row): void {
    if (row.awaits === null) return;
    if (old.awaits === null) this.#judgeLeft(row);
    this.#judgeWaiting(old, row);
  }

  /** Another account leases a row only when its wait for its sender is over, or was in vain. */
  judgeLease(old: Row, row: Row): void {
    this.#judgePlace(old, row);
    if (old.awaits === null) return;
    const isOwn = old.awaits === row.account;
    this.#facts.count(isOwn ? "leased to its sender" : "leased after the wait for its sender");
    // Outcomes and lease may be one commit: its outcomes may end the wait, and its lease take the row.
    const noted = this.#readNoted.get(this.#campaignOf(row).client, row.alias);
    const hasEnded = this.#senderOf(old).isWell === 0 || noted?.account !== old.awaits;
    assert.ok(
      isOwn || this.#isOver(row) || hasEnded || this.#inVain.has(row.id),
      `${nameOf(row)} was leased while it was left for another`,
    );
  }

  /** A row is left for the account that wrote to the person for this client, and not for long. */
  #judgeLeft(row: Row): void {
    const { client, status } = this.#campaignOf(row);
    this.#facts.count("left for its sender");
    // An edge that was frozen commits by the clock of its question: then the wait may be over when the row is left.
    const leftAt = row.not_before - SENDER_WAIT_MS;
    this.#leftAt.set(row.id, leftAt);
    assert.equal(row.state, "queued", `${nameOf(row)} waits for its sender and is ${row.state}`);
    assert.ok(LIVE.includes(status), `${nameOf(row)} is left for its sender in a campaign that is ${status}`);
    assert.ok(leftAt <= this.#facts.now(), `${nameOf(row)} waits too long for its sender`);
    const rows = [...this.#facts.rows().values()];
    const isTheClients = (other: Row) =>
      other.phone === row.phone && other.campaign !== row.campaign &&
      (other.state === "sent" || other.state === "unknown") &&
      this.#facts.clientOf(other.campaign) === client;
    assert.ok(rows.some(isTheClients), `nobody wrote to ${nameOf(row)} for its client before`);
    const sender = this.#senderOf(row);
    assert.ok(sender.answeredAt > leftAt - SENDER_WAIT_MS, `${nameOf(row)} is left for a silent sender`);
    const forPhone = rows.filter((other) =>
      this.#waits(other) && this.#senderOf(other).device === sender.device
    );
    const { seconds } = this.#readPace.get() as { seconds: number };
    const most = seconds === 0 ? Infinity : Math.ceil(SENDER_WAIT_MS / (1_000 * seconds));
    assert.ok(forPhone.length <= most, `${forPhone.length} rows are left for a phone that sends ${most}`);
  }

  /** Nobody waits for a sender that is stopped; and while it can go on, the wait lasts its ten minutes. */
  #judgeWaiting(old: Row, row: Row): void {
    const { isWell, answeredAt, used } = this.#senderOf(row);
    if (this.#waits(row)) assert.equal(isWell, 1, `${nameOf(row)} waits for a sender that cannot take it`);
    const isFreed = row.state === "queued" && old.awaits !== null && old.not_before > 0 &&
      row.not_before === 0;
    if (!isFreed) return;
    const isOver = this.#isOver(row);
    const isLost = isWell === 0 || answeredAt <= this.#facts.now() - SENDER_WAIT_MS ||
      used >= this.#facts.cap();
    this.#facts.count(isOver ? "took its place after the wait" : "took its place without its sender");
    assert.ok(isOver || isLost, `${nameOf(row)} waits no longer for a sender that can take it`);
    this.#inVain.add(row.id);
  }

  /** By the clock of its claim, a row that waited in vain goes before later rows of the list that were never leased. */
  #judgePlace(old: Row, row: Row): void {
    if (old.awaits !== null || old.not_before > 0 || old.attempt > 0) return;
    const { client } = this.#campaignOf(row);
    const before = [...this.#facts.rows().values()].find((other) =>
      other.campaign === row.campaign && other.id < row.id && other.state === "queued" &&
      other.awaits !== null &&
      other.not_before <= row.leased_at! && !this.#facts.isSuppressed(client, other.phone)
    );
    assert.equal(before, undefined, `${nameOf(row)} went before a row that had waited for its sender`);
  }

  /** Whether a row is left for its sender now, and hidden from others. */
  #waits(row: Row): boolean {
    return row.state === "queued" && row.awaits !== null && row.not_before > this.#facts.now() &&
      LIVE.includes(this.#campaignOf(row).status);
  }

  #isOver({ id }: Row): boolean {
    return this.#facts.now() - this.#leftAt.get(id)! >= SENDER_WAIT_MS;
  }

  /** Returns the account that a row waits for. */
  #senderOf({ awaits }: Row): Sender {
    return this.#readSender.get(awaits, this.#facts.today()) as Sender;
  }

  #campaignOf({ campaign }: Row): Campaign {
    return this.#facts.campaigns().get(campaign)!;
  }
}
