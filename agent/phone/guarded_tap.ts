/** The one tap that sends. The phone itself drops it when it is too late, or when a newer fence is on it. */
import type { TapIntent } from "./tap_intent.ts";
import type { Point } from "./screen.ts";
import type { HeldPhone } from "./phone_fence.ts";

/** `unheard`: no answer came, and the command may still run until its deadline. */
export type TapAnswer = "tapped" | "late" | "unheard";

/** The parts of a journaled intent that the phone itself checks. */
export type TapDeadline = Pick<TapIntent, "bootId" | "deadlineUptime">;

/**
 * Taps `at` if the phone's uptime is below the journaled deadline and it has not restarted since. A command can stay in
 * an adb server for minutes, so only the phone can know that its time is over.
 */
export async function guardedTap(phone: HeldPhone, at: Point, tap: TapDeadline): Promise<TapAnswer> {
  try {
    const answer = (await phone.touch(guarded(`input tap ${at.x} ${at.y} && echo tapped`, tap))).trim();
    return answer === "tapped" || answer === "late" ? answer : "unheard";
  } catch {
    return "unheard";
  }
}

/**
 * Returns whether the phone would let a tap pass. Asks the same condition without any tap.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function askGuard(phone: HeldPhone, tap: TapDeadline): Promise<"open" | "late" | "unheard"> {
  const answer = (await phone.touch(guarded("echo open", tap))).trim();
  return answer === "open" || answer === "late" ? answer : "unheard";
}

function guarded(act: string, tap: TapDeadline): string {
  const command = `read up rest < /proc/uptime; up=\${up%%.*}; if [ "$up" -lt ${tap.deadlineUptime} ] && ` +
    `[ "$(cat /proc/sys/kernel/random/boot_id)" = "${tap.bootId}" ]; then ` +
    `${act}; else echo late; fi`;
  return command;
}
