/**
 * Rehearses a delivery on one phone: every step up to the tap and not the tap. With a number that a person confirmed on
 * the phone, it then sends one real message there. Contains nothing of the edge.
 */
import { createHash } from "node:crypto";
import { TAP_DEADLINE_MS } from "shared/lease.ts";
import { AdbError } from "../adb/adb_error.ts";
import { type HandOutcome, sendByHand } from "../delivery/send_by_hand.ts";
import type { Journal } from "../journal/journal.ts";
import { sameDraft } from "../phone/app_screen.ts";
import { discoverAccounts } from "../phone/discover_accounts.ts";
import { GO_HOME } from "../phone/go_home.ts";
import { askGuard } from "../phone/guarded_tap.ts";
import { askHealth } from "../phone/health.ts";
import { lookBack, PhoneLockedError, StrangeScreenError } from "../phone/look_back.ts";
import { type AppAccount, parseAccount, type Phone, PhoneCommandError } from "../phone/phone.ts";
import { type HeldPhone, PhoneBusyError, takePhoneFence } from "../phone/phone_fence.ts";
import { imagePathOn, placeImage } from "../phone/place_image.ts";
import { type Message, openAsItIs, prepare, type Prepared, type Ready } from "../phone/prepare.ts";
import { clearDraft, pressBack } from "../phone/press.ts";
import { readScreen } from "../phone/read_screen.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import { focusOf } from "../phone/show_itself.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import type { AppFactsForScreens, ScreenWords } from "../screens/screen_words.ts";
import type { Clock } from "../time/clock.ts";
import { confirmNumber } from "./confirm_number.ts";
import { DRAMA_NUMBER } from "./drama_number.ts";
import { productPicture } from "./product_picture.ts";
import {
  type Order,
  type Recorder,
  REHEARSED_TEXT,
  type Report,
  type Sight,
  type Step,
  type StepName,
} from "./rehearsal.ts";

export interface RehearsalParts {
  phone: Phone;
  journal: Journal;
  clock: Clock;
  newId: () => string;
  recorder: Recorder;
  /** Called with each step as soon as it ends. */
  onStep(step: Step): void;
  /** Returns what the person read on the phone, "" to see it again, or null when nobody is there. */
  askCode(triesLeft: number): Promise<string | null>;
  /** False when the person who asked is gone: nothing is tapped from then on. */
  isWanted(): boolean;
  /** Returns what is known about the screens of an app. */
  wordsOf(facts: AppFactsForScreens): ScreenWords;
  /** Waits for the device's pace slot before the real message. */
  awaitPaceSlot?(): Promise<void>;
}

/** What a step saw, and whether that is what it was to see. */
interface Look {
  seen: Sight;
  isOk: boolean;
  detail?: string | null;
  /** The step could not be tried with this number. */
  isHidden?: boolean;
}

const LOST: Record<string, Sight> = {
  banned: "account_banned",
  restricted: "account_restricted",
  logged_out: "account_logged_out",
};
const ASK_FACTS = "getprop ro.product.model; getprop ro.build.version.release; getprop persist.sys.locale";
const NO_FACTS = { model: null, androidVersion: null, language: null };
const DAY_MS = 24 * 60 * 60_000;
/** The edge counts none of these: a phone sends at most so many of them in a day. */
const MOST_REAL_PER_DAY = 3;
const HOME_LOOKS = 6;
const BETWEEN_LOOKS_MS = 500;

/**
 * Rehearses, and notes in the journal that the phone passed. The chat is left without a draft of ours in any case.
 *
 * @throws {JournalWriteError} when the journal failed; nothing is tapped after that
 */
export async function rehearse(parts: RehearsalParts, order: Order, signal: AbortSignal): Promise<Report> {
  return await new Rehearsing(parts, order, signal).run();
}

class Rehearsing {
  readonly #parts: RehearsalParts;
  readonly #order: Order;
  readonly #signal: AbortSignal;
  readonly #phone: Phone;
  readonly #steps: Step[] = [];
  #account: AppAccount | null = null;
  #accountKey: string | null = null;
  #appVersion: string | null = null;
  #facts: Pick<Report, "model" | "androidVersion" | "language"> = NO_FACTS;
  #held: HeldPhone | null = null;
  #ready: Ready | null = null;
  #message: HandOutcome | null = null;
  /** The number's chat does not open in this app. */
  #isHidden = false;
  #isUnconfirmed = false;

