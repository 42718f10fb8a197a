/** Reads the screen until the phone shows the opened one, and removes dialogs in the way. */
import type { AccountState } from "shared/agent_protocol.ts";
import { SHIPPED_WORDS } from "../screens/shipped_files.ts";
import type { AppScreen } from "./app_screen.ts";
import type { DialogMeaning } from "./screen_texts.ts";
import { titleNumber } from "./number_text.ts";
import { press, pressBack, stopApp } from "./press.ts";
import type { AppAccount } from "./phone.ts";
import { parseReading, readScreen, type ScreenReading } from "./read_screen.ts";
import type { HeldPhone } from "./phone_fence.ts";
import { shapeOf, type UnknownScreen } from "./screen_shape.ts";

export type LostState = Extract<AccountState, "banned" | "restricted" | "logged_out">;

/** What the readings of awaitScreen() ended with. */
export type AwaitedReading<S extends AppScreen> =
  | { kind: "shown"; screen: S; reading: ScreenReading }
  | { kind: "not_on_app"; text: string }
  | { kind: "lost"; state: LostState }
  /** Another program's dialog, or one that means nothing, was in the way; it was dismissed. */
  | { kind: "blocked" }
  /** A dialog of the app that nobody has seen before is in the way. It was left as it is. */
  | { kind: "unknown"; screen: UnknownScreen }
  /**
   * All readings failed. `last` is the reading of what was there instead, null when the phone made no dump at all.
   */
  | { kind: "not_shown"; last: AppScreen | null; reading: ScreenReading | null };

/** On a real phone a dump takes 2 s: five of them are the 10 s a slow chat needs. */
const READINGS = 5;
const BETWEEN_READINGS_MS = 250;

/**
 * Waits until the screen passes `wanted`, for a bounded number of readings. The first one is `opened`, the result of
 * openChat(), if given. An unknown dialog of the app is not touched: nobody knows what the back key means there, and the
 * person who comes has to find it. `afterTap` dismisses it nevertheless, because only the chat shows what a tap did.
 * `shareWith` is the number ("+972…") of a picture that is being opened: the app may ask whether to send it there.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function awaitScreen<S extends AppScreen>(
  phone: HeldPhone,
  account: AppAccount,
  wanted: (screen: AppScreen) => screen is S,
  { opened, afterTap = false, shareWith, signal }: {
    opened?: string;
    afterTap?: boolean;
    shareWith?: string;
    signal?: AbortSignal;
  } = {},
): Promise<AwaitedReading<S>> {
  let last: AppScreen | null = null;
  let lastReading: ScreenReading | null = null;
  let strange: string | null = null;
  for (let readings = 0; readings < READINGS && !signal?.aborted; readings++) {
    if (readings > 0) await phone.clock.sleep(BETWEEN_READINGS_MS, signal);
    const reading = await readingOrNull(phone, account, {
      opened: readings === 0 ? opened : undefined,
      signal,
    });
    if (!reading) continue;
    last = reading.screen;
    lastReading = reading;
    if (wanted(last)) return { kind: "shown", screen: last, reading };
    if (last.kind !== "dialog") continue;
    const lost = lostState(last.meaning);
    if (lost) return { kind: "lost", state: lost };
    if (!last.isKnown && !afterTap) {
      const screen = shapeOf(reading, account);
      // Seen twice, it is not a window that is just being drawn.
      if (screen.fingerprint === strange) return { kind: "unknown", screen };
      strange = screen.fingerprint;
      continue;
    }
    // Press OK only when the meaning of the dialog is known, and "send to …?" only for this very number.
    const isShare = last.ok !== null && shareWith !== undefined && isQuestionOf(last, shareWith, account);
    if (last.ok && (isShare || last.meaning === "not_on_app")) await press(phone, last.ok, signal);
    else await pressBack(phone, signal);
    if (last.meaning === "not_on_app") return { kind: "not_on_app", text: last.text };
    if (isShare) continue;
    // Some dialogs ignore the back key; only the end of the app closes them.
    if ((await readingOrNull(phone, account, { signal }))?.screen.kind === "dialog") {
      await stopApp(phone, account, signal);
    }
    return { kind: "blocked" };
  }
  return { kind: "not_shown", last, reading: lastReading };
}

/** Returns the state of an account whose dialog forbids it to send, or null for any other dialog. */
export function lostState(meaning: DialogMeaning | null): LostState | null {
  return meaning === "banned" || meaning === "restricted" || meaning === "logged_out" ? meaning : null;
}

/** A name is no number: two contacts may have it, and "5 chats" or the status are no one. */
function isQuestionOf(
  { meaning, text }: Extract<AppScreen, { kind: "dialog" }>,
  number: string,
  { words = SHIPPED_WORDS }: AppAccount,
): boolean {
  const receivers = meaning === "share_confirm" ? words.shareReceivers(text) : [];
  return receivers.length > 0 && receivers.every((one) => `+${titleNumber(one, words)}` === number);
}

/** A moving screen cannot be dumped; the next reading may find it at rest. */
async function readingOrNull(
  phone: HeldPhone,
  account: AppAccount,
  { opened, signal }: { opened?: string; signal?: AbortSignal },
): Promise<ScreenReading | null> {
  try {
    return opened === undefined ? await readScreen(phone, account, signal) : parseReading(opened, account);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
