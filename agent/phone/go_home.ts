import { type Phone, PhoneCommandError } from "./phone.ts";
import { type HeldPhone, takeTurn } from "./turn.ts";

/**
 * Shows the launcher. Not by the home key: where pressing it twice means something, Android waits for the second press,
 * and the launcher would come over the chat that is opened next. The activity manager does things in turn.
 */
export const GO_HOME = "am start -a android.intent.action.MAIN -c android.intent.category.HOME";

/**
 * Leaves the chat in front: what is answered in an open chat raises no notification, and so is read by nobody. With
 * `held`, a turn in which nothing runs any more, no other is taken while it lasts.
 *
 * @throws {PhoneBusyError} when an earlier command still runs on it
 * @throws {AdbError} when the phone is lost meanwhile
 */
export async function goHome(phone: Phone, held: HeldPhone | null, signal?: AbortSignal): Promise<void> {
  try {
    if (held) return void await held.touch(GO_HOME, { signal });
  } catch (error) {
    // Somebody has had the phone since.
    if (!(error instanceof PhoneCommandError)) throw error;
  }
  await (await takeTurn(phone, signal)).touch(GO_HOME, { signal });
}
