/** Wakes the phone and opens the chat with one number, by intent. */
import { shellQuote } from "../adb/quote.ts";
import type { AppAccount, Phone } from "./phone.ts";

/** The phone refuses a start that begins later than this, and nobody waits for it longer. */
const BEGIN_WITHIN_S = 15;
/** EX_TEMPFAIL of sysexits(3). */
const TOO_LATE = 75;
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
  const intent = `-a android.intent.action.VIEW -d ${shellQuote(url)} -p ${account.app}`;
  await start(phone, `--user ${account.user} ${intent}`, signal);
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
  await start(
    phone,
    `--user ${account.user} -a android.intent.action.SEND -t 'image/*'` +
      ` --eu android.intent.extra.STREAM ${shellQuote(`file://${picture.path}`)}` +
      ` --es android.intent.extra.TEXT ${shellQuote(picture.caption)}` +
      ` --es jid ${shellQuote(jid)} -p ${account.app}`,
    signal,
  );
}

/**
 * Starts an activity, unless the command begins only after we gave up on it: a chat that opens late, over the next
 * number's, would put the wrong draft under the next tap. Like the tap, it asks the phone's own uptime.
 */
async function start(phone: Phone, intent: string, signal?: AbortSignal): Promise<void> {
  const uptimeS = Number.parseInt(await phone.run("cat /proc/uptime", { signal }));
  const command = `read up rest < /proc/uptime; up=\${up%%.*}; ` +
    `if [ "$up" -lt ${
      uptimeS + BEGIN_WITHIN_S
    } ]; then ${WAKE}; am start ${intent}; else exit ${TOO_LATE}; fi`;
  await phone.run(command, { signal, timeoutMs: BEGIN_WITHIN_S * 1000 });
}

/** Percent-encodes everything but unreserved characters: an apostrophe left alone ends the shell's quotes. */
function encodeText(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
