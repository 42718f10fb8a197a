/**
 * The site's leases. Applies the decisions of `decide.ts` to the journal. Keeps the state that lives in memory only:
 * the edge's `go` and the tokens of this connection. Knows neither sockets nor phones; time is passed in.
 */
import {
  type AgentFrame,
  type EdgeFrameOf,
  MAX_SITE_DEVICES,
  type ReportItem,
} from "shared/agent_protocol.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import { AGENT_FEATURES, type EdgeFeature } from "shared/features.ts";
import { MAX_REPORT_ITEMS } from "shared/lease.ts";
import type { Clock } from "../time/clock.ts";
import { decide, type RowEvent } from "../journal/decide.ts";
import type { Journal, JournalRow, LeaseFrame } from "../journal/journal.ts";
import { deviceOf } from "../journal/journal_tables.ts";
import type { TapIntent } from "../phone/tap_intent.ts";

type TokenPhones = EdgeFrameOf<"recall">["items"];

/** One delivery on which a device may work. */
export interface Job {
  token: string;
  phone: string;
  campaign: number;
  attempt: number;
  account: string;
  text: string;
  image: string | null;
}

/** The wall clock may be corrected, and the monotonic one stops while the machine sleeps: the later one counts. */
interface Moment {
  now: number;
  monotonic: number;
}

interface Held {
  job: Job;
  device: string;
  /** The time until which the row may be tapped; null before `go`. */
  validUntil: Moment | null;
  inHand: boolean;
}

/** A `leaseAck` that still waits for its `go`. */
interface Ack {
  firstSentAt: Moment;
  /** Monotonic time. */
  lastSentAt: number;
}

const OUTCOMES = ["sent", "failed", "unknown", "void"] as const;
/** An unanswered `leaseAck` is repeated after this long. */
const ACK_AGAIN_MS = 3_000;
/** Above this many rows the site asks for no more; `hello` lists 5,000. */
const MAX_OPEN_ROWS = 4_000;
/** Tokens kept for one connection: a repeated frame is a few frames old, not thousands. */
const MAX_SEEN_TOKENS = 10_000;

export class LeaseBook {
  #journal: Journal;
  #clock: Pick<Clock, "now" | "monotonic">;
  #held = new Map<string, Held>();
  #acks = new Map<string, Ack>();
  #seenTokens = new Set<string>();
  #epoch: number | null = null;
  #ready = false;
  #draining = false;

  constructor(options: { journal: Journal; clock: Pick<Clock, "now" | "monotonic"> }) {
    this.#journal = options.journal;
    this.#clock = options.clock;
  }

  /** True between `helloAck` and the end of the connection. Only then may the site send anything about deliveries. */
  get isReady(): boolean {
    return this.#ready;
  }

  /**
   * Returns whether outcomes may be reported to a database of this generation: only after it has all earlier outcomes.
   * A frame gathered before a report would put in doubt again what the site has reported and forgotten (rule 17).
   */
  mayReport(generation: string): boolean {
    return this.#ready && this.#journal.answeredGeneration === generation;
  }

  /** Gives back the rows that an earlier process had not yet tapped. Returns the rows whose tap has no outcome. */
  recover(): JournalRow[] {
    const rows = this.#journal.rows(["leased"]);
    this.#applyAll(rows, { type: "processStarted" });
    return this.#journal.rows(["tapping"]);
  }

