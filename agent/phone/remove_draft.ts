/** Takes our own words out of a chat in which they were left, so that no person at the phone sends them. */
import { sameDraft } from "./app_screen.ts";
import type { LostState } from "./await_screen.ts";
import type { AppAccount, Phone } from "./phone.ts";
import { takePhoneFence } from "./phone_fence.ts";
import { isPictureFor, openAsItIs } from "./prepare.ts";
import { clearDraft, pressBack } from "./press.ts";
import { readScreen, type ScreenReading } from "./read_screen.ts";
import type { UnknownScreen } from "./screen_shape.ts";

/** What was typed for one number. */
export interface LeftDraft {
  text: string;
  /** It is the caption of a picture's screen. */
  isPicture: boolean;
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
 * Opens the chat with `number`, deletes a draft that is exactly one of `drafts`, and looks again. Words that are not ours
 * stay. Taps no send button.
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
  signal?: AbortSignal,
): Promise<Removal> {
  const held = await takePhoneFence(phone, signal);
  if (drafts.some(({ isPicture }) => isPicture)) {
    const screen = await screenNow(phone, account, signal);
    const isOurs = screen !== null &&
      drafts.some(({ text, isPicture }) => isPicture && isPictureFor(screen, { phone: number, text }));
    if (isOurs) await pressBack(held, signal);
  }
  const texts = drafts.map(({ text }) => text).filter((text) => text !== "");
  let deleted: string | null = null;
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
    const { draft, entry } = opened.screen;
    const isOurs = texts.some((text) => sameDraft(draft, text));
    // A deletion that ended halfway leaves a part.
    const isRest: boolean = deleted !== null && draft !== "" && deleted.includes(draft);
    if (!isOurs && !isRest) {
      if (++looks === 2) return { kind: "gone" };
      continue;
    }
    looks = 0;
    deleted = draft;
    await clearDraft(held, entry, draft, signal);
  }
  return { kind: "left" };
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
