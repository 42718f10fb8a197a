import type { AdbDevice } from "./get_adb_status.ts";

export interface SiteGroup {
  siteId: number;
  site: string;
  isConnected: boolean;
  /** Messages held by a disconnected site; they wait for its return. */
  waiting: number;
  devices: AdbDevice[];
}

/** Returns devices grouped by site, both in their given order. */
export function groupBySite(devices: readonly AdbDevice[]): SiteGroup[] {
  const groups = new Map<number, SiteGroup>();
  for (const device of devices) {
    const { siteId, site, siteConnected } = device;
    const group = groups.get(siteId) ?? { siteId, site, isConnected: siteConnected, waiting: 0, devices: [] };
    group.devices.push(device);
    if (!siteConnected) group.waiting += device.held;
    groups.set(siteId, group);
  }
  return [...groups.values()];
}
