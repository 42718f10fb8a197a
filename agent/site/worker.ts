/** The running site: makes its parts, connects them, and stops them in the right order. */
import type { AdbClient } from "../adb/client.ts";
import { Bell } from "../time/bell.ts";
import type { Clock } from "../time/clock.ts";
import { DevicePool } from "../devices/device_pool.ts";
import { DeviceWorkers } from "./device_workers.ts";
import { EdgeClock } from "./edge_clock.ts";
import { keepConnected } from "../edge/edge_connection.ts";
import type { EdgeLost } from "../edge/edge_lost.ts";
import { EdgeSession } from "./edge_session.ts";
import { Frames } from "./frames.ts";
import { GroupCommit } from "../journal/group_commit.ts";
import { heartbeatLoop } from "./heartbeat_loop.ts";
import type { Identity } from "../edge/identity.ts";
import { ImageStore } from "../edge/images.ts";
import { inventoryLoop } from "./inventory_loop.ts";
import type { Journal } from "../journal/journal.ts";
import { LeaseBook } from "./lease_book.ts";
import { recorderOf } from "../rehearsal/keep_recording.ts";
import type { Order } from "../rehearsal/rehearsal.ts";
import { isCanary, noteAppVersion } from "./canary.ts";
import { screenKeeper } from "./keep_screen.ts";
import { leaseLoop } from "./lease_loop.ts";
import { lendPhones } from "./lend_phones.ts";
import { errorText, type Log } from "../log.ts";
import { readRepliesLoop, sendRepliesLoop } from "./replies_loop.ts";
import { reportLoop } from "./report_loop.ts";
import { SiteScreens } from "../screens/site_screens.ts";
import { screensLoop } from "./screens_loop.ts";
import { type Worksite, worksiteOf } from "./site_status.ts";
import { TokenSigner } from "../edge/token.ts";
import { Stills } from "./stills.ts";
import { throwUnlessBroken, unlessBroken } from "./unless_broken.ts";
import { upkeepLoop } from "./upkeep_loop.ts";
import type { Site } from "./site.ts";

export interface WorkerOptions {
  edgeUrl: string;
  agentDir: string;
  identity: Identity;
  journal: Journal;
  adb: AdbClient;
  /** Phones on the network to which the adb server has to connect, "host:port". */
  networkPhones?: readonly string[];
  clock: Clock;
  random: () => number;
  newId: () => string;
  log: Log;
  agentVersion: string;
  /** Called once, with a function that returns the present state of the site. */
  watch?(look: () => Worksite): void;
}

/** How long the last reports may take after everything else has stopped; the journal keeps the rest. */
const FLUSH_MS = 5_000;
const FLUSH_LOOK_MS = 50;

/**
 * Runs the site until `stop` aborts, then drains it: takes no new work, finishes the taps that have begun, reports the
 * outcomes. Heartbeats go on until the end. After the journal has failed, nothing is tapped, leased or sent.
 *
 * @throws {JournalWriteError} when the journal failed; open it again and run as after a crash
 */
