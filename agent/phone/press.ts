/** Small touches that send nothing: a dialog's button, the back key, an emptied draft. */
import type { AppAccount } from "./phone.ts";
import type { Point } from "./screen.ts";
import type { HeldPhone } from "./turn.ts";

const BACK = 4;
const MOVE_END = 123;
const DELETE = 67;

/** Presses a button whose meaning is known. */
export async function press(phone: HeldPhone, at: Point, signal?: AbortSignal): Promise<void> {
  await phone.touch(`input tap ${at.x} ${at.y}`, { signal });
}

/** Leaves a screen or a dialog without agreeing to anything. */
export async function pressBack(phone: HeldPhone, signal?: AbortSignal): Promise<void> {
  await phone.touch(`input keyevent ${BACK}`, { signal });
}

/** Ends the app with all its dialogs; what it has yet to send, it sends when it is started again. */
export async function stopApp(
  phone: HeldPhone,
  { app, user }: AppAccount,
  signal?: AbortSignal,
): Promise<void> {
  await phone.touch(`am force-stop --user ${user} ${app}`, { signal });
}

/** Deletes a draft of `text` from the open chat, so that nobody at the phone sends it by hand. */
export async function clearDraft(
  phone: HeldPhone,
  entry: Point,
  text: string,
  signal?: AbortSignal,
): Promise<void> {
  const deletes = `${DELETE} `.repeat([...text].length).trimEnd();
  await phone.touch(`input tap ${entry.x} ${entry.y}; input keyevent ${MOVE_END} ${deletes}`, { signal });
}
