import { appName } from "../../text/admin_devices.ts";
import { MEDIUM_RISK } from "../../ui/risk_score.tsx";
import { riskOf } from "./device_facts.ts";
import type { AdbDevice } from "./get_adb_status.ts";

export const DEVICE_SEGMENTS = ["all", "online", "offline", "risk"] as const;
export type DeviceSegment = typeof DEVICE_SEGMENTS[number];

/** Returns the devices of a segment with the words in their name, address, site or accounts. */
export function filterDevices(
  devices: readonly AdbDevice[],
  segment: DeviceSegment,
  search: string,
): AdbDevice[] {
  const words = search.trim().toLowerCase();
  return devices.filter((device) =>
    isIn(device, segment) && (words === "" || searchTextOf(device).includes(words))
  );
}

function isIn(device: AdbDevice, segment: DeviceSegment): boolean {
  if (segment === "online") return device.adbConnected;
  if (segment === "offline") return !device.adbConnected;
  return segment === "all" || riskOf(device) >= MEDIUM_RISK;
}

function searchTextOf({ name, address, site, accounts }: AdbDevice): string {
  const labels = accounts.map(({ account, label }) => `${label} ${account} ${appName(account)}`);
  return [name, address, site, ...labels].join("\n").toLowerCase();
}
