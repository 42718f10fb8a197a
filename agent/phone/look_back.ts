/** Resolves a tap without an outcome: waits until it can no longer happen, then reads its result twice. */
import type { TapIntent } from "./tap_intent.ts";
import { type AppScreen, newRows, sameDraft, showsText } from "./app_screen.ts";
import { awaitScreen } from "./await_screen.ts";
import { openChat, wake } from "./open_chat.ts";
import type { AppAccount, Phone } from "./phone.ts";
import { type Chat, isChatWith, isPictureFor, isStrange, type Message } from "./prepare.ts";
import { clearDraft, pressBack } from "./press.ts";
import type { Point } from "./screen.ts";
import { type ScreenReading, UPTIME_AND_BOOT_ID } from "./read_screen.ts";
import { shapeOf, type UnknownScreen } from "./screen_shape.ts";
import { type HeldPhone, takePhoneFence } from "./phone_fence.ts";

/** What both readings prove about the tap: the row, the untouched draft, or nothing. */
export type Evidence = "sent" | "draft" | null;

const BETWEEN_READINGS_MS = 1_000;
const OPENINGS = 3;

/** The phone needs its PIN. The tap's result is read after a person has opened it. */
export class PhoneLockedError extends Error {
  override name = "PhoneLockedError";
  override message = "Cannot read the phone's screen: it needs its PIN";
}

/** The app shows screens that no file knows, as after an update. The tap's result is read once they are known. */
export class StrangeScreenError extends Error {
  override name = "StrangeScreenError";
  override message = "Cannot read the phone's screen: no screen file knows it";
  constructor(readonly screen: UnknownScreen) {
    super();
  }
}

interface ChatEvidence {
  evidence: Evidence;
  entry: Point | null;
}

/**
 * Finds the result of a journaled tap. Sends nothing; deletes a draft that was never sent, after a call of `deleting`.
 *
 * @throws {AdbError} when the phone cannot be reached: nothing is decided then, and it can be asked again
 * @throws {PhoneLockedError} when only a person can open the phone: nothing is decided then either
 * @throws {StrangeScreenError} when no opening showed a screen that is known: nothing is decided then either
 */
export async function lookBack(
  phone: Phone,
  account: AppAccount,
  message: Message,
  tap: TapIntent,
  signal?: AbortSignal,
  deleting?: () => void,
): Promise<Evidence> {
  // The tap's own command may hang after all its checks. It has to end before the draft proves anything.
  const held = await takePhoneFence(phone, signal);
  await awaitDeadline(held, tap, signal);
  const readEvidence = message.imagePath === null ? evidenceInChat : evidenceInPicture;
  const first = await readEvidence(held, account, message, tap, signal);
  if (first.evidence === null) return null;
  await phone.clock.sleep(BETWEEN_READINGS_MS, signal);
  const second = await readEvidence(held, account, message, tap, signal);
  if (first.evidence !== second.evidence) return null;
  if (second.evidence !== "draft") return second.evidence;
  if (message.imagePath !== null) return await leavePicture(held, account, message, tap, signal);
  if (second.entry) deleting?.();
  if (second.entry) await clearDraft(held, second.entry, message.text, signal).catch(() => {});
  return "draft";
}

/** Waits for the deadline. The tap command refuses when the phone's uptime reaches it, and after any restart. */
async function awaitDeadline(phone: Phone, tap: TapIntent, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const output = await phone.run("cat /proc/uptime /proc/sys/kernel/random/boot_id", { signal });
    const [, uptime, bootId] = UPTIME_AND_BOOT_ID.exec(output) ?? [];
    // One second more: a tap at the last moment still has to reach the app.
    if (bootId && (bootId !== tap.bootId || Number(uptime) > tap.deadlineUptime)) return;
    await phone.clock.sleep(1_000, signal);
  }
  signal?.throwIfAborted();
}

async function evidenceInChat(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  tap: TapIntent,
  signal?: AbortSignal,
): Promise<ChatEvidence> {
  let strange: ScreenReading | null = null;
  for (let opening = 0; opening < OPENINGS; opening++) {
    const opened = await openChat(phone, account, { number: message.phone, text: null }, signal);
    strange = null;
    // A slow phone shows the chat before its rows: read again while the screen proves nothing.
    const proves = (screen: AppScreen): screen is Chat =>
      isChatWith(screen, message.phone) && evidenceIn(screen, account, message, tap) !== null;
    const awaited = await awaitScreen(phone, account, proves, { opened, afterTap: true, signal });
    if (awaited.kind === "shown") {
      return { evidence: evidenceIn(awaited.screen, account, message, tap), entry: awaited.screen.entry };
    }
    if (awaited.kind === "lost") break;
    if (awaited.kind !== "not_shown" || awaited.last === null) continue;
    if (awaited.last.kind === "locked") throw new PhoneLockedError();
    if (isChatWith(awaited.last, message.phone)) break;
    if (isStrange(awaited)) strange = awaited.reading;
  }
  if (strange !== null) throw new StrangeScreenError(shapeOf(strange, account));
  return { evidence: null, entry: null };
}

function evidenceIn(
  { outgoing, draft }: Chat,
  { words }: AppAccount,
  message: Message,
  tap: TapIntent,
): Evidence {
  const added = newRows(tap.rowsBefore, outgoing);
  const isDraftThere = sameDraft(draft, message.text);
  if (added.length === 0) return isDraftThere ? "draft" : null;
  const isOurs = added.some((row) => showsText(row.text, message.text, words));
  return isOurs && !isDraftThere ? "sent" : null;
}

/** A picture screen that still shows our caption has not been sent. Only the chat can prove that it was sent. */
async function evidenceInPicture(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  tap: TapIntent,
  signal?: AbortSignal,
): Promise<ChatEvidence> {
  // A screen goes dark during the wait for the deadline, and opening the chat would leave the picture.
  await wake(phone, signal);
  const awaited = await awaitScreen(
    phone,
    account,
    (screen): screen is typeof screen => screen.kind === "chat" || screen.kind === "picture",
    { afterTap: true, signal },
  );
  if (awaited.kind === "shown" && isPictureFor(awaited.screen, message)) {
    return { evidence: "draft", entry: null };
  }
  const inChat = await evidenceInChat(phone, account, message, tap, signal);
  return inChat.evidence === "sent" ? inChat : { evidence: null, entry: null };
}

async function leavePicture(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  tap: TapIntent,
  signal?: AbortSignal,
): Promise<Evidence> {
  await pressBack(phone, signal);
  const opened = await openChat(phone, account, { number: message.phone, text: null }, signal);
  const isThere = (screen: AppScreen) => isChatWith(screen, message.phone);
  const awaited = await awaitScreen(phone, account, isThere, { opened, afterTap: true, signal });
  if (awaited.kind !== "shown") return null;
  return newRows(tap.rowsBefore, awaited.screen.outgoing).length === 0 ? "draft" : null;
}
