/** A LeaseBook between phones, an edge that keeps the rules, and a network that keeps none: for random histories. */
import assert from "node:assert/strict";
import type { AgentFrame, EdgeFrame } from "shared/agent_protocol.ts";
import { Journal, type JournalRow } from "../journal.ts";
import { type Job, LeaseBook } from "../lease_book.ts";

export const DEVICES = ["SIM0001"];
const ALL = ["leased", "tapping", "sent", "failed", "unknown", "void"] as const;
const PHONES = ["+972501234561", "+972501234562"];
const TAP = { bootId: "b", deadlineUptime: 7, rowsBefore: [] };
const VALID_MS = 60_000;

type Said<T extends AgentFrame["type"]> = Extract<AgentFrame, { type: T }>;

/** What a phone shows after a tap: nobody but it knows whether the message went out. */
export const FATES = ["seen", "unseen", "refused"] as const;
type Fate = typeof FATES[number];

interface InHand {
  job: Job;
  /** Null until the tap is journaled. */
  fate: Fate | null;
}

/** One row as the edge sees it. */
interface EdgeRow {
  phone: string;
  token: string;
  state: "queued" | "offered" | "acked" | "done" | "unknown";
}

interface Connection {
  epoch: number;
  /** Frames on their way; each may arrive late, twice, in any order, or never. */
  toAgent: EdgeFrame[];
  toEdge: AgentFrame[];
  isGreeted: boolean;
  /** The site has left it; what it said may still arrive. */
  isOver: boolean;
}

/** The whole: a site in one process after another, its phones, the edge and what is between them. */
export class LeaseWorld {
  now = 1_000_000;
  monotonic = 0;
  readonly journal = new Journal(":memory:", { now: () => this.now, newId: () => "1".repeat(32) });
  readonly rows: EdgeRow[] = PHONES.map((phone) => ({ phone, token: "", state: "queued" }));
  /** Taps that went through, by token and phone. */
  readonly taps = new Map<string, number>();
  book = this.newBook();
  inHand = new Map<string, InHand>();
  doubts: JournalRow[] = [];
  fates = new Map<string, Fate>();
  connection: Connection | null = null;
  epoch = 0;
  tokens = 0;
  /** Rows the edge has confirmed in a go, by token and phone, … */
  readonly goes = new Set<string>();
  /** … that the journal ever held, … */
  readonly journaled = new Set<string>();
  /** … and that it was free to forget: named by a reportAck, or left out of a go. */
  readonly free = new Set<string>();

  newBook(): LeaseBook {
    return new LeaseBook({
      journal: this.journal,
      clock: { now: () => this.now, monotonic: () => this.monotonic },
    });
  }

  // ---- the site

  restart(): void {
    this.disconnect();
    this.book = this.newBook();
    this.inHand.clear();
    this.doubts = this.book.recover();
    assert.deepEqual(this.journal.rows(["leased"]), [], "a new process holds nothing untapped");
  }

  disconnect(): void {
    if (this.connection === null || this.connection.isOver) return;
    this.connection.isOver = true;
    this.book.connectionOver();
  }

  connect(): void {
    this.disconnect();
    const epoch = ++this.epoch;
    const hello = this.book.connectionOpened(epoch, "1.0.0") as Said<"hello">;
    const listed = hello.open.map(keyOf).sort();
    const journaled = this.journal.rows(["leased", "tapping", "sent", "failed", "unknown", "void"]).map(
      keyOf,
    );
    assert.deepEqual(listed, journaled.sort(), "hello lists every row");
    for (const row of hello.open) {
      if (row.at === "held") assert.ok(this.goes.has(keyOf(row)), "what is held has its go");
    }
    this.connection = { epoch, toAgent: [], toEdge: [hello], isGreeted: false, isOver: false };
  }

  say(frame: AgentFrame | null): void {
    if (frame === null || this.connection === null || !this.book.isReady) return;
    // What is said was written before.
    if (frame.type === "report") {
      for (const item of frame.items) {
        assert.equal(this.journal.get(item.token, item.phone)?.state, item.outcome);
      }
    }
    this.connection.toEdge.push(frame);
  }

  takeLease(lease: Extract<EdgeFrame, { type: "lease" }>): void {
    const ack = this.book.leased(lease);
    if (ack === null) return;
    const written = this.journal.rows(["leased"]).filter(({ token }) => token === lease.token);
    assert.equal(written.length, lease.items.length, "a lease is acknowledged once it is written");
    this.say(ack);
  }