  /**
   * Opens a new connection to an edge with these features. Gives back the rows without `go`, then returns a hello with
   * all remaining rows.
   */
  connectionOpened(
    epoch: number,
    agentVersion: string,
    edgeFeatures: ReadonlySet<EdgeFeature> = new Set(),
  ): AgentFrame {
    this.connectionOver();
    this.#epoch = epoch;
    const open = this.#journal.rows(["leased", "tapping", ...OUTCOMES], 5_000).map((row) => ({
      token: row.token,
      campaign: row.campaign,
      phone: row.phone,
      attempt: row.attempt,
      at: row.state === "leased"
        ? "held" as const
        : row.state === "tapping"
        ? "tapping" as const
        : "done" as const,
    }))
      // A person's own message is no lease of the edge, which would take it back.
      .filter(({ campaign, at }) => campaign > 0 || at !== "held");
    const counterAtOpen = this.#journal.isHelloAnswered ? null : this.#journal.counterAtOpen;
    const mark = this.#journal.databaseMark;
    return {
      type: "hello",
      epoch,
      journalId: this.#journal.id,
      counterAtOpen,
      journalCounter: this.#journal.counter,
      open,
      agentVersion,
      features: [...AGENT_FEATURES],
      stopped: this.#journal.stoppedDevices().slice(0, MAX_SITE_DEVICES),
      ...(edgeFeatures.has("compares_marks") && mark !== null && { mark }),
    };
  }

  /** The connection has ended: gives back the rows without `go`. */
  connectionOver(): void {
    this.#epoch = null;
    this.#ready = false;
    this.#acks.clear();
    this.#seenTokens.clear();
    this.#applyAll(this.#jobs((held) => held.validUntil === null), { type: "connectionOver" });
  }

  /** Returns whether the frame belongs to the present connection. */
  helloAcked(frame: EdgeFrameOf<"helloAck">): boolean {
    if (frame.epoch !== this.#epoch) return false;
    this.#ready = true;
    this.#journal.noteDatabaseMark(frame.mark);
    this.#journal.helloAnswered();
    this.recalled(frame.drop);
    return true;
  }

  /** Journals a lease and returns its `leaseAck`, or null when the lease is refused. */
  leased(lease: LeaseFrame): AgentFrame | null {
    if (!this.#ready || this.#draining || this.#seenTokens.has(lease.token)) return null;
    this.#seenTokens.add(lease.token);
    if (this.#seenTokens.size > MAX_SEEN_TOKENS) {
      for (const oldest of this.#seenTokens.values().take(1)) this.#seenTokens.delete(oldest);
    }
    if (!this.#journal.addLease(lease)) return null;
    for (const { phone, attempt, account, text = lease.text! } of lease.items) {
      const { token, campaign, image } = lease;
      const job = { token, phone, campaign, attempt, account, text, image };
      this.#held.set(key(job), { job, device: deviceOf(account), validUntil: null, inHand: false });
    }
    const firstSentAt = { now: this.#clock.now(), monotonic: this.#clock.monotonic() };
    this.#acks.set(lease.token, { firstSentAt, lastSentAt: firstSentAt.monotonic });
    return this.#leaseAck(lease.token);
  }

  /** Returns the `leaseAck`s that have waited too long for their `go`. */
  acksToRepeat(): AgentFrame[] {
    const now = this.#clock.monotonic();
    const due = [...this.#acks].filter(([, ack]) => now - ack.lastSentAt >= ACK_AGAIN_MS);
    return due.map(([token, ack]) => {
      ack.lastSentAt = now;
      return this.#leaseAck(token);
    });
  }

  /** Takes the edge's `go`. Forgets the rows of its token that it omits. Returns the devices that may now tap. */
  goReceived(go: EdgeFrameOf<"go">): Set<string> {
    const devices = new Set<string>();
    // Written with `tapping`, before any tap that follows.
    this.#journal.noteDatabaseMark(go.mark);
    const ack = this.#acks.get(go.token);
    if (!ack) return devices;
    this.#acks.delete(go.token);
    const validMs = new Map(go.items.map((item) => [item.phone, item.validMs]));
    const omitted = this.#jobs((held) => held.job.token === go.token && !validMs.has(held.job.phone));
    this.#applyAll(omitted, { type: "goOmitted" });
    for (const [phone, ms] of validMs) {
      const held = this.#held.get(key({ token: go.token, phone }));
      if (!held) continue;
      const decision = decide({ state: "leased", hasGo: held.validUntil !== null }, { type: "goListed" });
      // Count from the first leaseAck, which was sent before the edge started its count: a late answer gives no extra
      // time.
      const { now, monotonic } = ack.firstSentAt;
      if (decision.do === "takeGo") held.validUntil = { now: now + ms, monotonic: monotonic + ms };
      devices.add(held.device);
    }
    return devices;
  }

  /** Gives back the rows that the edge recalls, unless their tap has begun. */
  recalled(items: TokenPhones): void {
    const rows = items.flatMap(({ token, phones }) => phones.map((phone) => ({ token, phone })));
    this.#applyAll(rows, { type: "givenBack", reason: "recalled" });
  }

  /** Forgets every outcome that the edge has acknowledged. */
  reportAcked(frame: EdgeFrameOf<"reportAck">): void {
    this.#journal.noteDatabaseMark(frame.mark);
    const acked = frame.items.flatMap(({ token, phone }) => {
      const row = this.#journal.get(token, phone);
      const decision = row && decide({ state: row.state, hasGo: false }, { type: "reportAcked" });
      return decision?.do === "forget" ? [{ token, phone, state: row!.state }] : [];
    });
    this.#journal.forget(acked);
  }

  /** Returns the oldest outcomes that the edge has not acknowledged. */
  outcomesToReport(limit = MAX_REPORT_ITEMS): ReportItem[] {
    return this.#journal.rows(OUTCOMES, limit).map((row) => ({
      token: row.token,
      campaign: row.campaign,
      phone: row.phone,
      attempt: row.attempt,
      outcome: row.state as ReportItem["outcome"],
      temporary: row.temporary,
      reason: row.reason,
      account: row.account,
      ...tapTimes(row),
    }));
  }

  /** True when the site may take no more: `hello` must be able to list every row, unreported ones included. */
  get isFull(): boolean {
    return this.#journal.count() >= MAX_OPEN_ROWS;
  }

  /** Returns how many more deliveries a device may get, if it may hold `prefetch` and the one in hand. */
  room(device: string, prefetch: number): number {
    if (this.#draining) return 0;
    return Math.max(0, prefetch - this.#count((held) => held.device === device && !held.inHand));
  }

  /** Returns how many deliveries a device has, the one in hand included. */
  holds(device: string): number {
    return this.#count((held) => held.device === device);
  }

  /** Returns the oldest delivery that this device may tap, and marks it as in hand. */
  take(device: string): Job | null {
    this.giveBackExpired();
    for (const held of this.#held.values()) {
      if (held.device !== device || held.validUntil === null || held.inHand) continue;
      held.inHand = true;
      return held.job;
    }
    return null;
  }

  /** Returns the milliseconds left for the tap; 0 = the delivery was taken back or its time is over. */
  remainingMs(job: Job): number {
    return this.#leftMs(this.#held.get(key(job))?.validUntil ?? null);
  }

  /** Journals the intent to tap. Returns false when the delivery may no longer be tapped. */
  beginTapping(job: Job, tap: TapIntent, tappedAt: number): boolean {
    if (this.remainingMs(job) === 0) {
      this.apply(job, { type: "givenBack", reason: "validity_over" });
      return false;
    }
    return this.apply(job, { type: "readyToTap" }, { tap, tappedAt });
  }

  /** Applies one event to one row. Returns whether the row moved or was forgotten. */
  apply(
    row: { token: string; phone: string },
    event: RowEvent,
    facts: { tap?: TapIntent; tappedAt?: number } = {},
  ): boolean {
    return this.#applyAll([row], event, facts) > 0;
  }

  /** Gives back the rows of one device or account that are waiting or in hand, and not yet tapping. */
  giveBack(where: { device: string } | { account: string }, reason: DeliveryReason): void {
    const jobs = this.#jobs((held) =>
      "device" in where ? held.device === where.device : held.job.account === where.account
    );
    this.#applyAll(jobs, { type: "givenBack", reason });
  }

  /** Gives back the rows that may no longer be tapped. Returns how many. */
  giveBackExpired(): number {
    const expired = this.#jobs((held) =>
      held.validUntil !== null && !held.inHand && this.#leftMs(held.validUntil) === 0
    );
    return this.#applyAll(expired, { type: "givenBack", reason: "validity_over" });
  }

  /** Gives back the rows that wait for an account that cannot send, with the reason of `whyNot`. Returns how many. */
  giveBackWaiting(whyNot: (account: string) => DeliveryReason | null): number {
    let given = 0;
    for (const { account, ...row } of this.#jobs((held) => !held.inHand)) {
      const reason = whyNot(account);
      if (reason !== null && this.apply(row, { type: "givenBack", reason })) given++;
    }
    return given;
  }

  /** Takes no more work, and gives back the rows that are not yet tapping. */
  drain(): void {
    this.#draining = true;
    this.#applyAll(this.#jobs(() => true), { type: "givenBack", reason: "draining" });
  }

  #applyAll(
    rows: { token: string; phone: string }[],
    event: RowEvent,
    facts: { tap?: TapIntent; tappedAt?: number } = {},
  ): number {
    const moves: Parameters<Journal["moveAll"]>[0] = [];
    const forgotten: Parameters<Journal["forget"]>[0] = [];
    for (const { token, phone } of rows) {
      const row = this.#journal.get(token, phone);
      if (!row) continue;
      const held = this.#held.get(key(row));
      const hasGo = held !== undefined && held.validUntil !== null;
      const decision = decide({ state: row.state, hasGo }, event);
      if (decision.do === "forget") forgotten.push({ token, phone, state: row.state });
      if (decision.do === "move") {
        const { to, reason, temporary } = decision;
        moves.push({ token, phone, from: row.state, change: { to, reason, temporary, ...facts } });
      }
    }
    // Write to disk first: only written moves may be acted on or sent.
    const moved = moves.length > 0 ? this.#journal.moveAll(moves) : 0;
    if (forgotten.length > 0) this.#journal.forget(forgotten);
    for (const row of [...moves, ...forgotten]) this.#held.delete(key(row));
    return moved + forgotten.length;
  }

  #leftMs(until: Moment | null): number {
    if (until === null) return 0;
    return Math.max(
      0,
      Math.min(until.monotonic - this.#clock.monotonic(), until.now - this.#clock.now()),
    );
  }

  #jobs(matches: (held: Held) => boolean): Job[] {
    return [...this.#held.values()].filter(matches).map((held) => held.job);
  }

  #count(matches: (held: Held) => boolean): number {
    let count = 0;
    for (const held of this.#held.values()) if (matches(held)) count++;
    return count;
  }

  #leaseAck(token: string): AgentFrame {
    return { type: "leaseAck", token, journalCounter: this.#journal.counter };
  }
}

function key(row: { token: string; phone: string }): string {
  return `${row.token}/${row.phone}`;
}

/**
 * Returns when a row was tapped, or may have been: by this machine's clock and, if known, by the edge's. A row that was
 * given up after all has no tap.
 */
function tapTimes({ state, tappedAt, edgeAt }: JournalRow): Pick<ReportItem, "tappedAt" | "edgeAt"> {
  if (state !== "sent" && state !== "unknown") return { tappedAt: null };
  return edgeAt === null || tappedAt === null ? { tappedAt } : { tappedAt, edgeAt };
}
