import { DEVICE_STATE_TEXT, DEVICES } from "../../text/admin_devices.ts";
import { formatAge } from "../../text/format.ts";
import type { AdbDevice } from "./get_adb_status.ts";

/** When the phone last answered, in words. */
export function proofText(device: Pick<AdbDevice, "adbConnected" | "proofAt">, now: number): string {
  if (device.proofAt === null) return DEVICES.neverSeen;
  const age = formatAge(now - device.proofAt);
  return device.adbConnected ? DEVICES.proof(age) : DEVICES.lastSeen(age);
}

/** What stands in the phone's way and what to do about it, or undefined. */
export function troubleOf(
  { state, siteConnected }: Pick<AdbDevice, "state" | "siteConnected">,
): { what: string; step: string } | undefined {
  // Of a site that is away nothing is known: its own notice tells that.
  return state === "online" || !siteConnected ? undefined : DEVICE_STATE_TEXT[state];
}

/** The highest risk of the phone's accounts; 0 without any. */
export function riskOf(device: AdbDevice): number {
  return Math.max(0, ...device.accounts.map(({ riskScore }) => riskScore));
}

/** When the phone last sent, or null. */
export function lastActivityOf(device: AdbDevice): number | null {
  const times = device.accounts.map(({ lastActivity }) => lastActivity).filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(...times);
}

/** Whether the site of a phone holds it otherwise than a person asked. */
export function isStopUnsettled(
  { stopped, siteStopped }: { stopped: boolean; siteStopped: boolean | null },
): boolean {
  return siteStopped !== null && siteStopped !== stopped;
}
