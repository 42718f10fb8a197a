/** Works for one device: one delivery in hand at a time, at the site's pace, doubts settled before new work. */
import type { AccountState } from "shared/agent_protocol.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import type { Bell } from "./bell.ts";
import type { Clock } from "./clock.ts";
import { deliver, type DeliveryGate, type DeliveryResult } from "./deliver.ts";
import type { DevicePool } from "./device_pool.ts";
import { type GroupCommit, JournalWriteError } from "./group_commit.ts";
import type { ImageStore } from "./images.ts";
import type { Journal, JournalRow } from "./journal.ts";
import type { Job, LeaseBook } from "./lease_book.ts";
import { errorText, type Log, maskPhone } from "./log.ts";
import { lookBack } from "./phone/look_back.ts";
import { parseAccount, type Phone } from "./phone/phone.ts";
import { imagePathOn, type PlacedImages, placeImage } from "./phone/place_image.ts";
import { eventOf, lostStateOf } from "./retryable.ts";

export interface DeviceWorkerOptions {
  device: string;
  book: LeaseBook;
  journal: Journal;
  commits: GroupCommit;
  pool: DevicePool;
  images: ImageStore;
  clock: Clock;
  log: Log;
  /** Rung when there may be work, or when the device changed. */
  bell: Bell;
  /** Least milliseconds between two taps of this device, as set now. */
  paceMs(): number;
  /** An outcome was written, or room was made. */
  onSettled(): void;
  onAccountLost(account: string, state: AccountState): void;
}

interface Doubt {
  row: JournalRow;
  reason: DeliveryReason;
}

/** The chat is opened this long before the device's turn, so that slow phones keep the pace. */
const PREPARE_AHEAD_MS = 1_500;
const IDLE_MS = 30_000;
const DOUBT_AGAIN_MS = 2_000;

export class DeviceWorker {
  #options: DeviceWorkerOptions;
  #doubts: Doubt[];
  #placed: PlacedImages = new Map();
  /** Monotonic time of this device's last tap, from before this process too. */
  #lastTapAt: number;

  /** `taps` are rows left in `tapping` by an earlier process; they are settled before anything else. */
  constructor(options: DeviceWorkerOptions, taps: JournalRow[]) {
    this.#options = options;
    this.#doubts = taps.map((row) => ({ row, reason: "send_not_verified" }));
    const { clock, journal, device } = options;
    const at = journal.lastTapAt(device);
    // A clock set back must not hold the device for days.
    const agoMs = at === null ? Infinity : Math.max(0, clock.now() - at);
    this.#lastTapAt = clock.monotonic() - agoMs;
  }

  /** True while a tap has no outcome: the device is given no further work until then. */
  get isInDoubt(): boolean {
    return this.#doubts.length > 0;
  }

  /** Works until the signal aborts; a tap on its way is first seen through. */
  async run(signal: AbortSignal): Promise<void> {
    const { bell, clock } = this.#options;
    while (!signal.aborted) {
      const waitMs = await this.#step(signal);
      if (waitMs > 0) await bell.wait(clock, waitMs, signal);
    }
  }

  /** Does one thing and answers how long there is nothing else to do. */
  async #step(signal: AbortSignal): Promise<number> {
    const { device, pool, book, journal } = this.#options;
    const doubt = this.#doubts[0];
    if (doubt) {
      const phone = pool.reachable(device);
      return phone && await this.#settle(doubt, phone, signal) ? 0 : DOUBT_AGAIN_MS;
    }
    const phone = pool.usable(device);
    if (!phone || journal.isStopped(device)) return IDLE_MS;
    const earlyMs = this.#turnInMs() - PREPARE_AHEAD_MS;
    if (earlyMs > 0) return Math.min(earlyMs, IDLE_MS);
    const job = book.take(device);
    if (!job) return IDLE_MS;
    await this.#work(job, phone, signal);
    return 0;
  }

  async #work(job: Job, phone: Phone, signal: AbortSignal): Promise<void> {
    const { book, clock, commits, journal, log, onAccountLost, onSettled } = this.#options;
    const result = await this.#deliver(job, phone, signal);
    log("debug", "delivery", { phone: maskPhone(job.phone), account: job.account, result: result.kind });
    const event = eventOf(result);
    const facts = result.kind === "sent" ? { tappedAt: clock.now() } : {};
    if (event) await commits.run(() => book.apply(job, event, facts));
    if (result.kind === "doubt") {
      const row = journal.get(job.token, job.phone);
      if (row?.state === "tapping") this.#doubts.push({ row, reason: result.reason });
    }
    const lost = lostStateOf(result);
    if (lost) onAccountLost(job.account, lost);
    onSettled();
  }

  /** Rejects only when the journal does: what a phone throws here was thrown before the tap, and the try has failed. */
  async #deliver(job: Job, phone: Phone, signal: AbortSignal): Promise<DeliveryResult> {
    const account = parseAccount(job.account);
    let imagePath: string | null = null;
    try {
      if (job.image !== null) {
        const bytes = await this.#options.images.get(job.image);
        imagePath = await placeImage(phone, account, { sha256: job.image, bytes }, this.#placed);
      }
    } catch (error) {
      this.#options.log("warn", "image_unavailable", { image: job.image, why: errorText(error) });
      return { kind: "not_ready", reason: "image_unavailable" };
    }
    try {
      const message = { phone: job.phone, text: job.text, imagePath };
      return await deliver(phone, account, message, this.#gate(job, signal), signal);
    } catch (error) {
      if (error instanceof JournalWriteError) throw error;
      if (!signal.aborted) {
        this.#options.log("warn", "phone_lost", { device: this.#options.device, why: errorText(error) });
      }
      return { kind: "not_ready", reason: "device_offline" };
    }
  }

  #gate(job: Job, signal: AbortSignal): DeliveryGate {
    const { book, clock, commits } = this.#options;
    return {
      awaitTurn: () => clock.sleep(Math.max(0, this.#turnInMs()), signal),
      remainingMs: () => book.remainingMs(job),
      beginTapping: (tap) => commits.run(() => book.beginTapping(job, tap, clock.now())),
      tapped: () => this.#lastTapAt = clock.monotonic(),
    };
  }

  /** True when the tap's outcome is on disk; false when the phone could not be asked. */
  async #settle({ row, reason }: Doubt, phone: Phone, signal: AbortSignal): Promise<boolean> {
    const { book, log, onSettled } = this.#options;
    const account = parseAccount(row.account);
    const imagePath = row.image === null ? null : imagePathOn(account, row.image);
    const message = { phone: row.phone, text: row.text, imagePath };
    try {
      const found = row.tap ? await lookBack(phone, account, message, row.tap, signal) : null;
      book.apply(row, { type: "lookedBack", found, reason });
      log("info", "looked_back", { phone: maskPhone(row.phone), account: row.account, found });
    } catch (error) {
      if (!signal.aborted) log("warn", "look_back_failed", { account: row.account, why: errorText(error) });
      return false;
    }
    this.#lastTapAt = this.#options.clock.monotonic();
    this.#doubts.shift();
    onSettled();
    return true;
  }

  #turnInMs(): number {
    return this.#lastTapAt + this.#options.paceMs() - this.#options.clock.monotonic();
  }
}
