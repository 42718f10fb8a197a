/** Small touches that send nothing: a dialog's button, the back key, an emptied draft. */
import type { Phone } from "./phone.ts";
import type { Point } from "./screen.ts";

const BACK = 4;
const MOVE_END = 123;
const DELETE = 67;

/** Presses a button whose meaning is known. */
export async function press(phone: Phone, at: Point, signal?: AbortSignal): Promise<void> {
  await phone.run(`input tap ${at.x} ${at.y}`, { signal });
}

/** Leaves a screen or a dialog without agreeing to anything. */
export async function pressBack(phone: Phone, signal?: AbortSignal): Promise<void> {
  await phone.run(`input keyevent ${BACK}`, { signal });
}

/** Deletes a draft of `text` from the open chat, so that nobody at the phone sends it by hand. */
export async function clearDraft(
  phone: Phone,
  entry: Point,
  text: string,
  signal?: AbortSignal,
): Promise<void> {
  const deletes = `${DELETE} `.repeat([...text].length).trimEnd();
  await phone.run(`input tap ${entry.x} ${entry.y}; input keyevent ${MOVE_END} ${deletes}`, { signal });
}
