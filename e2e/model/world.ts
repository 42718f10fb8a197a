/**
 * The whole product in one process with its own clock. Two edges use one real database and the agents' real
 * endpoint. Three sites run the real agent on model phones, over an unreliable network.
 */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { renewGeneration } from "../../edge/sites/generation.ts";
import { takeAlong } from "../../edge/backup/take_along.ts";
import { WriteLock } from "../../edge/db/write_lock.ts";
import { auditQueue } from "../../edge/queue/audit.ts";
import { type EdgeFault, type EdgeHost, EdgeProcess } from "./edge.ts";
import type { Ground } from "./ground.ts";
import { Link } from "./link.ts";
import { Oracle } from "./oracle.ts";
import { MAX_CAMPAIGNS, People } from "./people.ts";
import { type CommandFate, ModelPhone, type Obstacle } from "./phone.ts";
import { Site, type SiteHooks } from "./site.ts";
import { WorldTime } from "./time.ts";

/** Covers a worker's own short waits; a step has to advance longer ones. */
const SHORT_MS = 3_000;
/** Longer than a deadline and the looks after it. */
const LONGEST_WORK_MS = 20_000;

export class World {
  readonly oracle: Oracle;
  readonly time: WorldTime;
  readonly sites: Site[];
  readonly phones: ModelPhone[];
  readonly people: People;
  edges: EdgeProcess[] = [];
  links: Link[] = [];
  /** True while the network keeps a copy of each frame, to deliver it again at any time. */
  echoes = false;
  readonly #ground: Ground;
  readonly #host: EdgeHost;
  #bytes = 0;
  #ids = 0;
  #error: unknown = null;
  /** Time of the backup. */
  #savedAt: number | null = null;

  /** Opens a world at its start, at `startsAt` in server time. */
  static async open(ground: Ground, startsAt: number): Promise<World> {
    await ground.putBack("beginning");
    return new World(ground, startsAt);
  }

