/**
 * Works for one device: one delivery at a time, at the site's pace. Taps without an outcome are settled before new
 * work.
 */
import type { AccountState } from "shared/agent_protocol.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import { AdbDisconnectedError, AdbTimeoutError } from "../adb/adb_error.ts";
import { AskAgain } from "../time/ask_again.ts";
import type { Bell } from "../time/bell.ts";
import type { Clock } from "../time/clock.ts";
import { deliver, type DeliveryGate, type DeliveryResult } from "../delivery/deliver.ts";
import type { DevicePool } from "../devices/device_pool.ts";
import type { GroupCommit } from "../journal/group_commit.ts";
import type { ImageStore } from "../edge/images.ts";
import type { Journal, JournalRow } from "../journal/journal.ts";
import { JournalWriteError } from "../journal/journal_file.ts";
import { DraftClearer } from "./draft_clearer.ts";
import type { Job, LeaseBook } from "./lease_book.ts";
import { errorText, type Log, maskPhone } from "../log.ts";
import { pathCommand } from "../phone/discover_accounts.ts";
import { goHome } from "../phone/go_home.ts";
import { lookBack, StrangeScreenError } from "../phone/look_back.ts";
import { type AppAccount, parseAccount, type Phone } from "../phone/phone.ts";
import type { HeldPhone } from "../phone/phone_fence.ts";
import { imagePathOn, type PlacedImages, placeImage } from "../phone/place_image.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import type { RecordingOptions } from "../recordings/record_phone.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import {
  lostStateToReason,
  resultToEvent,
  resultToLostState,
  resultToUnknownScreen,
} from "../delivery/result_to_event.ts";

/** What was to be sent when a screen was seen. */
export type Delivered = NonNullable<RecordingOptions["delivery"]>;

export interface DeviceWorkerOptions {
  device: string;
  book: LeaseBook;
  journal: Journal;
  commits: GroupCommit;
  pool: Pick<DevicePool, "usable" | "reachable" | "stateOf"> & Partial<Pick<DevicePool, "appLooked">>;
  images: Pick<ImageStore, "get">;
  clock: Clock;
  log: Log;
  /** Rings when there may be work, or when the device changed. */
  bell: Bell;
  /** Least time between two taps of this device, in milliseconds, by the present settings. */
  paceMs(): number;
  /** An outcome was written, or there is new room for leases. */
  onSettled(): void;
  /** True when the account's app came by an update and is not proven at this site. */
  isUnproven?(account: string): boolean;
  /** A send of the account was proven by its chat. */
  onProven?(account: string): void;
  onAccountLost(account: string, state: AccountState): void;
  /** Work came for an account that cannot send, and went back untouched. */
  onRefused(account: string): void;
  /** The account's app shows a screen that no screen file knows. */
  onUnknownScreen(account: string, screen: UnknownScreen, delivery: Delivered): void;
  /** Returns what is known about the screens of an account. */
  wordsOf(account: string): ScreenWords;
  /** A picture opened in the account's app, with its caption or without. */
  onCaption(account: string, isThere: boolean): void;
  /** A tap command goes to the phone, or is no longer on its way. */
  onTap(isOnItsWay: boolean): void;
}

type Errand = { run(phone: Phone, signal: AbortSignal): Promise<void>; refuse(why: Error): void };

interface Doubt {
  row: JournalRow;
  reason: DeliveryReason;
  /** Monotonic time since which the phone has lacked the account; null = the account is there. */
  goneSince: number | null;
  /** Monotonic time since which every look has met screens that no file knows; null = none has. */
  strangeSince: number | null;
  /** What was known of the app's screens at that look. */
  words: ScreenWords | null;
  again: AskAgain;
}

/**
 * The chat opens before the device's pace slot, by the time that the last opening took, within these bounds. So a slow
 * phone keeps the set pace, and a draft does not wait long in an open chat.
 */