  report(): void {
    const items = this.book.outcomesToReport();
    if (items.length > 0) {
      this.say({ type: "report", seq: 1, journalCounter: this.journal.counter, items });
    }
  }

  repeatAcks(): void {
    for (const ack of this.book.acksToRepeat()) this.say(ack);
  }

  /** The device's next step: takes work, taps, or comes back from the phone. */
  advance(device: string, fate: Fate, how: "temporary" | "for_good"): void {
    const work = this.inHand.get(device);
    if (work === undefined) this.take(device);
    else if (work.fate === null) this.tap(device, fate);
    else this.finish(device, how);
  }

  take(device: string): void {
    if (this.inHand.has(device) || this.doubts.some((row) => row.account.startsWith(device))) return;
    const job = this.book.take(device);
    if (job === null) return;
    assert.ok(this.goes.has(keyOf(job)), "nothing is handed out without go");
    this.inHand.set(device, { job, fate: null });
  }

  /** Journals the tap and, with a fate that says so, taps; the proof is another step. */
  tap(device: string, fate: Fate): void {
    const work = this.inHand.get(device);
    if (work === undefined || work.fate !== null) return;
    const key = keyOf(work.job);
    if (!this.book.beginTapping(work.job, TAP, this.now)) {
      assert.notEqual(this.journal.get(work.job.token, work.job.phone)?.state, "leased");
      this.inHand.delete(device);
      return;
    }
    assert.equal(this.journal.get(work.job.token, work.job.phone)?.state, "tapping");
    assert.ok(this.goes.has(key), "nothing is tapped without go");
    work.fate = fate;
    this.fates.set(key, fate);
    if (fate === "refused") return;
    const taps = (this.taps.get(key) ?? 0) + 1;
    this.taps.set(key, taps);
    assert.equal(taps, 1, "never two taps of one attempt");
  }

  /** The flow on the phone comes back: with the proof, without it, or failed before the tap. */
  finish(device: string, how: "temporary" | "for_good"): void {
    const work = this.inHand.get(device);
    if (work === undefined) return;
    this.inHand.delete(device);
    const { job, fate } = work;
    if (fate === null) {
      const type = how === "temporary" ? "tryFailed" as const : "failedForGood" as const;
      this.book.apply(job, { type, reason: "chat_not_opened" });
      assert.notEqual(this.journal.get(job.token, job.phone)?.state, "leased");
      return;
    }
    if (fate === "seen") return void this.book.apply(job, { type: "provenSent" }, { tappedAt: this.now });
    const row = this.journal.get(job.token, job.phone);
    if (row?.state === "tapping") this.doubts.push(row);
  }

  lookBack(): void {
    const row = this.doubts.shift();
    if (row === undefined) return;
    const fate = this.fates.get(keyOf(row));
    const found = fate === "seen" ? "sent" : fate === "refused" ? "draft" : null;
    this.book.apply(row, { type: "lookedBack", found, reason: "send_not_verified" });
  }

  // ---- the network

  /** One frame arrives; `again` leaves a copy on its way, `lost` takes it away unread. */
  arrive(to: "agent" | "edge", index: number, fate: "once" | "again" | "lost"): void {
    const { connection } = this;
    if (connection === null || (to === "agent" && connection.isOver)) return;
    const way: (EdgeFrame | AgentFrame)[] = to === "agent" ? connection.toAgent : connection.toEdge;
    if (way.length === 0) return;
    const at = index % way.length;
    const frame = way[at]!;
    if (fate !== "again") way.splice(at, 1);
    if (fate === "lost") return;
    if (to === "agent") this.hear(frame as EdgeFrame);
    else this.edgeHears(frame as AgentFrame, connection);
  }

  /** Everything on its way arrives as it was sent. */
  flow(): void {
    const { connection } = this;
    while (connection !== null && connection.toEdge.length > 0) this.arrive("edge", 0, "once");
    while (connection !== null && !connection.isOver && connection.toAgent.length > 0) {
      this.arrive("agent", 0, "once");
    }
  }

  hear(frame: EdgeFrame): void {
    switch (frame.type) {
      case "helloAck":
        return void this.book.helloAcked(frame);
      case "lease":
        return this.takeLease(frame);
      case "go": {
        const listed = new Set(frame.items.map(({ phone }) => phone));
        const held = this.journal.rows(["leased"]).filter(({ token }) => token === frame.token);
        for (const row of held) if (!listed.has(row.phone)) this.free.add(keyOf(row));
        return this.book.goReceived(frame);
      }
      case "reportAck":
        for (const item of frame.items) this.free.add(keyOf(item));
        return this.book.reportAcked(frame);
      case "recall":
        return this.book.recalled(frame.items);
    }
  }