  constructor(parts: RehearsalParts, order: Order, signal: AbortSignal) {
    this.#parts = parts;
    this.#order = order;
    this.#signal = signal;
    this.#phone = parts.recorder.phone(parts.phone);
  }

  get #number(): string {
    return this.#order.to ?? DRAMA_NUMBER;
  }

  async run(): Promise<Report> {
    await this.#step("phone", () => this.#lookAtPhone());
    await this.#step("account", () => this.#findAccount());
    if (this.#order.to !== null) await this.#step("confirm", () => this.#confirm());
    const mayOpen = this.#isWell;
    await this.#step("fence", () => this.#takeFence());
    await this.#step("chat", () => this.#openChat());
    const mayWrite = this.#isWell && !this.#isHidden;
    await this.#step("draft", () => this.#writeDraft());
    await this.#step("again", () => this.#readAgain());
    await this.#step("guard", () => this.#tryGuard());
    if (mayWrite) await this.#cleanUp("clear", () => this.#clear());
    else await this.#step("clear", () => Promise.resolve({ seen: "no_draft_written", isOk: true }));
    const mayPlace = this.#isWell && !this.#isHidden;
    const picture = this.#picture();
    await this.#step("picture", () => this.#openPicture(picture));
    await this.#step("picture_again", () => this.#readAgain());
    if (mayPlace) await this.#cleanUp("leave_picture", () => this.#leavePicture());
    const hasPassed = this.#isWell && !this.#isHidden;
    // Each phone needs it once: a person who is gone meanwhile changes nothing about what was seen.
    if (hasPassed) {
      const { app } = this.#account!;
      this.#parts.journal.trials.rehearsed(this.#phone.device, { app, version: this.#appVersion });
    }
    if (this.#order.to !== null && hasPassed) await this.#sendReal(picture);
    if (mayOpen) await this.#cleanUp("home", () => this.#leave(picture.sha256));
    return await this.#report(hasPassed);
  }

  /** True while no step failed and the person is there. */
  get #isWell(): boolean {
    return this.#isOpen && this.#steps.every(({ verdict }) => verdict === "ok" || verdict === "not_seen");
  }

  get #isOpen(): boolean {
    return !this.#signal.aborted && this.#parts.isWanted();
  }

  /** Does a step unless an earlier one failed. */
  async #step(name: StepName, look: () => Promise<Look>): Promise<void> {
    if (this.#isWell) await this.#cleanUp(name, look);
    else this.#note(name, { seen: "nothing", isOk: false }, 0, "not_done");
  }

  /** Does a step in any case: it puts back what an earlier one changed. */
  async #cleanUp(name: StepName, look: () => Promise<Look>): Promise<void> {
    const beganAt = this.#parts.clock.monotonic();
    let found: Look;
    try {
      found = await look();
    } catch (error) {
      const seen = sightOf(error);
      if (seen === null) throw error;
      found = { seen, isOk: false, detail: (error as Error).name };
    }
    const verdict = found.isHidden ? "not_seen" : found.isOk ? "ok" : "failed";
    this.#note(name, found, this.#parts.clock.monotonic() - beganAt, verdict);
  }

  #note(name: StepName, { seen, detail = null }: Look, tookMs: number, verdict: Step["verdict"]): void {
    const step = { name, seen, detail, tookMs: Math.max(0, Math.round(tookMs)), verdict };
    this.#steps.push(step);
    this.#parts.recorder.step(step);
    this.#parts.onStep(step);
  }

  async #lookAtPhone(): Promise<Look> {
    const { health } = await askHealth(this.#phone, { signal: this.#signal });
    this.#facts = readFacts(await this.#phone.run(ASK_FACTS, { signal: this.#signal }));
    const detail = [health.state, health.detail].filter((part) => part !== null).join(": ").slice(0, 200);
    const isOk = health.state === "online";
    return { seen: isOk ? "phone_ready" : "phone_unwell", isOk, detail };
  }

  async #findAccount(): Promise<Look> {
    const accounts = await discoverAccounts(this.#phone, this.#signal);
    const { account: wanted } = this.#order;
    const found = accounts.find((one) => wanted === null ? one.isInFront : one.account === wanted);
    if (found === undefined) return { seen: "account_missing", isOk: false };
    this.#account = parseAccount(found.account, this.#parts.wordsOf(found));
    this.#accountKey = found.account;
    this.#appVersion = found.appVersion;
    const { app, user } = this.#account;
    return { seen: "account_found", isOk: true, detail: `${app} ${found.appVersion ?? "?"}, user ${user}` };
  }

  async #confirm(): Promise<Look> {
    const { journal, clock, askCode } = this.#parts;
    if (journal.handTapsSince(this.#phone.device, clock.now() - DAY_MS) >= MOST_REAL_PER_DAY) {
      return { seen: "too_many_messages", isOk: false, detail: `${MOST_REAL_PER_DAY}` };
    }
    const seen = await confirmNumber(this.#phone, this.#number, askCode, this.#signal);
    this.#isUnconfirmed = seen !== "code_right";
    return { seen, isOk: seen === "code_right" };
  }

  async #takeFence(): Promise<Look> {
    this.#held = await takePhoneFence(this.#phone, this.#signal);
    return { seen: "fence_taken", isOk: true };
  }

  async #openChat(): Promise<Look> {
    const opened = await openAsItIs(this.#held!, this.#account!, this.#number, this.#signal);
    if (opened.kind === "shown") {
      const rows = opened.screen.outgoing.length;
      return { seen: "chat_with_number", isOk: true, detail: `rows of ours in sight: ${rows}` };
    }
    if (opened.kind === "not_on_app") {
      // Expected of a number that belongs to nobody. Of a person's own number it is a fault.
      this.#isHidden = this.#order.to === null;
      return { seen: "number_not_on_app", isOk: this.#isHidden };
    }
    if (opened.kind === "lost") return { seen: LOST[opened.state]!, isOk: false };
    if (opened.kind === "unknown") return unknown(opened.screen);
    if (opened.kind === "blocked") return { seen: "phone_screen_blocked", isOk: false };
    const { last } = opened;
    if (last?.kind === "locked") return { seen: "phone_screen_blocked", isOk: false, detail: "locked" };
    const isNamed = last?.kind === "chat" && last.number === "";
    return {
      seen: isNamed ? "chat_titled_by_name" : "chat_not_opened",
      isOk: false,
      detail: last === null ? "no screen could be read" : `on the screen: ${last.kind}`,
    };
  }

  async #writeDraft(): Promise<Look> {
    if (this.#isHidden) return HIDDEN;
    const message = { phone: this.#number, text: REHEARSED_TEXT, imagePath: null };
    this.#draftBegins(false);
    const strays = (phone: string, account: string) => this.#draftBegins(false, phone, account);
    const prepared = await prepare(this.#held!, this.#account!, message, this.#signal, { strays });
    return this.#judge(prepared, "draft_exact");
  }

  /** A rehearsal that ends anywhere after this leaves its words to the agent, which clears them. */
  #draftBegins(isPicture: boolean, phone = this.#number, account = this.#accountKey!): void {
    const draft = { account, phone, text: REHEARSED_TEXT, isPicture };
    this.#parts.journal.drafts.begins(draft);
  }

  async #readAgain(): Promise<Look> {
    if (this.#isHidden) return HIDDEN;
    return this.#judge(await this.#ready!.readAgain(), "screen_unchanged");
  }

  #judge(prepared: Prepared, seen: Sight): Look {
    this.#ready = null;
    switch (prepared.kind) {
      case "ready":
        this.#ready = prepared;
        return { seen, isOk: true };
      case "not_on_app":
        return { seen: "number_not_on_app", isOk: false };
      case "lost":
        return { seen: LOST[prepared.state]!, isOk: false };
      case "unknown_screen":
        return unknown(prepared.screen);
      case "not_ready":
        return { seen: REASONS[prepared.reason] ?? "chat_not_opened", isOk: false, detail: prepared.reason };
    }
  }

  /** Asks the tap's condition three times: now, after its deadline, and after a restart. */
  async #tryGuard(): Promise<Look> {
    const { uptimeS, bootId } = this.#ready ?? await readScreen(this.#held!, this.#account!, this.#signal);
    const deadlineUptime = Math.floor(uptimeS + TAP_DEADLINE_MS / 1_000);
    const other = bootId.replaceAll(/[0-9a-f]/g, "0");
    const now = await askGuard(this.#held!, { bootId, deadlineUptime });
    const late = await askGuard(this.#held!, { bootId, deadlineUptime: 0 });
    const restarted = await askGuard(this.#held!, { bootId: other, deadlineUptime });
    const isOk = now === "open" && late === "late" && restarted === "late";
    return { seen: isOk ? "guard_holds" : "guard_open", isOk, detail: `${now}, ${late}, ${restarted}` };
  }

  /** Deletes our draft, and reads the chat again from its opening. Another person's draft stays. */
  async #clear(text = REHEARSED_TEXT): Promise<Look> {
    const before = await openAsItIs(this.#held!, this.#account!, this.#number);
    if (before.kind === "shown" && sameDraft(before.screen.draft, text)) {
      this.#parts.journal.drafts.deleting(this.#accountKey!, this.#number, text);
      await clearDraft(this.#held!, before.screen.entry, text);
    }
    const after = await openAsItIs(this.#held!, this.#account!, this.#number);
    if (after.kind !== "shown") return { seen: "draft_left", isOk: false, detail: after.kind };
    const isOk = !after.screen.draft.includes(text.slice(0, 12));
    if (isOk) this.#parts.journal.drafts.gone(this.#accountKey!, this.#number);
    return { seen: isOk ? "draft_gone" : "draft_left", isOk };
  }

  #picture() {
    const bytes = this.#order.picture === null
      ? productPicture()
      : Uint8Array.fromBase64(this.#order.picture);
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  }

  async #openPicture(image: { bytes: Uint8Array; sha256: string }): Promise<Look> {
    if (this.#isHidden) return HIDDEN;
    try {
      await placeImage(this.#phone, this.#account!, image, new Map());
    } catch (error) {
      if (error instanceof AdbError) throw error;
      return { seen: "image_unavailable", isOk: false };
    }
    const imagePath = imagePathOn(this.#account!, image.sha256);
    const message = { phone: this.#number, text: REHEARSED_TEXT, imagePath };
    this.#draftBegins(true);
    return this.#judge(await prepare(this.#held!, this.#account!, message, this.#signal), "picture_ready");
  }

  async #leavePicture(): Promise<Look> {
    const rowsBefore = this.#ready?.rowsBefore;
    await pressBack(this.#held!);
    const cleared = await this.#clear();
    if (!cleared.isOk) return cleared;
    const after = await openAsItIs(this.#held!, this.#account!, this.#number);
    const isOk = after.kind === "shown" && (rowsBefore === undefined ||
      after.screen.outgoing.slice(-rowsBefore.length || undefined).every(({ fingerprint }) =>
        rowsBefore.includes(fingerprint)
      ));
    return { seen: isOk ? "picture_left" : "row_seen", isOk };
  }

  /** Sends the one real message, as send-one does, and looks back at it once more. */
  async #sendReal(picture: { bytes: Uint8Array; sha256: string }): Promise<void> {
    const { journal, clock, newId, isWanted, awaitPaceSlot } = this.#parts;
    const text = `בדיקת שיגור ${new Date(clock.now()).toISOString().slice(0, 19)}`;
    const image = this.#order.picture === null ? null : picture.sha256;
    const account = this.#accountKey!;
    let tap: TapIntent | null = null;
    let beganAt = clock.monotonic();
    const reached = (step: "intent" | "tap" | "proof", intent: TapIntent) => {
      tap = intent;
      const seen = ({ intent: "intent_written", tap: "tap_made", proof: "row_seen" } as const)[step];
      this.#note(step, { seen, isOk: true }, clock.monotonic() - beganAt, "ok");
      beganAt = clock.monotonic();
    };
    const { words } = this.#account!;
    const hand = {
      journal,
      phone: this.#phone,
      clock,
      newId,
      mayTap: isWanted,
      awaitPaceSlot,
      reached,
      words,
    };
    this.#message = await sendByHand(hand, { phone: this.#number, text, account, image }, this.#signal);
    // The delivery took a fence of its own.
    this.#held = null;
    if (this.#message.kind !== "sent") {
      const { kind } = this.#message;
      const reason = "reason" in this.#message ? this.#message.reason : null;
      const seen: Sight = kind === "not_sent" ? "row_not_seen" : "result_unknown";
      const name = tap === null ? "intent" : this.#steps.at(-1)?.name === "tap" ? "proof" : "tap";
      const look = { seen: tap === null ? "taken_back" as const : seen, isOk: false, detail: reason };
      this.#note(name, look, clock.monotonic() - beganAt, "failed");
      // A message that may be there must not be opened for editing.
      if (kind === "not_sent") {
        await this.#cleanUp("clear_message", () => this.#clearMessage(text, image !== null));
      }
      return;
    }
    if (this.#appVersion !== null) journal.trials.noteProven(this.#account!.app, this.#appVersion);
    // sendByHand() may have found the row by looking back itself.
    if (this.#steps.at(-1)?.name !== "proof") reached("proof", tap!);
    const imagePath = image === null ? null : imagePathOn(this.#account!, image);
    const message: Message = { phone: this.#number, text, imagePath };
    await this.#cleanUp("look_back", async () => {
      const evidence = await lookBack(this.#phone, this.#account!, message, tap!, this.#signal);
      const isOk = evidence === "sent";
      return { seen: isOk ? "row_seen_again" : "result_unknown", isOk, detail: evidence };
    });
  }

  async #clearMessage(text: string, isPicture: boolean): Promise<Look> {
    this.#held = await takePhoneFence(this.#phone);
    if (isPicture) await pressBack(this.#held);
    return await this.#clear(text);
  }

  async #leave(sha256: string): Promise<Look> {
    const held = await takePhoneFence(this.#phone);
    await held.touch(GO_HOME);
    if (this.#account) await this.#phone.run(`rm -f ${imagePathOn(this.#account, sha256)}`);
    for (let looks = 0; looks < HOME_LOOKS; looks++) {
      const focus = await focusOf(this.#phone);
      if (focus !== "" && !focus.startsWith(`${this.#account?.app}/`)) {
        return { seen: "launcher_in_front", isOk: true };
      }
      await this.#parts.clock.sleep(BETWEEN_LOOKS_MS);
    }
    return { seen: "launcher_not_in_front", isOk: false };
  }

  async #report(hasPassed: boolean): Promise<Report> {
    const isFailed = this.#steps.some(({ verdict }) => verdict === "failed" || verdict === "not_done");
    const result = this.#isUnconfirmed
      ? "unconfirmed"
      : isFailed
      ? "failed"
      : hasPassed
      ? "passed"
      : "partly";
    const report: Report = {
      device: this.#phone.device,
      account: this.#accountKey,
      appVersion: this.#appVersion,
      ...this.#facts,
      result,
      message: this.#message?.kind ?? null,
      steps: this.#steps,
      recording: null,
    };
    return { ...report, recording: await this.#parts.recorder.end(report) };
  }
}

/** Reads the output of `ASK_FACTS`, one line each. */
function readFacts(output: string): Pick<Report, "model" | "androidVersion" | "language"> {
  const [model = "", androidVersion = "", locale = ""] = output.split("\n").map((line) => line.trim());
  return {
    model: model.slice(0, 200) || null,
    androidVersion: androidVersion.slice(0, 20) || null,
    language: /^[a-z]{2,3}(?=-|$)/.exec(locale)?.[0] ?? null,
  };
}

/** Names a screen by its window and its new ids; words of people are in neither. */
function unknown({ window, ids }: UnknownScreen): Look {
  return { seen: "unknown_screen", isOk: false, detail: [window, ...ids].join(" ").slice(0, 200) };
}

const HIDDEN: Look = { seen: "nothing", isOk: false, isHidden: true };
const REASONS: Record<string, Sight> = {
  draft_mismatch: "draft_mismatch",
  chat_titled_by_name: "chat_titled_by_name",
  chat_not_opened: "chat_not_opened",
  phone_screen_blocked: "phone_screen_blocked",
  caption_not_shown: "caption_not_shown",
};

/** Returns what an error of a phone means for a step, or null for any other error. */
function sightOf(error: unknown): Sight | null {
  if (error instanceof PhoneBusyError) return "phone_busy";
  if (error instanceof PhoneLockedError) return "phone_screen_blocked";
  if (error instanceof StrangeScreenError) return "unknown_screen";
  if (error instanceof AdbError || error instanceof PhoneCommandError) return "phone_lost";
  if (error instanceof SyntaxError) return "chat_not_opened";
  // The site ends, or the person is gone.
  return error instanceof DOMException && error.name === "AbortError" ? "nothing" : null;
}
