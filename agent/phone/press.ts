/** Touches that send nothing: a dialog's button, the back key, an emptied draft. */
import type { AppAccount } from "./phone.ts";
import type { Point } from "./screen.ts";
import type { HeldPhone } from "./phone_fence.ts";

const BACK = 4;
const DELETE = 67;
const FORWARD_DELETE = 112;
/** A phone takes about ten milliseconds for each key, and a text has up to thousands of them. */
const CLEAR_TIMEOUT_MS = 60_000;

export async function press(phone: HeldPhone, at: Point, signal?: AbortSignal): Promise<void> {
  await phone.touch(`input tap ${at.x} ${at.y}`, { signal });
}

/** Leaves a screen or a dialog without agreeing to anything. */
export async function pressBack(phone: HeldPhone, signal?: AbortSignal): Promise<void> {
  await phone.touch(`input keyevent ${BACK}`, { signal });
}

/** Ends the app with all its dialogs. The app sends its waiting messages when it starts again. */
export async function stopApp(
  phone: HeldPhone,
  { app, user }: AppAccount,
  signal?: AbortSignal,
): Promise<void> {
  await phone.touch(`am force-stop --user ${user} ${app}`, { signal });
}

/**
 * Deletes a draft of `text` from the open chat, so that no person at the phone sends it. The tap puts the cursor
 * anywhere in it, and KEYCODE_MOVE_END only goes to the end of a line. So the draft is deleted in both directions.
 */
export async function clearDraft(
  phone: HeldPhone,
  entry: Point,
  text: string,
  signal?: AbortSignal,
): Promise<void> {
  const deletes = `${DELETE} ${FORWARD_DELETE} `.repeat([...text].length).trimEnd();
  await phone.touch(`input tap ${entry.x} ${entry.y}; input keyevent ${deletes}`, {
    timeoutMs: CLEAR_TIMEOUT_MS,
    signal,
  });
}
