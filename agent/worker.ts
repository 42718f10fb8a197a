/** The running site: owns the parts, hands frames to the book, and decides in which order all of it stops. */
import type { AccountState, AgentFrame, EdgeFrame } from "shared/agent_protocol.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import type { AdbClient } from "./adb/client.ts";
import { Bell } from "./bell.ts";
import type { Clock } from "./clock.ts";
import { runDeviceCommand } from "./device_command.ts";
import { DevicePool } from "./device_pool.ts";
import { DeviceWorker } from "./device_worker.ts";
import { type EdgeLink, keepConnected } from "./edge_connection.ts";
import { GroupCommit } from "./group_commit.ts";
import { heartbeatLoop } from "./heartbeat_loop.ts";
import type { Identity } from "./identity.ts";
import { ImageStore } from "./images.ts";
import { inventoryLoop } from "./inventory_loop.ts";
import { deviceOf, type Journal, type LeaseFrame } from "./journal.ts";
import { LeaseBook } from "./lease_book.ts";
import { leaseLoop } from "./lease_loop.ts";
import type { Log } from "./log.ts";
import { outcomeFrames } from "./outcomes.ts";
import { reportLoop } from "./report_loop.ts";
import { reasonOfLost } from "./retryable.ts";
import { TokenSigner } from "./token.ts";
import { upkeepLoop } from "./upkeep_loop.ts";

export interface WorkerOptions {
  edgeUrl: string;
  agentDir: string;
  identity: Identity;
  journal: Journal;
  adb: AdbClient;
  clock: Clock;
  random: () => number;
  newId: () => string;
  log: Log;
  agentVersion: string;
}

/** What the loops share. */
export interface Site {
  book: LeaseBook;
  journal: Journal;
  pool: DevicePool;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Says a frame on the present connection; false when there is none. */
  say(frame: AgentFrame): boolean;
  /** True when a device may be given work. */
  takesWork(device: string): boolean;
  /** Something may be leased, or room was made. */
  roomBell: Bell;
  /** Devices that were asked for, and the monotonic time until which the answer is waited for. */
  askedUntil: Map<string, number>;
  /** There is an outcome to report, or a report was acknowledged. */
  reportBell: Bell;
  /** Devices the edge has heard of on this connection: it leases to no others. */
  toldDevices: Set<string>;
  /** Phones or accounts changed. */
  inventoryBell: Bell;
}

/** How long the last reports may take once everything else has stopped; the journal keeps what is left. */
const FLUSH_MS = 5_000;
const FLUSH_LOOK_MS = 50;

/**
 * Runs the site until `stop` aborts, then drains: no new work, taps on their way are seen through, outcomes are
 * reported, and heartbeats go on until the end.
 */
export async function runWorker(options: WorkerOptions, stop: AbortSignal): Promise<void> {
  const { journal, clock, log } = options;
  const book = new LeaseBook({ journal, clock });
  const taps = book.recover();
  const tokens = new TokenSigner(options.identity, { now: () => clock.now(), newId: options.newId });
  const images = new ImageStore({ edgeUrl: options.edgeUrl, agentDir: options.agentDir, tokens });
  const ended = new AbortController();
  const commits = new GroupCommit({ journal, clock });
  const workers = new Map<string, { worker: DeviceWorker; bell: Bell; done: Promise<void> }>();
  let settings = DEFAULT_SETTINGS;
  let link: EdgeLink | null = null;
  let generation = "";
  /** What a restored database is still to be told on this connection. */
  let outcomes: Iterator<AgentFrame> | null = null;

  const pool = new DevicePool({ adb: options.adb, clock, log, onDevice, onChange, onLost });
  const site: Site = {
    book,
    journal,
    pool,
    clock,
    random: options.random,
    log,
    say: (frame) => link?.send(frame) ?? false,
    takesWork: (device) =>
      site.toldDevices.has(device) && pool.usable(device) !== null && !journal.isStopped(device) &&
      workers.get(device)?.worker.isInDoubt === false,
    roomBell: new Bell(),
    askedUntil: new Map(),
    reportBell: new Bell(),
    toldDevices: new Set(),
    inventoryBell: new Bell(),
  };

  const working = [
    leaseLoop(site, stop),
    pool.track(stop),
    pool.probe(stop),
  ];
  const talking = [
    keepConnected({ ...options, tokens, onFrame, onEnd }, ended.signal),
    heartbeatLoop(site, ended.signal),
    inventoryLoop(site, ended.signal),
    upkeepLoop(site, ended.signal),
    reportLoop(site, ended.signal),
  ];
  await aborted(stop);
  site.say({ type: "drain" });
  book.drain();
  site.reportBell.ring();
  await Promise.all([...working, ...[...workers.values()].map(({ done }) => done)]);
  await flush();
  ended.abort();
  await Promise.all(talking);

  function onFrame(frame: EdgeFrame, from: EdgeLink): void {
    switch (frame.type) {
      case "welcome":
        link = from;
        settings = frame.settings;
        generation = frame.generation;
        tokens.learnServerTime(frame.serverTime);
        from.send(book.connectionOpened(frame.epoch, options.agentVersion));
        return;
      case "helloAck":
        if (!book.helloAcked(frame)) return;
        site.askedUntil.clear();
        if (journal.answeredGeneration !== generation) {
          outcomes = outcomeFrames(journal, generation);
          sayOutcomes();
        }
        site.inventoryBell.ring();
        return ringAll();
      case "outcomesAck":
        if (frame.last) journal.setAnsweredGeneration(frame.generation);
        return sayOutcomes();
      case "lease":
        return void takeLease(frame, from);
      case "go":
        book.goReceived(frame);
        return ringAll();
      case "reportAck":
        book.reportAcked(frame);
        return site.reportBell.ring();
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
        return from.close();
      case "command":
        return void runDeviceCommand(site, frame);
      case "heartbeatAck":
        return;
    }
  }

  async function takeLease(lease: LeaseFrame, from: EdgeLink): Promise<void> {
    for (const { account } of lease.items) site.askedUntil.delete(deviceOf(account));
    const ack = await commits.run(() => {
      // The connection may have gone while the group gathered: its lease is then no longer ours.
      if (link !== from) return null;
      return book.leased(lease);
    });
    if (ack) from.send(ack);
    site.roomBell.ring();
  }

  function sayOutcomes(): void {
    const next = outcomes?.next();
    if (next && !next.done) site.say(next.value);
  }

  function onEnd(): void {
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
      },
      taps.filter((row) => deviceOf(row.account) === device),
    );
    workers.set(device, { worker, bell, done: worker.run(stop) });
  }

  function onChange(device: string): void {
    workers.get(device)?.bell.ring();
    site.inventoryBell.ring();
    site.roomBell.ring();
  }

  function onLost(device: string): void {
    book.giveBack({ device }, "device_offline");
    onSettled();
  }

  function onAccountLost(account: string, state: AccountState): void {
    pool.accountLost(account, state);
    book.giveBack({ account }, reasonOfLost(state));
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
