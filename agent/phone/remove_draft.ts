/** Takes our own words out of a chat in which they were left, so that no person at the phone sends them. */
import type { LostState } from "./await_screen.ts";
import type { AppAccount, Phone } from "./phone.ts";
import { wake } from "./open_chat.ts";
import { type HeldPhone, takePhoneFence } from "./phone_fence.ts";
import { isPictureFor, openAsItIs } from "./prepare.ts";
import { clearDraft, pressBack, stopApp } from "./press.ts";
import { readScreen, type ScreenReading } from "./read_screen.ts";
import type { UnknownScreen } from "./screen_shape.ts";

/** What was typed for one number. */
export interface LeftDraft {
  text: string;
  /** It is the caption of a picture's screen. */
  isPicture: boolean;
  /** Its deletion has begun: a part of it is ours too. */
  isDeleting: boolean;
}

export type Removal =
  /** Two openings showed the chat without our words. */
  | { kind: "gone" }
  /** Nothing proves that they are gone. */
  | { kind: "left" }
  | { kind: "lost"; state: LostState }
  /** The app shows a screen that no screen file knows. It was not touched. */
  | { kind: "unknown_screen"; screen: UnknownScreen };

/** Two looks that find nothing, after two that find and delete. */
const OPENINGS = 4;
const BETWEEN_OPENINGS_MS = 1_000;

/**
 * Closes a picture of ours, opens the chat with `number`, deletes a draft that is exactly one of `drafts` (blanks at its
 * ends aside), and looks again. Words that are not ours stay. Taps no send button. `deleting` is called before the first
 * key deletes of a text.
 *
 * @throws {AdbError} when the phone cannot be reached
 * @throws {PhoneBusyError} when an earlier command still runs on it
 * @throws {PhoneCommandError} when somebody else took the phone meanwhile
 */
export async function removeDraft(
  phone: Phone,
  account: AppAccount,
  number: string,
  drafts: readonly LeftDraft[],
  { deleting, signal }: { deleting?(text: string): void; signal?: AbortSignal } = {},
): Promise<Removal> {
  const held = await takePhoneFence(phone, signal);
  const captions = drafts.filter(({ isPicture }) => isPicture).map(({ text }) => text);
  if (captions.length > 0) await closePicture(held, account, number, captions, signal);
  const texts = drafts.map(({ text }) => text).filter((text) => text.trim() !== "");
  const begun = new Set(drafts.filter(({ isDeleting }) => isDeleting).map(({ text }) => text));
  let looks = 0;
  for (let opening = 0; opening < OPENINGS; opening++) {
    if (opening > 0) await phone.clock.sleep(BETWEEN_OPENINGS_MS, signal);
    signal?.throwIfAborted();
    // The title of a saved contact is a name. Exactly our words in the chat that its number opened are ours.
    const opened = await openAsItIs(held, account, number, signal, { orNamed: true });
    if (opened.kind === "not_on_app") return { kind: "gone" };
    if (opened.kind === "unknown") return { kind: "unknown_screen", screen: opened.screen };
    if (opened.kind === "lost") return opened;
    if (opened.kind !== "shown") return { kind: "left" };
    const { draft, entry, number: shown } = opened.screen;
    const ours = texts.find((text) => plain(draft) === plain(text)) ??
      // A deletion that ended halfway leaves a part.
      texts.find((text) => begun.has(text) && isRestOf(draft, text));
    if (ours === undefined) {
      if (++looks < 2) continue;
      // Another chat may have the name. The one in which our words were is this number's.
      return { kind: shown === "" && begun.size === 0 ? "left" : "gone" };
    }
    looks = 0;
    if (!begun.has(ours)) deleting?.(ours);
    begun.add(ours);
    await clearDraft(held, entry, draft, signal);
  }
  return { kind: "left" };
}

/** An app may drop blanks at a draft's ends. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").trim();
}

/** Returns whether `draft` is what keys left of `text` that delete from a place in it in both directions. */
function isRestOf(draft: string, text: string): boolean {
  const [rest, whole] = [plain(draft), plain(text)];
  if (rest === "" || rest.length >= whole.length) return false;
  let kept = 0;
  while (kept < rest.length && rest[kept] === whole[kept]) kept++;
  return whole.endsWith(rest.slice(kept));
}

/**
 * Closes a picture of ours wherever it waits, and the phone may be dark or show something else: a chat that opens over
 * it proves nothing. Without it in front, the app ends with all its screens.
 */
async function closePicture(
  held: HeldPhone,
  account: AppAccount,
  number: string,
  captions: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  await wake(held, signal);
  const screen = await screenNow(held, account, signal);
  if (screen !== null && captions.some((text) => isPictureFor(screen, { phone: number, text }))) {
    await pressBack(held, signal);
    if ((await screenNow(held, account, signal))?.kind === "chat") return;
  }
  await stopApp(held, account, signal);
}

/** Returns what is in front, or null while it cannot be read. */
async function screenNow(
  phone: Phone,
  account: AppAccount,
  signal?: AbortSignal,
): Promise<ScreenReading["screen"] | null> {
  try {
    return (await readScreen(phone, account, signal)).screen;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
