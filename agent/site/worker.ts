/** The running site: owns the parts, hands frames to the book, and decides in which order all of it stops. */
import { CLOCKS_APART_MS } from "shared/clock_watch.ts";
import type { AccountState, AgentFrame, EdgeFrame } from "shared/agent_protocol.ts";
import type { EdgeFeature } from "shared/features.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import type { AdbClient } from "../adb/client.ts";
import { Bell } from "../time/bell.ts";
import type { Clock } from "../time/clock.ts";
import { runDeviceCommand } from "./device_command.ts";
import { DevicePool } from "../devices/device_pool.ts";
import { DeviceWorker } from "./device_worker.ts";
import { type EdgeLink, keepConnected } from "../edge/edge_connection.ts";
import { edgeFeatures } from "../edge/edge_features.ts";
import type { EdgeLost } from "../edge/edge_lost.ts";
import { GroupCommit } from "../journal/group_commit.ts";
import { sayErased } from "./erase.ts";
import { heartbeatLoop } from "./heartbeat_loop.ts";
import type { Identity } from "../edge/identity.ts";
import { ImageStore } from "../edge/images.ts";
import { inventoryLoop } from "./inventory_loop.ts";
import { deviceOf, type Journal, type LeaseFrame } from "../journal/journal.ts";
import { LeaseBook } from "./lease_book.ts";
import { leaseLoop } from "./lease_loop.ts";
import type { Log } from "../log.ts";
import { outcomeFrames } from "./outcomes.ts";
import { readRepliesLoop, tellRepliesLoop } from "./replies_loop.ts";
import { reportLoop } from "./report_loop.ts";
import { reasonOfLost } from "../delivery/retryable.ts";
import type { Worksite } from "./site_status.ts";
import { followStops } from "./stop_device.ts";
import { TokenSigner } from "../edge/token.ts";
import { upkeepLoop } from "./upkeep_loop.ts";
import type { Site } from "./site.ts";

export interface WorkerOptions {
  edgeUrl: string;
  agentDir: string;
  identity: Identity;
  journal: Journal;
  adb: AdbClient;
  /** Phones on the network that the adb server is to connect to, "host:port". */
  networkPhones?: readonly string[];
  clock: Clock;
  random: () => number;
  newId: () => string;
  log: Log;
  agentVersion: string;
  /** Is handed, once, what answers how the site is now. */
  watch?(look: () => Worksite): void;
}

/** How long the last reports may take once everything else has stopped; the journal keeps what is left. */
const FLUSH_MS = 5_000;
const FLUSH_LOOK_MS = 50;

/**
 * Runs the site until `stop` aborts, then drains: no new work, taps on their way are seen through, outcomes are
 * reported, and heartbeats go on until the end. Where the journal fails, nothing more is tapped, taken or said.
 *
 * @throws {JournalWriteError} when the journal failed; opened anew, it is run again as after a crash
 */