export async function runWorker(options: WorkerOptions, stop: AbortSignal): Promise<void> {
  const { journal, clock, log, edgeUrl, agentDir } = options;
  const { broken } = journal;
  const book = new LeaseBook({ journal, clock });
  const taps = book.recover();
  const tokens = new TokenSigner(options.identity, { now: () => clock.now(), newId: options.newId });
  const edgeClock = new EdgeClock({ clock, log, tokens });
  // The journal is opened before the edge's time is known.
  journal.edgeNow = () => edgeClock.now();
  const session = new EdgeSession(clock);
  const halt = AbortSignal.any([stop, broken]);
  const screens = new SiteScreens(agentDir);
  const ended = new AbortController();
  const pool = new DevicePool({
    adb: options.adb,
    networkPhones: options.networkPhones,
    clock,
    log,
    onDevice: (device) => workers.start(device),
    onChange: (device) => workers.changed(device),
    onAppVersion: (device, app, version) =>
      unlessBroken(broken, () => noteAppVersion(site, device, { app, version })),
    onLost: (device) => workers.lost(device),
  });
  const site: Site = {
    book,
    journal,
    pool,
    clock,
    random: options.random,
    log,
    send: (frame) => session.send(frame),
    edgeNow: () => edgeClock.now(),
    halt,
    between: (device, act) => workers.between(device, act),
    wordsOf: (account) => screens.wordsOf(pool.appOf(account)),
    keepScreen: (...seen) => keepScreen(...seen),
    takesWork: (device) =>
      site.reportedDevices.has(device) && pool.usable(device) !== null && !journal.isStopped(device) &&
      !site.lent.has(device) && workers.isFreeOfDoubt(device),
    isFreeOfDoubt: (device) => workers.isFreeOfDoubt(device),
    awaitPaceSlot: (device, signal) => workers.awaitPaceSlot(device, signal),
    isCanary: (device) => isCanary(site, device),
    lent: new Set(),
    roomBell: new Bell(),
    askedUntil: new Map(),
    reportBell: new Bell(),
    reportedDevices: new Set(),
    inventoryBell: new Bell(),
    edgeCan: (feature) => session.can(feature),
    mayReport: () => book.mayReport(session.generation),
    takesReplies: () => session.can("takes_replies") && journal.answeredGeneration === session.generation,
    replyBell: new Bell(),
  };
  const keepScreen = screenKeeper(site, options);
  const commits = new GroupCommit({ journal, clock });
  const images = new ImageStore({ edgeUrl, agentDir, tokens, now: () => clock.now() });
  const stills = new Stills(site);
  const workers = new DeviceWorkers({ site, session, commits, images, stills, taps });
  const { agentVersion } = options;
  const frames = new Frames({ site, session, edgeClock, workers, commits, stills, agentVersion });

  const connection = {
    ...options,
    tokens,
    onFrame: (...frame: Parameters<Frames["onFrame"]>) =>
      unlessBroken(broken, () => frames.onFrame(...frame)),
    onEnd: () => unlessBroken(broken, () => frames.onEnd()),
    onLost: (lost: EdgeLost) => session.lost(lost),
  };
  options.watch?.(() => worksiteOf(session.status, { pool, journal, screens }));
  const recorderFor = (order: Order) =>
    recorderOf(order, {
      agentDir,
      clock,
      newId: options.newId,
      // The app is not known before the rehearsal has asked for it.
      words: screens.wordsOf({ appVersion: null, language: null }),
      onLost: (error) => log("warn", "recording_not_kept", { why: errorText(error) }),
    });
  const guarded = (loop: Promise<void>) => loop.catch((error) => throwUnlessBroken(broken, error));
  const working = [
    leaseLoop(site, halt),
    pool.track(halt),
    pool.probe(halt),
    readRepliesLoop(site, halt),
    lendPhones(site, {
      agentDir,
      newId: options.newId,
      wordsOf: (facts) => screens.wordsOf(facts),
      record: recorderFor,
    }, halt),
    screensLoop(site, screens, halt),
  ].map(guarded);
  const talking = [
    keepConnected(connection, ended.signal),
    heartbeatLoop(site, ended.signal),
    inventoryLoop(site, ended.signal),
    upkeepLoop(site, ended.signal),
    reportLoop(site, ended.signal),
    sendRepliesLoop(site, ended.signal),
  ].map(guarded);
  await aborted(halt);
  if (broken.aborted) ended.abort();
  else unlessBroken(broken, () => drain(site));
  await Promise.all([...working, workers.allDone(), stills.allDone()]);
  if (!broken.aborted) await flush(site, ended.signal);
  ended.abort();
  await Promise.all(talking);
  broken.throwIfAborted();
}

function drain(site: Site): void {
  site.send({ type: "drain" });
  site.book.drain();
  site.reportBell.wake();
}

async function flush({ book, clock, log }: Site, signal: AbortSignal): Promise<void> {
  const until = clock.monotonic() + FLUSH_MS;
  while (book.isReady && book.outcomesToReport(1).length > 0) {
    const leftMs = until - clock.monotonic();
    if (leftMs <= 0) return log("warn", "reports_left_for_next_start", {});
    await clock.sleep(Math.min(leftMs, FLUSH_LOOK_MS), signal);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}
