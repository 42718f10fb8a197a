/** Wakes the phone and opens the chat with one number, by intent. */
import { shellQuote } from "../adb/quote.ts";
import { GO_HOME } from "./go_home.ts";
import type { AppAccount } from "./phone.ts";
import { READ_SCREEN, READING_TIMEOUT_MS } from "./read_screen.ts";
import type { HeldPhone } from "./phone_fence.ts";

// 224 = KEYCODE_WAKEUP: it never puts an awake phone to sleep, as the power key would.
const WAKE = "input keyevent 224; wm dismiss-keyguard";
const START_TIMEOUT_MS = 15_000;

/** Lights the screen and opens a lock without a PIN. The screen in front stays. */
export async function wake(phone: HeldPhone, signal?: AbortSignal): Promise<void> {
  await phone.touch(WAKE, { signal });
}

/**
 * Opens the chat with `number` ("+972…"). A text replaces the draft; null keeps it. The intent's success proves
 * nothing, so the screen has to be read. Returns the first reading, for awaitScreen().
 */
export async function openChat(
  phone: HeldPhone,
  account: AppAccount,
  chat: { number: string; text: string | null },
  signal?: AbortSignal,
): Promise<string> {
  const query = chat.text === null ? "" : `?text=${encodeText(chat.text)}`;
  const url = `https://wa.me/${chat.number.replace("+", "")}${query}`;
  const intent = `-a android.intent.action.VIEW -d ${shellQuote(url)} -p ${account.app}`;
  return await start(phone, `--user ${account.user} ${intent}`, signal);
}

/**
 * Opens the app's picture screen for `number` with an image that is already on the phone and its caption. The jid extra
 * picks the chat; without it the app would ask for one. Returns the same as openChat().
 */
export async function openPicture(
  phone: HeldPhone,
  account: AppAccount,
  picture: { number: string; path: string; caption: string },
  signal?: AbortSignal,
): Promise<string> {
  const jid = `${picture.number.replace("+", "")}@s.whatsapp.net`;
  return await start(
    phone,
    `--user ${account.user} -a android.intent.action.SEND -t 'image/*'` +
      ` --eu android.intent.extra.STREAM ${shellQuote(`file://${picture.path}`)}` +
      ` --es android.intent.extra.TEXT ${shellQuote(picture.caption)}` +
      ` --es jid ${shellQuote(jid)} -p ${account.app}`,
    signal,
  );
}

/** A late chat over that of the next number would put the wrong draft under the next tap: see phone_fence.ts. */
async function start(phone: HeldPhone, intent: string, signal?: AbortSignal): Promise<string> {
  // Go through the launcher: a chat left in front by an earlier opening would look like this one. A late chat of
  // another number or account would come under the tap. Use one command, because each is a connection, and the first
  // reading comes at once in any case.
  const command = `${WAKE}; ${GO_HOME} && am start ${intent} && { ${READ_SCREEN}; }`;
  return await phone.touch(command, { timeoutMs: START_TIMEOUT_MS + READING_TIMEOUT_MS, signal });
}

/** Percent-encodes all but unreserved characters: an unencoded apostrophe would end the shell's quotes. */
function encodeText(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