export async function runWorker(options: WorkerOptions, stop: AbortSignal): Promise<void> {
  const { journal, clock, log } = options;
  const book = new LeaseBook({ journal, clock });
  const taps = book.recover();
  const tokens = new TokenSigner(options.identity, { now: () => clock.now(), newId: options.newId });
  const { edgeUrl, agentDir } = options;
  const images = new ImageStore({ edgeUrl, agentDir, tokens, now: () => clock.now() });
  const halt = AbortSignal.any([stop, journal.broken]);
  const ended = new AbortController();
  const commits = new GroupCommit({ journal, clock });
  const workers = new Map<string, { worker: DeviceWorker; bell: Bell; done: Promise<void> }>();
  let settings = DEFAULT_SETTINGS;
  let link: EdgeLink | null = null;
  let generation = "";
  let features: ReadonlySet<EdgeFeature> = new Set();
  /** The edge's time less this machine's monotonic one: the other may be corrected at any moment. */
  let edgeAheadMs: number | null = null;
  /** Whether this machine's clock was last found far from the edge's. */
  let isClockOff = false;
  /** Phones that a command stopped or started between the hello of this connection and its answer. */
  const commanded = new Set<string>();
  /** What a restored database is still to be told on this connection. */
  let outcomes: Iterator<AgentFrame> | null = null;

  const edge: Worksite["edge"] = { isConnected: false, since: null, heardAt: null, why: null };

  const { adb, networkPhones } = options;
  const pool = new DevicePool({ adb, networkPhones, clock, log, onDevice, onChange, onLost });
  const edgeNow = () => edgeAheadMs === null ? null : clock.monotonic() + edgeAheadMs;
  // The journal is opened before anybody knows the edge's time.
  journal.edgeNow = edgeNow;
  const site: Site = {
    book,
    journal,
    pool,
    clock,
    random: options.random,
    log,
    say: (frame) => link?.send(frame) ?? false,
    edgeNow,
    halt,
    between: (device, act) =>
      workers.get(device)?.worker.between(act) ??
        Promise.reject(new Error(`Cannot reach device "${device}"`)),
    takesWork: (device) =>
      site.toldDevices.has(device) && pool.usable(device) !== null && !journal.isStopped(device) &&
      workers.get(device)?.worker.isInDoubt === false,
    roomBell: new Bell(),
    askedUntil: new Map(),
    reportBell: new Bell(),
    toldDevices: new Set(),
    inventoryBell: new Bell(),
    edgeCan: (feature) => features.has(feature),
    mayReport: () => book.mayReport(generation),
    takesReplies: () => site.edgeCan("takes_replies") && journal.answeredGeneration === generation,
    replyBell: new Bell(),
  };

  const connection = {
    ...options,
    tokens,
    onFrame: (frame: EdgeFrame, from: EdgeLink) => unlessBroken(() => onFrame(frame, from)),
    onEnd: () => unlessBroken(onEnd),
    onLost: ({ cause, why }: EdgeLost) => edge.why = cause === "unknown" ? why : `${cause} (${why})`,
  };
  options.watch?.(look);
  const working = [
    leaseLoop(site, halt),
    pool.track(halt),
    pool.probe(halt),
    readRepliesLoop(site, halt),
  ].map((loop) => loop.catch(throwUnlessBroken));
  const talking = [
    keepConnected(connection, ended.signal),
    heartbeatLoop(site, ended.signal),
    inventoryLoop(site, ended.signal),
    upkeepLoop(site, ended.signal),
    reportLoop(site, ended.signal),
    tellRepliesLoop(site, ended.signal),
  ].map((loop) => loop.catch(throwUnlessBroken));
  await aborted(halt);
  if (journal.broken.aborted) ended.abort();
  else unlessBroken(drain);
  await Promise.all([...working, ...[...workers.values()].map(({ done }) => done)]);
  if (!journal.broken.aborted) await flush();
  ended.abort();
  await Promise.all(talking);
  journal.broken.throwIfAborted();

  function unlessBroken(act: () => void): void {
    try {
      act();
    } catch (error) {
      throwUnlessBroken(error);
    }
  }

  /** A broken journal ends all of it by its signal; what it threw into each part is of no further use. */
  function throwUnlessBroken(error: unknown): void {
    if (!journal.broken.aborted) throw error;
  }

  function drain(): void {
    site.say({ type: "drain" });
    book.drain();
    site.reportBell.ring();
  }

  function onFrame(frame: EdgeFrame, from: EdgeLink): void {
    edge.heardAt = clock.now();
    switch (frame.type) {
      case "welcome":
        link = from;
        settings = frame.settings;
        generation = frame.generation;
        features = edgeFeatures(frame);
        learnTime(frame.serverTime);
        commanded.clear();
        from.send(book.connectionOpened(frame.epoch, options.agentVersion, features));
        return;
      case "helloAck":
        if (!book.helloAcked(frame)) return;
        Object.assign(edge, { isConnected: true, since: clock.now(), why: null });
        site.askedUntil.clear();
        if (frame.stopped) followStops(site, frame.stopped, commanded);
        if (journal.answeredGeneration !== generation) {
          outcomes = outcomeFrames(journal, generation);
          sayOutcomes();
        }
        site.inventoryBell.ring();
        site.replyBell.ring();
        return ringAll();
      case "outcomesAck":
        if (frame.last) {
          journal.setAnsweredGeneration(frame.generation);
          site.reportBell.ring();
          site.replyBell.ring();
        }
        return sayOutcomes();
      case "lease":
        return void takeLease(frame, from).catch(throwUnlessBroken);
      case "go":
        if (frame.serverTime !== undefined) learnTime(frame.serverTime);
        // Those alone: the others would wake, many times a second, to find that it is not their turn.
        for (const device of book.goReceived(frame)) workers.get(device)?.bell.ring();
        return site.roomBell.ring();
      case "reportAck":
        book.reportAcked(frame);
        site.reportBell.ring();
        if (frame.lease) return void takeLease(frame.lease, from).catch(throwUnlessBroken);
        // Until it had heard, an edge that is asked apart saw no room in these hands and gave nothing.
        if (!site.edgeCan("leases_with_reports")) site.askedUntil.clear();
        return site.roomBell.ring();
      case "inboundAck":
        journal.repliesTold(frame.ids);
        return site.replyBell.ring();
      case "recall":
        book.recalled(frame.items);
        return ringAll();
      case "settings":
        settings = frame.settings;
        return ringAll();
      case "workWaiting":
        site.askedUntil.clear();
        return site.roomBell.ring();
      case "superseded":
        log("warn", "edge_superseded", { epoch: frame.epoch });
        return from.close("superseded");
      case "command":
        if (!book.isReady && (frame.kind === "stop" || frame.kind === "start")) commanded.add(frame.device);
        return void runDeviceCommand(site, frame);
      case "erase":
        journal.noteDatabaseMark(frame.mark);
        return void sayErased(site, frame.items);
      case "heartbeatAck":
        journal.noteDatabaseMark(frame.mark);
        return learnTime(frame.serverTime);
    }
  }

  /** Again and again: this machine's clock may be set right, or it may sleep, while the connection stays. */
  function learnTime(serverTime: number): void {
    tokens.learnServerTime(serverTime);
    edgeAheadMs = serverTime - clock.monotonic();
    const apartMs = serverTime - clock.now();
    const isOff = Math.abs(apartMs) > CLOCKS_APART_MS;
    if (isOff === isClockOff) return;
    isClockOff = isOff;
    log(isOff ? "warn" : "info", isOff ? "clock_off" : "clock_agrees", { edgeAheadMs: apartMs });
  }

  async function takeLease(lease: LeaseFrame, from: EdgeLink): Promise<void> {
    const ack = await commits.run(() => {
      // The connection may have gone while the group gathered: its lease is then no longer ours.
      if (link !== from) return null;
      return book.leased(lease);
    });
    // Within the group the counter was not yet raised for what the lease wrote.
    if (ack) from.send({ type: "leaseAck", token: lease.token, journalCounter: journal.counter });
    // The answer was for one campaign: the devices it left out are asked for again, there may be others. Not before it
    // is in the book, which would still see room where it has filled it.
    site.askedUntil.clear();
    site.roomBell.ring();
  }

  function sayOutcomes(): void {
    const next = outcomes?.next();
    if (next && !next.done) site.say(next.value);
  }

  function onEnd(): void {
    if (edge.isConnected) Object.assign(edge, { isConnected: false, since: clock.now() });
    link = null;
    outcomes = null;
    site.toldDevices.clear();
    book.connectionOver();
    site.reportBell.ring();
  }

  function onDevice(device: string): void {
    const bell = new Bell();
    const worker = new DeviceWorker(
      {
        ...site,
        device,
        commits,
        images,
        bell,
        paceMs: () => settings.rateLimit * 1000,
        onSettled,
        onAccountLost,
        onCaption: (account, isThere) => pool.captionSeen(account, isThere),
      },
      taps.filter((row) => deviceOf(row.account) === device),
    );
    workers.set(device, { worker, bell, done: worker.run(halt).catch(throwUnlessBroken) });
  }

  function onChange(device: string): void {
    workers.get(device)?.bell.ring();
    site.inventoryBell.ring();
    site.roomBell.ring();
  }

  function onLost(device: string): void {
    unlessBroken(() => book.giveBack({ device }, "device_offline"));
    onSettled();
  }

  function onAccountLost(account: string, state: AccountState): void {
    pool.accountLost(account, state);
    book.giveBack({ account }, reasonOfLost(state));
    // Asked before it has heard of it, the edge would lease to that account again.
    site.toldDevices.delete(deviceOf(account));
    site.inventoryBell.ring();
  }

  function onSettled(): void {
    site.reportBell.ring();
    site.roomBell.ring();
  }

  function ringAll(): void {
    for (const { bell } of workers.values()) bell.ring();
    site.reportBell.ring();
    site.roomBell.ring();
  }

  function look(): Worksite {
    const { devices, accounts } = pool.inventory();
    const { leased = 0, tapping = 0, ...outcomes } = journal.countByState();
    return {
      edge: { ...edge },
      devices: devices.map(({ device, model, state }) => ({ device, model, state })),
      accounts: accounts.map(({ account, state }) => ({ account, state })),
      waitingOutcomes: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
      journal: { counter: journal.counter, leased, tapping },
    };
  }

  async function flush(): Promise<void> {
    const until = clock.monotonic() + FLUSH_MS;
    while (book.isReady && book.outcomesToReport(1).length > 0) {
      const leftMs = until - clock.monotonic();
      if (leftMs <= 0) return log("warn", "reports_left_for_next_start", {});
      await clock.sleep(Math.min(leftMs, FLUSH_LOOK_MS), ended.signal);
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}