const AHEAD_MS = { least: 1_500, most: 5_000 };
const IDLE_MS = 30_000;
/** The app's caption box holds no more. A longer text that is cut off there proves nothing about shorter ones. */
const SHORT_CAPTION_CHARS = 1_024;
/** A chat that would stay open longer than this is closed. */
const OPEN_MS = 4_000;
/** After failures, the pauses between tries to leave a chat grow up to this. */
const LEAVE_AGAIN_MS = 5 * 60_000;
/** A site that ends waits at most this long for a phone to leave its chat. */
const LEAVE_AT_END_MS = 2_500;
const DOUBT_AGAIN_MS = 2_000;
const IN_DOUBT = "A picture may have been sent from it, and it could not be looked at yet";
/** A phone that restarts lists the accounts of a profile only when the profile runs. */
const ACCOUNT_GONE_MS = 2 * 60_000;
/** So long a tap's result waits for a file of its app's new screens. The phone does no other work meanwhile. */
const STRANGE_MS = 5 * 60_000;
/** Without a new file the pauses between its looks grow up to this: each opens the chat. */
const STRANGE_AGAIN_MS = 60_000;

export class DeviceWorker {
  #options: DeviceWorkerOptions;
  #doubts: Doubt[];
  #errands: Errand[] = [];
  #aheadMs: number = AHEAD_MS.least;
  /** The phone under the fence of the last delivery, if none of its commands still runs. */
  #held: HeldPhone | null = null;
  #placed: PlacedImages = new Map();
  /** Monotonic time since which a chat has been in front without work. Null = no such chat is known. */
  #openSince: number | null;
  #leaving = new AskAgain(OPEN_MS, LEAVE_AGAIN_MS);
  readonly #drafts: DraftClearer;
  /** Monotonic time of this device's last tap, including those of earlier processes. */
  #lastTapAt: number;