  private constructor(ground: Ground, startsAt: number) {
    this.#ground = ground;
    this.time = new WorldTime(startsAt, () => this.idle());
    this.oracle = new Oracle(ground.raw, () => this.time.now, (id) => this.#siteOf(id), ground.personOf);
    this.#host = {
      now: () => this.time.now,
      randomBytes: (length) => this.#randomBytes(length),
      writing: new WriteLock(),
      startWait: { awaited: "[]" },
      committed: () => this.#guard(() => this.oracle.committed()),
      failed: (event, error) => this.#fail(new Error(`${event} ${error}`)),
    };
    this.#startEdges();
    this.sites = ground.sites.map(({ id, devices }) => {
      const phones = devices.map((device) =>
        new ModelPhone(device, () => this.time.now, (tap) => {
          this.#guard(() => this.oracle.tapped(tap, site, site.process?.paceMs ?? 0));
          site.process?.tapped();
        })
      );
      const { folder } = ground;
      const site: Site = new Site(id, phones, { folder, time: this.time, hooks: () => this.#hooksOf(site) });
      return site;
    });
    this.phones = this.sites.flatMap((site) => site.phones);
    this.people = new People(this, ground, this.#host, (error) => this.#fail(error));
  }

  /** Resolves when nothing can continue without another step. */
  async idle(): Promise<void> {
    do await new Promise<void>((resolve) => setImmediate(resolve)); while (
      this.people.isWriting || this.edges.some((edge) => edge.busy > 0)
    );
  }

  /** Call after every step: waits until the world is idle, and checks everything. */
  async check(): Promise<void> {
    await this.idle();
    this.#startEdges();
    if (this.#error !== null) throw this.#error;
    this.oracle.check();
    this.links = this.links.filter((link) => !link.isOver);
  }

  async audit(): Promise<void> {
    assert.deepEqual(await auditQueue(this.#ground.clients[0]!), []);
  }

  close(): void {
    for (const site of this.sites) site.crash();
    for (const edge of this.edges) edge.crash();
  }

  // ---- the network

  /** The site opens a new connection and sends its hello; all frames are on their way. */
  async connect(index: number, edge: number): Promise<boolean> {
    const site = this.sites[index]!;
    const process = site.start();
    const link = new Link(site.id, this.edges[edge]!);
    process.opened(link);
    this.links.push(link);
    this.people.launch("connect", () => link.edge.accept(link));
    await this.idle();
    return link.toAgent.size > 0;
  }

  /** Delivers up to `most` frames between a site and its edge, including the frames that follow from them. */
  async flow(index: number, most = 40): Promise<boolean> {
    const { process } = this.sites[index]!;
    const link = process?.link;
    if (!process || !link) return false;
    let hasMoved = false;
    for (let frames = 0; frames < most && process.link === link; frames++) {
      if (this.#arriveAtEdge(link) || this.#arriveAtAgent(link)) hasMoved = true;
      else if (this.#nextTimer(index) - this.time.now <= 10) await this.time.pass(10);
      else break;
      await this.idle();
    }
    if (process.link === link && link.socket.readyState !== WebSocket.OPEN) process.ended();
    return hasMoved;
  }

  /** One frame of any connection arrives or is lost, in any order; a copy of an earlier one may arrive. */
  arrive(to: "agent" | "edge", link: number, frame: number, isLost: boolean): boolean {
    const pipeOf = (one: Link) => to === "agent" ? one.toAgent : one.toEdge;
    const waiting = this.links.filter((one) => pipeOf(one).size > 0);
    const chosen = waiting[link % waiting.length];
    if (chosen === undefined) return false;
    if (isLost) return pipeOf(chosen).take(frame) !== undefined;
    return to === "agent" ? this.#arriveAtAgent(chosen, frame) : this.#arriveAtEdge(chosen, frame);
  }

  echo(echoes: boolean): boolean {
    const isNews = this.echoes !== echoes;
    this.echoes = echoes;
    return isNews;
  }

  /** The site drops a connection; the edge does not know. */
  cut(index: number): boolean {
    const process = this.sites[index]!.process;
    if (!process?.link) return false;
    process.ended();
    return true;
  }

  /** Both ends learn which connections have ended. */
  detectCloses(): boolean {
    let found = false;
    for (const link of this.links) {
      const isOpen = link.socket.readyState === WebSocket.OPEN;
      if (isOpen === link.isAgentHere) continue;
      found = true;
      if (isOpen) link.socket.close();
      else this.sites.find(({ process }) => process?.link === link)?.process?.ended();
    }
    return found;
  }

  // ---- sites and phones

  /** A device's worker continues for `commands` commands of its phone; `onTap` is the result of a tap. */
  async work(
    device: number,
    commands: number,
    onTap: CommandFate,
    obstacle: Obstacle = "none",
  ): Promise<boolean> {
    const phone = this.phones[device]!;
    const index = this.sites.findIndex((site) => site.phones.includes(phone));
    phone.obstacle = obstacle;
    let served = 0;
    const until = this.time.now + LONGEST_WORK_MS;
    while (served < commands && this.sites[index]!.process !== null) {
      if (phone.asked !== null) {
        phone.serve(phone.isAskedToTap ? onTap : "answer");
        served += 1;
      } else {
        const waitMs = this.#nextTimer(index) - this.time.now;
        if (waitMs > SHORT_MS || this.time.now > until) break;
        await this.time.pass(waitMs);
      }
      await this.idle();
    }
    phone.obstacle = "none";
    return served > 0;
  }

  /** Ordinary sending: a site without a connection opens one and completes its hello. */
  async greet(index: number, edge: number): Promise<boolean> {
    const { process } = this.sites[index]!;
    if (process?.link?.socket.readyState === WebSocket.OPEN) return false;
    await this.connect(index, edge);
    return await this.flow(index);
  }

  /** Ordinary sending: requests work and accepts it. */
  async fetch(index: number): Promise<boolean> {
    if (!this.sites[index]!.process?.pull()) return false;
    return await this.flow(index);
  }

  /** Ordinary sending: reports, and receives the acknowledgement. */
  async reportAndFlow(index: number): Promise<boolean> {
    if (!this.sites[index]!.process?.report()) return false;
    return await this.flow(index);
  }

  /** All steps of ordinary sending. */
  async serve(index: number, edge: number, onTap: CommandFate, commands: number): Promise<boolean> {
    await this.greet(index, edge);
    await this.fetch(index);
    for (const phone of this.sites[index]!.phones) {
      await this.work(this.phones.indexOf(phone), commands, onTap);
    }
    return await this.reportAndFlow(index);
  }

  start(index: number): boolean {
    const site = this.sites[index]!;
    if (site.process?.isDraining) site.crash();
    if (site.process !== null) return false;
    site.start();
    return true;
  }

  /** Asks the program to stop: it accepts no more work. */
  drain(index: number): boolean {
    const { process } = this.sites[index]!;
    process?.drain();
    return process !== null;
  }

  /** Loses a site's journal, but not while a restored database waits for it: its work could then never be known. */
  loseJournal(index: number): boolean {
    const site = this.sites[index]!;
    if (!this.oracle.hasAnswered(site.id)) return false;
    site.loseJournal();
    return true;
  }

  setClock(index: number, ms: number): boolean {
    const site = this.sites[index]!;
    // Setting the clock back by the slept time would remove the sleep from both clocks.
    if (site.sleptMs > 0) return false;
    site.wallOffsetMs += ms;
    site.forgotPaceAt = this.time.now;
    return true;
  }

  /** The machine sleeps: its timers and its monotonic clock stop. */
  async sleep(index: number, ms: number): Promise<boolean> {
    const site = this.sites[index]!;
    if (site.wallOffsetMs !== 0) return false;
    site.sleptMs += ms;
    await this.time.leap(ms);
    return true;
  }

  /** A person stops or starts a phone; an older program's state could differ from a restored database for ever. */
  order(edge: number, device: number, kind: "stop" | "start"): boolean {
    const phone = this.phones[device]!;
    const isOlder = this.sites[1]!.phones.includes(phone);
    return !isOlder && this.people.order(edge, phone.device, kind);
  }

  slowScreen(device: number, ms: number): void {
    this.phones[device]!.showsAfterMs = ms;
  }

  plug(device: number, isPlugged: boolean): boolean {
    const phone = this.phones[device]!;
    if (phone.isPlugged === isPlugged) return false;
    phone.isPlugged = isPlugged;
    const site = this.sites.find((site) => site.phones.includes(phone))!;
    if (!isPlugged) {
      site.process?.unplugged(phone.device);
      phone.serve("never");
    }
    return true;
  }

  /** Saves a copy of the journal of a site that holds deliveries. */
  copyJournal(index: number): boolean {
    const holding = this.sites.filter(({ process }) => process !== null && process.journal.count() > 0);
    return holding[index % holding.length]?.saveJournal() ?? false;
  }

  /** Replaces a journal with an older copy, if the edge knows of later writes: otherwise it would go unnoticed. */
  restoreJournal(index: number): boolean {
    const older = this.sites.filter(({ id, copyCounter }) =>
      copyCounter !== null && copyCounter < this.oracle.counterOf(id) && this.oracle.hasAnswered(id)
    );
    const site = older[index % older.length];
    site?.restoreJournal();
    return site !== undefined;
  }

  // ---- edges and the database

  crashEdge(index: number): void {
    this.edges[index]!.crash();
  }

  arm(index: number, fault: EdgeFault): void {
    this.edges[index]!.fault = fault;
  }

  /** Makes a backup of the database. */
  async backup(): Promise<void> {
    await this.#ground.save("backup");
    this.oracle.lostTime.saved(this.time.now);
    this.#savedAt = this.time.now;
  }

  /**
   * Replaces the database with the backup, as after the loss of the server; no edge runs meanwhile. Refused when a
   * site lost its work since then, or when the database loses an edge's decision about an older journal: nobody
   * could know of either. `along` = the lost database is still there, and its opt-outs are taken along.
   */
  async restore(along = false): Promise<boolean> {
    if (along) await this.#ground.save("lost");
    if (!await this.#putBack()) return false;
    if (along) {
      const keys = { now: this.time.now, opensKey: () => Promise.resolve(true) };
      await takeAlong(this.#ground.fileOf("lost"), this.#ground.path, keys);
    }
    this.#host.startWait.awaited = "[]";
    this.#startEdges();
    this.oracle.replaced({ along });
    await renewGeneration(this.edges[0]!.ctx);
    return true;
  }

  /**
   * The same without telling the edges, as with a snapshot of the file system. Refused like restore(). Edges that
   * start wait for every site; a wait above one minute is not covered.
   */
  async putBackByHand(): Promise<boolean> {
    if (!await this.#putBack()) return false;
    const [row] = this.#ground.raw.prepare(
      `SELECT json_group_array(json_object('site', id, 'epoch', epoch, 'hello', hello_epoch, 'seen', last_seen_at))
        AS awaited FROM sites`,
    ).all();
    this.#host.startWait.awaited = String(row!.awaited);
    this.#startEdges();
    this.oracle.replaced({ byHand: true });
    return true;
  }

  /** A person reads the alert about a database that was put back, and runs the command that it names. */
  async noteRestored(): Promise<boolean> {
    if (!this.oracle.isOlderDatabase) return false;
    const { writing, randomBytes } = this.#host;
    await writing.acquire();
    try {
      await renewGeneration({ db: this.#ground.clients[0]!, randomBytes });
      this.oracle.lostTime.isNoticed = true;
      this.#host.committed();
    } finally {
      writing.release();
    }
    return true;
  }

  async #putBack(): Promise<boolean> {
    const savedAt = this.#savedAt;
    if (savedAt === null) return false;
    if (
      this.sites.some((site) =>
        this.oracle.isRevoked(site.id) || Math.max(site.lostAt, site.restoredAt) >= savedAt
      )
    ) {
      return false;
    }
    for (const edge of this.edges) edge.crash();
    // Its frames on their way are no longer valid.
    for (const link of this.links) link.toAgent.clear();
    await this.#ground.putBack("backup");
    for (const site of this.sites) site.copyCounter = null;
    return true;
  }

  // ---- the end

  /** Ends all faults and continues all interrupted work; everything then has to settle. */
  async settle(): Promise<void> {
    this.oracle.count("histories");
    for (const { state } of this.oracle.rows.values()) this.oracle.count(`before the end ${state}`);
    this.echoes = false;
    for (const edge of this.edges) edge.thaw();
    for (const phone of this.phones) {
      phone.runLingering();
      phone.showsAfterMs = 0;
      phone.isPlugged = true;
    }
    for (const link of this.links) link.socket.close();
    this.detectCloses();
    await this.check();
    for (const index of this.#present()) this.start(index);
    this.people.sql(
      "settings",
      "UPDATE settings SET value = CASE key WHEN 'rateLimit' THEN '0' ELSE '100' END",
    );
    for (let index = 0; index < MAX_CAMPAIGNS; index++) this.people.change(0, "resume", index, true);
    this.people.startStopped();
    await this.check();
    for (let round = 0; round < 60 && !this.#isSettled(); round++) {
      await this.noteRestored();
      for (const index of this.#present()) {
        // A site with a restored journal is stopped when it returns.
        this.people.startSite(index);
        // Finish the work of a report at once: the leap would end its validity.
        for (let turn = 0; turn < 60 && await this.serve(index, 0, "answer", 100); turn++);
      }
      // Nothing else lets the rest go.
      for (let index = 0; index < MAX_CAMPAIGNS; index++) this.people.chooseText(0, index, 1 + index % 3);
      // Bans may have paused a campaign just now.
      for (let index = 0; index < MAX_CAMPAIGNS; index++) this.people.change(0, "resume", index, true);
      // The longest wait of a retry.
      await this.time.leap(31 * 60_000);
      this.people.tick(0);
      if (this.people.haveErased) this.people.eraseOn(0);
      await this.check();
    }
    for (const index of this.#present()) {
      const { process, phones } = this.sites[index]!;
      const stopped = phones.filter(({ device }) => process?.journal.isStopped(device));
      assert.deepEqual(
        stopped.map(({ device }) => device),
        [],
        "a phone stays stopped that people have started",
      );
    }
    assert.ok(this.#isSettled(), "I1: a journal is not empty, or a delivery does not rest");
    await this.#checkDrafts();
    this.oracle.checkEnd();
    await this.audit();
  }

  /**
   * Checks that no draft stays in a chat, because a person at the phone could send it. Only a site that lost its journal
   * may leave one.
   */
  async #checkDrafts(): Promise<void> {
    for (const index of this.#present()) {
      const { phones, lostAt, restoredAt } = this.sites[index]!;
      const isForgotten = lostAt > 0 || restoredAt > 0;
      for (const phone of phones) {
        for (let turn = 0; turn < 10 && phone.drafts() > 0; turn++) {
          await this.work(this.phones.indexOf(phone), 100, "answer");
          await this.time.leap(10 * 60_000);
        }
        if (!isForgotten) assert.equal(phone.drafts(), 0, "a draft stays in a chat");
        this.oracle.count(isForgotten ? "drafts of a lost journal" : "drafts are cleared");
      }
    }
  }

  // ---- within

  /** Starts dead edge processes again. */
  #startEdges(): void {
    this.edges = this.#ground.clients.map((db, index) => {
      const edge = this.edges[index];
      return edge === undefined || edge.isGone ? new EdgeProcess(db, this.#host) : edge;
    });
  }

  /** Without `frame`, delivers the next in order. */
  #arriveAtEdge(link: Link, frame?: number): boolean {
    const taken = link.toEdge.take(frame, this.echoes);
    if (taken === undefined) return false;
    if (link.socket.readyState !== WebSocket.OPEN) return true;
    this.oracle.cause = taken.type;
    this.#guard(() => link.socket.onmessage?.({ data: taken.bytes.slice().buffer }));
    return true;
  }

  #arriveAtAgent(link: Link, frame?: number): boolean {
    const taken = link.toAgent.take(frame, this.echoes);
    if (taken === undefined) return false;
    this.#guard(() => this.#siteOf(link.site).process?.receive(link, taken));
    return true;
  }

  #guard(act: () => unknown): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#error ??= error;
  }

  #hooksOf(site: Site): SiteHooks {
    return {
      // One of the sites was not updated.
      isOlder: site === this.sites[1],
      newId: () => (++this.#ids).toString(16).padStart(32, "0"),
      onHelloAck: () => site.helloAcked(),
      onLeaseAck: (lease, journal) => this.#guard(() => this.oracle.siteTakes(lease, journal)),
      onReport: (items, journal) => this.#guard(() => this.oracle.siteReports(site, items, journal)),
      onErased: (rows) => this.oracle.forgot(rows),
      onReportAck: (rows) => this.oracle.edgeAcked(rows),
      onTapAsked: (row, command) => this.#guard(() => this.oracle.tapAsked(site, row, command)),
      count: (what) => this.oracle.count(what),
      failed: (error) => this.#fail(error),
    };
  }

  #siteOf(id: number): Site {
    return this.sites.find((site) => site.id === id)!;
  }

  #nextTimer(index: number): number {
    return this.sites[index]!.clock?.nextAt ?? Infinity;
  }

  /** Returns sites that were not revoked. */
  #present(): number[] {
    return [...this.sites.keys()].filter((index) => !this.oracle.isRevoked(this.sites[index]!.id));
  }

  /**
   * Returns whether every delivery is settled, every journal is empty, and a restored database has received
   * everything.
   */
  #isSettled(): boolean {
    const isOpen = (index: number) => {
      const { id, process } = this.sites[index]!;
      return !this.oracle.hasAnswered(id) || process === null || process.journal.count() > 0;
    };
    return this.oracle.unsettled().length === 0 && !this.#present().some(isOpen);
  }

  #randomBytes(length: number): Uint8Array<ArrayBuffer> {
    // Never repeats, and even the first bytes differ: Knuth's multiplicative hash.
    const bytes = new Uint8Array(Math.max(4, length));
    new DataView(bytes.buffer).setUint32(0, Math.imul(++this.#bytes, 2_654_435_761) >>> 0);
    return bytes.slice(0, length);
  }
}
