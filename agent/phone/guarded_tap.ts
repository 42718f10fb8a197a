/** The one tap that sends. The phone itself drops it when it is too late, or when a newer fence is on it. */
import type { TapIntent } from "./tap_intent.ts";
import type { Point } from "./screen.ts";
import type { HeldPhone } from "./phone_fence.ts";

/** `unheard`: no answer came, and the command may still run until its deadline. */
export type TapAnswer = "tapped" | "late" | "unheard";

/**
 * Taps `at` if the phone's uptime is below the journaled deadline and it has not restarted since. A command can stay in
 * an adb server for minutes, so only the phone can know that its time is over.
 */
export async function guardedTap(
  phone: HeldPhone,
  at: Point,
  tap: Pick<TapIntent, "bootId" | "deadlineUptime">,
): Promise<TapAnswer> {
  const command = `read up rest < /proc/uptime; up=\${up%%.*}; if [ "$up" -lt ${tap.deadlineUptime} ] && ` +
    `[ "$(cat /proc/sys/kernel/random/boot_id)" = "${tap.bootId}" ]; then ` +
    `input tap ${at.x} ${at.y} && echo tapped; else echo late; fi`;
  try {
    const answer = (await phone.touch(command)).trim();
    return answer === "tapped" || answer === "late" ? answer : "unheard";
  } catch {
    return "unheard";
  }
}
