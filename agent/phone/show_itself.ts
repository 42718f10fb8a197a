/** Shows a bright page on one phone among many for a while, then everything is as before. */
import { shellQuote } from "../adb/quote.ts";
import { GO_HOME } from "./go_home.ts";
import { type Phone, PhoneCommandError } from "./phone.ts";
import { FOCUS } from "./read_screen.ts";
import { type HeldPhone, takePhoneFence } from "./phone_fence.ts";

/** The sign that a person sees on the phone. */
export type Shown = "page" | "notifications" | "lock screen";

const SHOW_S = 20;
const TIMEOUT_MS = (SHOW_S + 20) * 1_000;
const PAGE = "/sdcard/Download/shigur-identify.html";
const LOOKS = 6;
const BETWEEN_LOOKS_MS = 500;
const BRIGHTNESS = "system screen_brightness";

/** Shows the phone's serial number; see showPage(). */
export async function showItself(
  phone: Phone,
  shown: (what: Shown) => void,
  signal?: AbortSignal,
): Promise<void> {
  await showPage(phone, phone.device, shown, signal);
}

/**
 * Shows a page with `text` (no HTML) at full brightness for 20 s and returns to the home screen. If no app shows pages,
 * it pulls the notifications down, which have the text too. All of it is one command on the phone, so that the light
 * goes out even when the site is gone. Calls `shown` as soon as something is visible.
 *
 * @throws {PhoneBusyError} when an earlier command still runs on it
 * @throws {AdbError} when the phone is lost in the meantime
 */
export async function showPage(
  phone: Phone,
  text: string,
  shown: (what: Shown) => void,
  signal?: AbortSignal,
): Promise<void> {
  const held = await takePhoneFence(phone, signal);
  await held.touch(`input keyevent 224; wm dismiss-keyguard; ${GO_HOME}`, { signal });
  const before = await focusOf(held, signal);
  await held.push(new TextEncoder().encode(pageOf(text)), PAGE);
  const showing = held.touch(lightUp(text), { timeoutMs: TIMEOUT_MS, signal });
  // Even if the looks fail, leave the phone only when the light is out.
  const ends = await Promise.allSettled([look(held, before, signal).then(shown), showing]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

function lightUp(text: string): string {
  const intent = `-a android.intent.action.VIEW -d file://${PAGE} -t text/html`;
  return `light=$(settings get ${BRIGHTNESS}); mode=$(settings get ${BRIGHTNESS}_mode); ` +
    `settings put ${BRIGHTNESS}_mode 0; settings put ${BRIGHTNESS} 255; ` +
    `cmd notification post -S bigtext -t Shigur shigur-identify ${shellQuote(text)}; ` +
    `am start ${intent}; sleep ${SHOW_S}; ` +
    `settings put ${BRIGHTNESS} $light; settings put ${BRIGHTNESS}_mode $mode; ` +
    `cmd notification post -S bigtext -t Shigur shigur-identify Shigur; ` +
    `cmd statusbar collapse; ${GO_HOME}; rm -f ${PAGE}`;
}

/** Looks until the page is in front. Pulls the notifications down when it does not come. */
async function look(phone: HeldPhone, before: string, signal?: AbortSignal): Promise<Shown> {
  for (let looks = 0; looks < LOOKS && !signal?.aborted; looks++) {
    await phone.clock.sleep(BETWEEN_LOOKS_MS, signal);
    const focus = await focusOf(phone, signal);
    if (focus !== "" && focus !== before && !isShade(focus)) return "page";
  }
  if (isShade(await focusOf(phone, signal))) return "lock screen";
  await phone.touch("cmd statusbar expand-notifications", { signal });
  return "notifications";
}

/** Returns the window in front, "com.android.htmlviewer/.HTMLViewerActivity"; "" during a change of windows. */
export async function focusOf(phone: Phone, signal?: AbortSignal): Promise<string> {
  try {
    const output = await phone.run("dumpsys window | grep mCurrentFocus=", { signal });
    return FOCUS.exec(output)?.[2] ?? "";
  } catch (error) {
    if (error instanceof PhoneCommandError) return "";
    throw error;
  }
}

function isShade(focus: string): boolean {
  return /^(NotificationShade|StatusBar|Keyguard)/.test(focus);
}

function pageOf(text: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Shigur</title><body style="margin:0;display:grid;place-content:center;height:100vh;background:#ffe500;color:#000;` +
    `font:700 12vw sans-serif;text-align:center;white-space:pre-line;overflow-wrap:anywhere">${text}</body>
`;
}