  /** `taps` are rows that an earlier process left in `tapping`. They are settled first. */
  constructor(options: DeviceWorkerOptions, taps: JournalRow[]) {
    this.#options = options;
    this.#doubts = taps.map((row) => doubtOf(row, "send_not_verified"));
    this.#drafts = new DraftClearer({
      ...options,
      onChat: () => {
        this.#held = null;
        this.#chatOpened();
      },
    });
    const { clock, journal, device } = options;
    const at = journal.lastTapAt(device);
    // A clock that was set back must not block the device for days.
    const agoMs = at === null ? Infinity : Math.max(0, clock.now() - at);
    this.#lastTapAt = clock.monotonic() - agoMs;
    // An earlier process may have been killed in its last chat.
    this.#openSince = at === null ? null : clock.monotonic();
  }

  /** True while a tap has no outcome: the device gets no further work until then. */
  get isInDoubt(): boolean {
    return this.#doubts.length > 0;
  }

  /**
   * Runs `act` on the phone between two deliveries. Rejects with its error, and when the phone is away or the site ends
   * before `act` begins.
   */
  between(act: (phone: Phone, signal: AbortSignal) => Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#errands.push({ run: (phone, signal) => act(phone, signal).then(resolve, reject), refuse: reject });
    this.#options.bell.wake();
    return promise;
  }

  /** Resolves when the device may tap again by the site's pace, or the signal aborts. */
  async awaitPaceSlot(signal: AbortSignal): Promise<void> {
    await this.#options.clock.sleep(Math.max(0, this.#turnInMs()), signal);
  }

  /** Works until the signal aborts. Finishes a tap on its way first. */
  async run(signal: AbortSignal): Promise<void> {
    const { bell, clock } = this.#options;
    while (!signal.aborted) {
      const waitMs = await this.#step(signal);
      if (waitMs > 0) await bell.wait(clock, waitMs, signal);
    }
    for (const { refuse } of this.#errands.splice(0)) refuse(new Error("The site is ending"));
    await this.#leaveAtEnd();
  }

  /**
   * Leaves the chat, because the next process may start much later. A screen in doubt stays as it is until it was
   * looked at.
   */
  async #leaveAtEnd(): Promise<void> {
    const { clock, device, pool } = this.#options;
    const phone = pool.reachable(device);
    if (phone === null || this.isInDoubt) return;
    const tooLong = new AbortController();
    const left = new AbortController();
    clock.sleep(LEAVE_AT_END_MS, left.signal).then(() => tooLong.abort());
    await this.#leaveChat(phone, tooLong.signal);
    left.abort();
  }

  /** Does one step and returns for how long there is nothing else to do. */
  async #step(signal: AbortSignal): Promise<number> {
    const { device, pool, book, journal } = this.#options;
    const doubt = this.#doubts[0];
    if (doubt) {
      const phone = pool.reachable(device);
      const isGone = this.#isGone(doubt);
      const isDue = isGone || doubt.again.isDue(this.#options.clock.monotonic()) ||
        this.#options.wordsOf(doubt.row.account) !== doubt.words;
      if (phone && isDue && await this.#settle(doubt, isGone, phone, signal)) return 0;
    }
    if (!doubt) {
      const waitMs = await this.#drafts.clearNext(signal);
      if (waitMs !== null) return waitMs;
    }
    const errand = this.#errands.shift();
    if (errand) {
      const phone = pool.reachable(device);
      if (!phone) errand.refuse(new Error(`Cannot reach device "${device}"`));
      // Leaving a picture's screen destroys the proof; a chat can be opened again.
      else if (doubt && doubt.row.image !== null) errand.refuse(new Error(IN_DOUBT));
      else await this.#run(errand, phone, signal);
      return 0;
    }
    if (doubt) return DOUBT_AGAIN_MS;
    const phone = pool.usable(device);
    if (!phone || journal.isStopped(device)) {
      const inReach = pool.reachable(device);
      return inReach ? await this.#rest(inReach, signal) : IDLE_MS;
    }
    const earlyMs = this.#turnInMs() - this.#aheadMs;
    if (earlyMs > OPEN_MS) await this.#leaveChat(phone, signal);
    if (earlyMs > 0) return Math.min(earlyMs, IDLE_MS);
    const job = book.take(device);
    if (!job) return await this.#rest(phone, signal);
    const state = pool.stateOf(job.account);
    if (state === "ok") await this.#work(job, phone, signal);
    else this.#refuse(job, state);
    return 0;
  }

  /** A person's rehearsal may tap: the next tap keeps its distance from that one. */
  async #run(errand: Errand, phone: Phone, signal: AbortSignal): Promise<void> {
    const { clock, device, journal } = this.#options;
    await errand.run(phone, signal);
    const at = journal.broken.aborted ? null : journal.lastTapAt(device);
    if (at === null) return;
    this.#lastTapAt = Math.max(this.#lastTapAt, clock.monotonic() - Math.max(0, clock.now() - at));
  }

  /** Called when there is no work; the next lease may be on its way. Returns how long to wait for it. */
  async #rest(phone: Phone, signal: AbortSignal): Promise<number> {
    if (this.#openSince === null) return IDLE_MS;
    const leftMs = this.#openSince + OPEN_MS - this.#options.clock.monotonic();
    if (leftMs > 0) return leftMs;
    await this.#leaveChat(phone, signal);
    return this.#openSince === null ? IDLE_MS : OPEN_MS;
  }

  /**
   * Leaves the chat. A failure does not stop the work; while the chat may still be open, the worker tries again later.
   */
  async #leaveChat(phone: Phone, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    if (this.#openSince === null || !this.#leaving.isDue(clock.monotonic())) return;
    const held = this.#held;
    this.#held = null;
    try {
      await goHome(phone, held, signal);
      this.#openSince = null;
    } catch (error) {
      if (signal.aborted) return;
      this.#leaving.failed(clock.monotonic());
      log("debug", "chat_not_left", { device: phone.device, why: errorText(error) });
    }
  }

  /** Gives back what was leased to an account that cannot send. Its phone is not touched. */
  #refuse(job: Job, state: AccountState): void {
    this.#options.book.apply(job, { type: "givenBack", reason: lostStateToReason(state) });
    this.#options.onRefused(job.account);
  }

  async #work(job: Job, phone: Phone, signal: AbortSignal): Promise<void> {
    const { book, clock, commits, journal, log, onAccountLost, onSettled, onUnknownScreen } = this.#options;
    const result = await this.#deliver(job, phone, signal);
    this.#chatOpened();
    log("debug", "delivery", { phone: maskPhone(job.phone), account: job.account, result: result.kind });
    const event = resultToEvent(result);
    const facts = result.kind === "sent" ? { tappedAt: clock.now() } : {};
    if (event) {
      await commits.run(() => {
        book.apply(job, event, facts);
        if (result.kind === "not_on_app") journal.drafts.gone(job.account, job.phone);
      });
    }
    if (result.kind === "doubt") {
      const row = journal.get(job.token, job.phone);
      if (row?.state === "tapping") this.#doubts.push(doubtOf(row, result.reason));
    }
    if (job.image !== null && job.text !== "") this.#learnCaption(job, result);
    if (result.kind === "sent") this.#options.onProven?.(job.account);
    const lost = resultToLostState(result);
    if (lost) onAccountLost(job.account, lost);
    const unknown = resultToUnknownScreen(result);
    if (unknown) {
      const { phone: number, text, image } = job;
      onUnknownScreen(job.account, unknown, { phone: number, text, isPicture: image !== null });
    }
    onSettled();
  }

  /** Learns from deliveries only whether captions work: a test would be a message. */
  #learnCaption({ account, text }: Job, result: DeliveryResult): void {
    const { onCaption } = this.#options;
    if (result.kind === "sent") onCaption(account, true);
    const isLost = result.kind === "not_ready" && result.reason === "caption_not_shown";
    if (isLost && text.length <= SHORT_CAPTION_CHARS) onCaption(account, false);
  }

  /** Rejects only with the journal's error. Any error of a phone came before the tap, so the try has failed. */
  async #deliver(job: Job, phone: Phone, signal: AbortSignal): Promise<DeliveryResult> {
    const account = this.#accountOf(job.account);
    let imagePath: string | null = null;
    try {
      if (job.image !== null) {
        const bytes = await this.#options.images.get(job.image);
        imagePath = await placeImage(phone, account, { sha256: job.image, bytes }, this.#placed);
      }
    } catch (error) {
      this.#options.log("warn", "image_unavailable", { image: job.image, why: errorText(error) });
      // A lost phone is not the image's fault.
      const isPhoneLost = error instanceof AdbTimeoutError || error instanceof AdbDisconnectedError;
      return { kind: "not_ready", reason: isPhoneLost ? "device_offline" : "image_unavailable" };
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
    } finally {
      this.#options.onTap(false);
    }
  }

  #accountOf(account: string): AppAccount {
    return parseAccount(account, this.#options.wordsOf(account));
  }

  #gate(job: Job, signal: AbortSignal): DeliveryGate {
    const { book, clock, commits, journal, onTap } = this.#options;
    const beganAt = clock.monotonic();
    this.#held = null;
    const { account, phone, text, image } = job;
    const isPicture = image !== null;
    return {
      appLook: {
        command: pathCommand(parseAccount(account)),
        read: async (output) => {
          await this.#options.pool.appLooked?.(account, output, signal);
          if (book.remainingMs(job) > 0) return true;
          // Taken back over it, or too late for a tap: in hand, nobody else would give it back.
          book.apply(job, { type: "givenBack", reason: "validity_over" });
          return false;
        },
      },
      typing: {
        begins: () => commits.run(() => journal.drafts.begins({ account, phone, text, isPicture })),
        strays: (phone, account) => journal.drafts.begins({ account, phone, text, isPicture: false }),
      },
      awaitPaceSlot: (waitedMs) => {
        const tookMs = clock.monotonic() - beganAt - waitedMs;
        this.#aheadMs = Math.min(Math.max(tookMs, AHEAD_MS.least), AHEAD_MS.most);
        return clock.sleep(Math.max(0, this.#turnInMs()), signal);
      },
      looksAgain: () => this.#options.isUnproven?.(job.account) ?? false,
      remainingMs: () => book.remainingMs(job),
      beginTapping: (tap) => {
        onTap(true);
        return commits.run(() => book.beginTapping(job, tap, clock.now()));
      },
      tapped: () => {
        this.#lastTapAt = clock.monotonic();
        onTap(false);
      },
      proven: (held) => this.#held = held,
    };
  }

  /** Returns true when the tap's outcome is on disk, and false when the phone could not be asked. */
  async #settle(
    doubt: Doubt,
    isGone: boolean,
    phone: Phone,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { row, reason } = doubt;
    const { book, journal, log, onSettled } = this.#options;
    const account = this.#accountOf(row.account);
    const imagePath = row.image === null ? null : imagePathOn(account, row.image);
    const message = { phone: row.phone, text: row.text, imagePath };
    const deleting = () => journal.drafts.deleting(row.account, row.phone, row.text);
    try {
      const evidence = row.tap ? await lookBack(phone, account, message, row.tap, signal, deleting) : null;
      book.apply(row, { type: "lookedBack", evidence, reason });
      if (evidence === "sent") this.#options.onProven?.(row.account);
      log("info", "looked_back", { phone: maskPhone(row.phone), account: row.account, found: evidence });
    } catch (error) {
      if (!signal.aborted) log("warn", "look_back_failed", { account: row.account, why: errorText(error) });
      const isOver = error instanceof StrangeScreenError && this.#metStrange(doubt, error);
      if (!isGone && !isOver) return false;
      // Nothing will ever show the tap's result, and the phone may have other accounts.
      book.apply(row, { type: "lookedBack", evidence: null, reason });
    }
    this.#lastTapAt = this.#options.clock.monotonic();
    this.#chatOpened();
    this.#doubts.shift();
    onSettled();
    return true;
  }

  /** Returns whether screens that no file knows have hidden the result for so long that it counts as not known. */
  #metStrange(doubt: Doubt, { screen }: StrangeScreenError): boolean {
    const now = this.#options.clock.monotonic();
    if (doubt.strangeSince === null) {
      doubt.strangeSince = now;
      const { account, phone, text, image } = doubt.row;
      this.#options.onUnknownScreen(account, screen, { phone, text, isPicture: image !== null });
    }
    doubt.words = this.#options.wordsOf(doubt.row.account);
    doubt.again.failed(now);
    return now - doubt.strangeSince >= STRANGE_MS;
  }

  /**
   * Returns whether the phone has been online without the tap's account for so long that the account will not come
   * back.
   */
  #isGone(doubt: Doubt): boolean {
    const { clock, pool } = this.#options;
    if (pool.stateOf(doubt.row.account) !== "app_missing") doubt.goneSince = null;
    else doubt.goneSince ??= clock.monotonic();
    return doubt.goneSince !== null && clock.monotonic() - doubt.goneSince >= ACCOUNT_GONE_MS;
  }

  #chatOpened(): void {
    this.#openSince = this.#options.clock.monotonic();
    this.#leaving.changed();
  }

  #turnInMs(): number {
    return this.#lastTapAt + this.#options.paceMs() - this.#options.clock.monotonic();
  }
}

function doubtOf(row: JournalRow, reason: DeliveryReason): Doubt {
  return {
    row,
    reason,
    goneSince: null,
    strangeSince: null,
    words: null,
    again: new AskAgain(DOUBT_AGAIN_MS, STRANGE_AGAIN_MS),
  };
}
