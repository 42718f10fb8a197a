/** One run of a site's program, until it is killed: its real journal, lease book, group commit and device workers. */
import {
  type AgentFrame,
  type AgentFrameOf,
  agentFrameSchema,
  type EdgeFrameOf,
  edgeFrameSchema,
} from "shared/agent_protocol.ts";
import { decodeFrame, encodeFrame } from "shared/cbor.ts";
import { DEAD_SOCKET_MS, PREFETCH_PER_DEVICE } from "shared/lease.ts";
import { DEFAULT_SETTINGS, type Settings } from "shared/settings.ts";
import { Bell } from "../../agent/time/bell.ts";
import { DeviceWorker } from "../../agent/site/device_worker.ts";
import { edgeFeatures } from "../../agent/edge/edge_features.ts";
import { reportErased } from "../../agent/site/erase.ts";
import { GroupCommit } from "../../agent/journal/group_commit.ts";
import { Journal, type JournalRow, type LeaseFrame } from "../../agent/journal/journal.ts";
import { deviceOf } from "../../agent/journal/journal_tables.ts";
import { LeaseBook } from "../../agent/site/lease_book.ts";
import { outcomeFrames } from "../../agent/site/outcomes.ts";
import type { Phone } from "../../agent/phone/phone.ts";
import { lostStateToReason } from "../../agent/delivery/result_to_event.ts";
import { followStops, startDevice, stopDevice, type StopSite } from "../../agent/site/stop_device.ts";
import { SHIPPED_WORDS } from "../../agent/screens/shipped_files.ts";
import type { Link } from "./link.ts";
import type { ModelPhone } from "./phone.ts";
import type { ProcessClock } from "./time.ts";

export type ReportItem = AgentFrameOf<"report">["items"][number];

export interface ProcessOptions {
  journalPath: string;
  phones: readonly ModelPhone[];
  clock: ProcessClock;
  newId(): string;
  /** Whether it behaves like the program of an earlier release towards the edge. */
  isOlder: boolean;
  /** Called when an edge has answered its hello. */
  onHelloAck(): void;
  /** Called before a lease is acknowledged. */
  onLeaseAck(lease: LeaseFrame, journal: Journal): void;
  /** Called before a report is sent. */
  onReport(items: readonly ReportItem[], journal: Journal): void;
  /** Called after the edge's acknowledgement, before the rows are removed from the journal. */
  onReportAck(rows: readonly JournalRow[]): void;
  /** Called before a phone is asked to tap for a row. */
  onTapAsked(row: JournalRow | undefined, command: string): void;
  /** Called with the number of outcomes of erased people that the journal removed. */
  onErased(rows: number): void;
  /** Counts an event by name. */
  count(what: string): void;
  failed(error: unknown): void;
}

export class AgentProcess {
  readonly journal: Journal;
  readonly book: LeaseBook;
  /**
   * The shortest pause in the settings since the last tap: a waiting phone uses the settings from the start of its
   * wait.
   */
  paceMs = DEFAULT_SETTINGS.rateLimit * 1000;
  link: Link | null = null;
  isDraining = false;
  readonly #options: ProcessOptions;
  readonly #commits: GroupCommit;
  readonly #workers = new Map<string, { worker: DeviceWorker; bell: Bell }>();
  #settings = DEFAULT_SETTINGS;
  #generation = "";
  #outcomes: Iterator<AgentFrame> | null = null;
  #reports = 0;
  /** Monotonic time of the present connection's start. */
  #openedAt = 0;
  /** Phones that a command stopped or started between hello and helloAck. */
  readonly #commanded = new Set<string>();

