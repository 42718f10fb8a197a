/** The one tap that sends. It dies on the phone itself when it comes too late or out of turn. */
import type { TapIntent } from "./tap_intent.ts";
import type { Point } from "./screen.ts";
import type { HeldPhone } from "./turn.ts";

/** `unheard`: the command may still run until its deadline. */
export type TapAnswer = "tapped" | "late" | "unheard";

/**
 * Taps `at` if the phone's uptime is below the journaled deadline and it has not been restarted since.
 * A command can linger in an adb server for minutes; only the phone can tell that its time is over.
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
