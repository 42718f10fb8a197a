import { type Phone, PhoneCommandError } from "./phone.ts";
import { type HeldPhone, takePhoneFence } from "./phone_fence.ts";

/**
 * Shows the launcher, but not with the home key. Where two presses have a meaning, Android waits for the second one,
 * and the launcher would cover the next chat. The activity manager works in order.
 */
export const GO_HOME = "am start -a android.intent.action.MAIN -c android.intent.category.HOME";

/**
 * Leaves the chat in front: a reply in an open chat raises no notification, so the agent cannot read it. Nothing
 * runs under the fence of `held`; it is used again while it lasts.
 *
 * @throws {PhoneBusyError} when an earlier command still runs on it
 * @throws {AdbError} when the phone is lost in the meantime
 */
export async function goHome(phone: Phone, held: HeldPhone | null, signal?: AbortSignal): Promise<void> {
  try {
    if (held) return void await held.touch(GO_HOME, { signal });
  } catch (error) {
    // Another fence was put on the phone since then.
    if (!(error instanceof PhoneCommandError)) throw error;
  }
  await (await takePhoneFence(phone, signal)).touch(GO_HOME, { signal });
}
