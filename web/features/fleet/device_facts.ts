import { DEVICE_STATE_TEXT, DEVICES } from "../../text/admin_devices.ts";
import { formatAge } from "../../text/format.ts";
import type { AdbDevice } from "./get_adb_status.ts";

/** Returns the time of the phone's last reply in words. */
export function proofText(device: Pick<AdbDevice, "adbConnected" | "proofAt">, now: number): string {
  if (device.proofAt === null) return DEVICES.neverSeen;
  const age = formatAge(now - device.proofAt);
  return device.adbConnected ? DEVICES.proof(age) : DEVICES.lastSeen(age);
}

/** Returns the phone's problem and its solution, or undefined. */
export function troubleOf(
  { state, siteConnected }: Pick<AdbDevice, "state" | "siteConnected">,
): { what: string; step: string } | undefined {
  // Nothing is known about phones of a disconnected site; its own notice says so.
  return state === "online" || !siteConnected ? undefined : DEVICE_STATE_TEXT[state];
}

/** Returns the highest risk of the phone's accounts; 0 without accounts. */
export function riskOf(device: AdbDevice): number {
  return Math.max(0, ...device.accounts.map(({ riskScore }) => riskScore));
}

/** Returns the time of the phone's last sent message, or null. */
export function lastActivityOf(device: AdbDevice): number | null {
  const times = device.accounts.map(({ lastActivity }) => lastActivity).filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(...times);
}

/** Returns whether the site's state of a phone differs from a person's request. */
export function isStopUnsettled(
  { stopped, siteStopped }: { stopped: boolean; siteStopped: boolean | null },
): boolean {
  return siteStopped !== null && siteStopped !== stopped;
}