  constructor(options: ProcessOptions) {
    const { clock, phones, newId } = options;
    this.#options = options;
    this.journal = new Journal(options.journalPath, { now: () => clock.now(), newId });
    this.book = new LeaseBook({ journal: this.journal, clock });
    const taps = this.book.recover();
    this.#commits = new GroupCommit({ journal: this.journal, clock });
    for (const phone of phones) {
      this.#work(
        phone,
        taps.filter((row) => deviceOf(row.account) === phone.device),
      );
    }
  }

  /** Kills the process at once; commands already sent to its devices may still run. */
  kill(): void {
    this.#leave();
    this.#options.clock.kill();
    for (const phone of this.#options.phones) phone.abandon();
    this.journal.close();
  }

  /** Starts a new connection; the present one is dropped first. */
  opened(link: Link): void {
    this.ended();
    this.link = link;
    this.#openedAt = this.#options.clock.monotonic();
  }

  #learnTime(serverTime: number): void {
    const { clock } = this.#options;
    const aheadMs = serverTime - clock.monotonic();
    this.journal.edgeNow = () => clock.monotonic() + aheadMs;
  }

  /** The present connection has ended, as far as this site knows. */
  ended(): void {
    if (this.link === null) return;
    this.#leave();
    this.book.connectionOver();
  }

  /** Handles one frame of a link; frames of earlier links are ignored. */
  receive(link: Link, bytes: Uint8Array): void {
    if (link !== this.link) return;
    const frame = decodeFrame(bytes, edgeFrameSchema);
    switch (frame.type) {
      case "welcome":
        // Its clock value would be very old: a real connection would have ended after such a silence.
        if (this.#options.clock.monotonic() - this.#openedAt > DEAD_SOCKET_MS) return this.ended();
        this.#set(frame.settings);
        this.#generation = frame.generation;
        this.#learnTime(frame.serverTime);
        this.#commanded.clear();
        return this.#send(this.#hello(this.book.connectionOpened(frame.epoch, "1.0.0", edgeFeatures(frame))));
      case "helloAck":
        if (!this.book.helloAcked(frame)) return;
        this.#options.onHelloAck();
        if (frame.stopped) followStops(this.#stops(), frame.stopped, this.#commanded);
        if (this.journal.answeredGeneration !== this.#generation) {
          this.#outcomes = outcomeFrames(this.journal, this.#generation, 1);
          this.#sendOutcomes();
        }
        return this.#wake();
      case "outcomesAck":
        if (frame.last) this.journal.setAnsweredGeneration(frame.generation);
        return this.#sendOutcomes();
      case "lease":
        return void this.#takeLease(frame, link);
      case "go":
        this.#takeGo(frame);
        return this.#wake();
      case "reportAck":
        for (const { result } of frame.items) this.#options.count(`acked ${result}`);
        this.#options.onReportAck(
          frame.items.map(({ token, phone }) => this.journal.get(token, phone)).filter((row) => row !== null),
        );
        this.book.reportAcked(frame);
        if (!frame.lease) return;
        this.#options.count("lease with a report");
        return void this.#takeLease(frame.lease, link);
      case "heartbeatAck":
        return this.journal.noteDatabaseMark(frame.mark);
      case "erase":
        this.journal.noteDatabaseMark(frame.mark);
        return this.#erase(frame.items);
      case "recall":
        this.book.recalled(frame.items);
        return this.#wake();
      case "settings":
        this.#set(frame.settings);
        return this.#wake();
      case "command":
        this.#obey(frame);
        return this.#wake();
      case "superseded":
        return this.ended();
    }
  }

  pull(): boolean {
    if (!this.book.isReady) return false;
    const devices = this.#devicesWithRoom();
    if (devices.length > 0) this.#send({ type: "pull", devices });
    return devices.length > 0;
  }

  report(): boolean {
    const items = this.#mayReport() ? this.book.outcomesToReport() : [];
    if (items.length === 0) return false;
    this.#options.onReport(items, this.journal);
    const { counter: journalCounter } = this.journal;
    const asks = this.#devicesWithRoom();
    this.#send({ type: "report", seq: ++this.#reports, journalCounter, items, asks });
    return true;
  }

  repeatAcks(): boolean {
    const acks = this.book.acksToRepeat();
    for (const ack of acks) this.#send(ack);
    return acks.length > 0;
  }

  heartbeat(): boolean {
    if (!this.book.isReady) return false;
    const { clock } = this.#options;
    this.#send({ type: "heartbeat", journalCounter: this.journal.counter, at: Math.max(0, clock.now()) });
    return true;
  }

  drain(): void {
    this.isDraining = true;
    if (this.book.isReady) this.#send({ type: "drain" });
    this.book.drain();
  }

  /** A device was disconnected. */
  unplugged(device: string): void {
    this.book.giveBack({ device }, "device_offline");
  }

  /** Called when a phone has tapped. */
  tapped(): void {
    this.paceMs = this.#settings.rateLimit * 1000;
  }

  /** Returns whether a report may be sent now; an older program reports immediately. */
  #mayReport(): boolean {
    return this.#options.isOlder ? this.book.isReady : this.book.mayReport(this.#generation);
  }

  #devicesWithRoom(): { id: string; room: number }[] {
    return [...this.#workers].filter(([device, { worker }]) =>
      !worker.isInDoubt && this.#phone(device)!.isPlugged && !this.journal.isStopped(device)
    ).map(([id]) => ({ id, room: this.book.room(id, PREFETCH_PER_DEVICE) })).filter(({ room }) => room > 0);
  }

  /** Removes from hello what the previous release does not send: the phones it holds stopped. */
  #hello(hello: AgentFrame): AgentFrame {
    if (!this.#options.isOlder || hello.type !== "hello") return hello;
    return { ...hello, features: undefined, stopped: undefined };
  }

  #erase(items: Parameters<typeof reportErased>[1]): void {
    const send = (frame: AgentFrame) => {
      if (frame.type === "erased") {
        for (const { removed } of frame.items) if (removed > 0) this.#options.onErased(removed);
      }
      this.#send(frame);
      return true;
    };
    reportErased({ journal: this.journal, clock: this.#options.clock, send, log() {} }, items);
  }

  #obey({ id, kind, device }: EdgeFrameOf<"command">): void {
    if (!this.book.isReady) this.#commanded.add(device);
    if (kind === "stop") stopDevice(this.#stops(), device);
    if (kind === "start") startDevice(this.#stops(), device);
    this.#options.count(`command ${kind}`);
    this.#send({ type: "commandResult", id, ok: true, detail: "" });
  }

  #stops(): StopSite {
    const { journal, book } = this;
    const count = () => this.#options.count("stop followed at hello");
    return { journal, book, log: count, pool: { started() {} }, reportBell: { wake() {} } };
  }

  #set(settings: Settings): void {
    this.#settings = settings;
    this.paceMs = Math.min(this.paceMs, settings.rateLimit * 1000);
  }

  #leave(): void {
    if (this.link === null) return;
    this.link.isAgentHere = false;
    this.link.toAgent.clear();
    this.link = null;
    this.#outcomes = null;
  }

  #send(frame: AgentFrame): void {
    this.link?.toEdge.push({ type: frame.type, bytes: encodeFrame(agentFrameSchema.parse(frame)) });
  }

  async #takeLease(lease: LeaseFrame, link: Link): Promise<void> {
    if (this.#options.isOlder && lease.text === undefined) {
      this.#options.failed(new Error("a program of an earlier release got a text for each item"));
    }
    const ack = await this.#commits.run(() => {
      const ack = link === this.link ? this.book.leased(lease) : null;
      if (ack) this.#options.onLeaseAck(lease, this.journal);
      return ack;
    });
    if (!ack) this.#options.count("lease not taken");
    if (ack && link === this.link) this.#send(ack);
  }

  #takeGo(go: EdgeFrameOf<"go">): void {
    const before = this.journal.count();
    this.book.goReceived(go);
    if (this.journal.count() < before) this.#options.count("go omitted a row");
  }

  #sendOutcomes(): void {
    const next = this.#outcomes?.next();
    if (next && !next.done) this.#send(next.value);
  }

  #work(phone: ModelPhone, taps: JournalRow[]): void {
    const { clock } = this.#options;
    const { book, journal } = this;
    const bell = new Bell();
    const there = this.#shellOf(phone);
    const reachable = () => phone.isPlugged ? there : null;
    const worker = new DeviceWorker({
      device: phone.device,
      book,
      journal,
      commits: this.#commits,
      pool: { usable: reachable, reachable, stateOf: () => "ok" },
      images: { get: () => Promise.reject(new Error("No campaign here has an image")) },
      clock,
      log() {},
      bell,
      paceMs: () => this.#settings.rateLimit * 1000,
      onSettled() {},
      onRefused() {},
      onCaption() {},
      onTap() {},
      wordsOf: () => SHIPPED_WORDS,
      onUnknownScreen: (account) => {
        throw new Error(`A model phone shows a screen that no file knows: ${account}`);
      },
      onAccountLost: (account, state) => book.giveBack({ account }, lostStateToReason(state)),
    }, taps);
    this.#workers.set(phone.device, { worker, bell });
    worker.run(new AbortController().signal).catch(this.#options.failed);
  }

  #shellOf(phone: ModelPhone): Phone {
    const { clock, onTapAsked } = this.#options;
    const run = (command: string) => {
      const isTap = command.includes("&& echo tapped");
      const row = isTap
        ? this.journal.rows(["tapping"]).findLast((row) => deviceOf(row.account) === phone.device)
        : undefined;
      if (isTap) onTapAsked(row, command);
      this.#checkTyping(phone.device, command);
      return phone.run(command, row?.token ?? "");
    };
    return { device: phone.device, clock, run, push: () => Promise.reject(new Error("No images here")) };
  }

  /** A draft is in the journal before it is typed into its chat. */
  #checkTyping(device: string, command: string): void {
    const [, number, words] = /wa\.me\/(\d+)\?text=([^']*)'/.exec(command) ?? [];
    if (words === undefined) return;
    const isWritten = this.journal.drafts.of(device).some(({ phone, text }) =>
      phone === `+${number}` && text === decodeURIComponent(words)
    );
    if (!isWritten) this.#options.failed(new Error("A draft is typed that no journal has"));
  }

  #phone(device: string): ModelPhone | undefined {
    return this.#options.phones.find((phone) => phone.device === device);
  }

  #wake(): void {
    for (const { bell } of this.#workers.values()) bell.wake();
  }
}
