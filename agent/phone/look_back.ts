/** Resolves a tap without an outcome: waits until it can no longer happen, then looks twice at its result. */
import type { TapIntent } from "./tap_intent.ts";
import { type AppScreen, newRows, sameDraft, showsText } from "./app_screen.ts";
import { awaitScreen } from "./await_screen.ts";
import { openChat, wake } from "./open_chat.ts";
import type { AppAccount, Phone } from "./phone.ts";
import { type Chat, isChatWith, isPictureFor, type Message } from "./prepare.ts";
import { clearDraft, pressBack } from "./press.ts";
import type { Point } from "./screen.ts";
import { UPTIME_AND_BOOT_ID } from "./read_screen.ts";
import { type HeldPhone, takeTurn } from "./turn.ts";

/** The result on which both looks agreed: the row, the untouched draft, or nothing. */
export type Found = "sent" | "draft" | null;

const BETWEEN_LOOKS_MS = 1_000;
const OPENINGS = 3;

/** The phone needs its PIN. The look at the tap's result comes after a person has opened it. */
export class PhoneLockedError extends Error {
  override name = "PhoneLockedError";
  override message = "Cannot look at the phone: it wants its PIN";
}

interface Glance {
  found: Found;
  entry: Point | null;
}

/**
 * Finds the result of a journaled tap. Sends nothing; deletes a draft that was never sent.
 *
 * @throws {AdbError} when the phone cannot be reached: nothing is decided then, and it can be asked again
 * @throws {PhoneLockedError} when only a person can open the phone: nothing is decided then either
 */
export async function lookBack(
  phone: Phone,
  account: AppAccount,
  message: Message,
  tap: TapIntent,
  signal?: AbortSignal,
): Promise<Found> {
  // The tap's own command may hang after all its checks. It has to end before the draft proves anything.
  const held = await takeTurn(phone, signal);
  await awaitDeadline(held, tap, signal);
  const look = message.imagePath === null ? glanceAtChat : glanceAtPicture;
  const first = await look(held, account, message, tap, signal);
  if (first.found === null) return null;
  await phone.clock.sleep(BETWEEN_LOOKS_MS, signal);
  const second = await look(held, account, message, tap, signal);
  if (first.found !== second.found) return null;
  if (second.found !== "draft") return second.found;
  if (message.imagePath !== null) return await leavePicture(held, account, message, tap, signal);
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

async function glanceAtChat(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  tap: TapIntent,
  signal?: AbortSignal,
): Promise<Glance> {
  for (let opening = 0; opening < OPENINGS; opening++) {
    const opened = await openChat(phone, account, { number: message.phone, text: null }, signal);
    // A slow phone shows the chat before its rows: look again while the screen proves nothing.
    const tells = (screen: AppScreen): screen is Chat =>
      isChatWith(screen, message.phone) && findIn(screen, message, tap) !== null;
    const sight = await awaitScreen(phone, account, tells, { opened, signal });
    if (sight.kind === "shown") {
      return { found: findIn(sight.screen, message, tap), entry: sight.screen.entry };
    }
    if (sight.kind === "lost") break;
    if (sight.kind !== "not_shown" || sight.last === null) continue;
    if (sight.last.kind === "locked") throw new PhoneLockedError();
    if (isChatWith(sight.last, message.phone)) break;
  }
  return { found: null, entry: null };
}

function findIn({ outgoing, draft }: Chat, message: Message, tap: TapIntent): Found {
  const added = newRows(tap.rowsBefore, outgoing);
  const isDraftThere = sameDraft(draft, message.text);
  if (added.length === 0) return isDraftThere ? "draft" : null;
  const isOurs = added.some((row) => showsText(row.text, message.text));
  return isOurs && !isDraftThere ? "sent" : null;
}

/** A picture screen that still shows our caption has not been sent. Only the chat can prove that it was sent. */
async function glanceAtPicture(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  tap: TapIntent,
  signal?: AbortSignal,
): Promise<Glance> {
  // A screen goes dark during the wait for the deadline, and opening the chat would leave the picture.
  await wake(phone, signal);
  const sight = await awaitScreen(
    phone,
    account,
    (screen): screen is typeof screen => screen.kind === "chat" || screen.kind === "picture",
    { signal },
  );
  if (sight.kind === "shown" && isPictureFor(sight.screen, message)) return { found: "draft", entry: null };
  const glance = await glanceAtChat(phone, account, message, tap, signal);
  return glance.found === "sent" ? glance : { found: null, entry: null };
}

async function leavePicture(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  tap: TapIntent,
  signal?: AbortSignal,
): Promise<Found> {
  await pressBack(phone, signal);
  const opened = await openChat(phone, account, { number: message.phone, text: null }, signal);
  const isThere = (screen: AppScreen) => isChatWith(screen, message.phone);
  const sight = await awaitScreen(phone, account, isThere, { opened, signal });
  if (sight.kind !== "shown") return null;
  return newRows(tap.rowsBefore, sight.screen.outgoing).length === 0 ? "draft" : null;
}
