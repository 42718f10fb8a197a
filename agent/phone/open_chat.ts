/** Wakes the phone and opens the chat with one number, by intent. */
import { shellQuote } from "../adb/quote.ts";
import type { AppAccount, Phone } from "./phone.ts";

// 224 = KEYCODE_WAKEUP: it never puts an awake phone to sleep, as the power key would.
const WAKE = "input keyevent 224; wm dismiss-keyguard";

/**
 * Opens the chat with `number` ("+972…"). A text becomes the draft in place of what was there; with null the draft
 * stays. The intent's success says nothing: what is on the screen has to be looked at.
 */
export async function openChat(
  phone: Phone,
  account: AppAccount,
  chat: { number: string; text: string | null },
  signal?: AbortSignal,
): Promise<void> {
  const query = chat.text === null ? "" : `?text=${encodeText(chat.text)}`;
  const url = `https://wa.me/${chat.number.replace("+", "")}${query}`;
  await phone.run(
    `${WAKE}; am start --user ${account.user} -a android.intent.action.VIEW -d ${
      shellQuote(url)
    } -p ${account.app}`,
    { signal },
  );
}

/**
 * Opens the app's picture screen for `number` with an image that is already on the phone and its caption.
 * The jid extra picks the chat; without it the app would ask for one.
 */
export async function openPicture(
  phone: Phone,
  account: AppAccount,
  picture: { number: string; path: string; caption: string },
  signal?: AbortSignal,
): Promise<void> {
  const jid = `${picture.number.replace("+", "")}@s.whatsapp.net`;
  await phone.run(
    `${WAKE}; am start --user ${account.user} -a android.intent.action.SEND -t 'image/*'` +
      ` --eu android.intent.extra.STREAM ${shellQuote(`file://${picture.path}`)}` +
      ` --es android.intent.extra.TEXT ${shellQuote(picture.caption)}` +
      ` --es jid ${shellQuote(jid)} -p ${account.app}`,
    { signal },
  );
}

/** Percent-encodes everything but unreserved characters: an apostrophe left alone ends the shell's quotes. */
function encodeText(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