  // ---- the edge, in the few rules a site can feel

  edgeHears(frame: AgentFrame, connection: Connection): void {
    if (frame.type === "hello") return this.greet(frame, connection);
    if (!connection.isGreeted) return;
    if (frame.type === "leaseAck") {
      const mine = this.rows.filter((row) => row.token === frame.token);
      for (const row of mine) if (row.state === "offered") row.state = "acked";
      const acked = mine.filter((row) => row.state === "acked");
      for (const row of acked) this.goes.add(keyOf(row));
      const items = acked.map(({ phone }) => ({ phone, validMs: VALID_MS }));
      connection.toAgent.push({ type: "go", token: frame.token, items });
    }
    if (frame.type === "report") {
      for (const item of frame.items) this.hearOutcome(item);
      const items = frame.items.map(({ token, phone }) => ({ token, phone, result: "applied" as const }));
      connection.toAgent.push({ type: "reportAck", seq: frame.seq, items });
    }
  }

  greet({ open }: Said<"hello">, connection: Connection): void {
    if (connection.isGreeted) return;
    connection.isGreeted = true;
    const listed = new Set(open.map(keyOf));
    for (const row of this.rows) {
      if (row.state === "offered") row.state = "queued";
      assert.ok(row.state !== "acked" || listed.has(keyOf(row)), "no acknowledged row is ever lost");
    }
    const gone = open.filter((row) =>
      row.at === "held" && !this.rows.some((one) => one.state === "acked" && keyOf(one) === keyOf(row))
    );
    const drop = gone.map(({ token, phone }) => ({ token, phones: [phone] }));
    connection.toAgent.push({ type: "helloAck", epoch: connection.epoch, drop });
  }

  hearOutcome({ token, phone, outcome }: Said<"report">["items"][number]): void {
    const taps = this.taps.get(`${token}/${phone}`) ?? 0;
    if (outcome === "sent") assert.equal(taps, 1, "sent was tapped");
    if (outcome === "void" || outcome === "failed") assert.equal(taps, 0, `${outcome} was not tapped`);
    const row = this.rows.find((one) => one.phone === phone && one.token === token);
    if (row === undefined || row.state === "queued" || row.state === "done") return;
    row.state = outcome === "void" ? "queued" : outcome === "unknown" ? "unknown" : "done";
  }

  lease(device: string, count: number): void {
    if (!this.connection?.isGreeted) return;
    const rows = this.rows.filter(({ state }) => state === "queued").slice(0, count);
    if (rows.length === 0) return;
    const token = String(++this.tokens).padStart(32, "0");
    for (const row of rows) Object.assign(row, { token, state: "offered" });
    const items = rows.map(({ phone }) => ({ phone, attempt: 1, account: `${device}/com.whatsapp/0` }));
    this.connection.toAgent.push({
      type: "lease",
      token,
      ttlMs: 1,
      campaign: 1,
      text: "x",
      image: null,
      items,
    });
  }

  expire(): void {
    for (const row of this.rows) if (row.state === "offered") row.state = "queued";
  }

  recall(index: number): void {
    const row = this.rows[index]!;
    if (row.state !== "acked") return;
    this.connection?.toAgent.push({ type: "recall", items: [{ token: row.token, phones: [row.phone] }] });
  }

  // ---- the end

  /** Call after every step. */
  check(): void {
    const present = new Set(this.journal.rows(ALL).map(keyOf));
    for (const key of present) this.journaled.add(key);
    for (const key of this.journaled) {
      assert.ok(present.has(key) || this.free.has(key), `${key} was forgotten too early`);
    }
  }

  /** The faults end: everything on its way arrives, every doubt is looked at, everything is reported. */
  settle(): void {
    for (const device of DEVICES) this.finish(device, "temporary");
    this.connect();
    for (let round = 0; round < 10; round++) {
      this.flow();
      while (this.doubts.length > 0) this.lookBack();
      for (const device of DEVICES) {
        this.lease(device, 3);
        this.take(device);
        this.tap(device, "seen");
        this.finish(device, "temporary");
      }
      this.report();
    }
    assert.deepEqual(this.journal.rows(ALL), [], "the journal is empty");
    for (const row of this.rows) {
      assert.ok(["done", "unknown"].includes(row.state), `${row.phone} is ${row.state}`);
    }
  }
}

function keyOf(row: { token: string; phone: string }): string {
  return `${row.token}/${row.phone}`;
}
