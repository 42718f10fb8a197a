import type { AdbStatus } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { AccountNow } from "./account_now.ts";
import type { DeviceNow } from "./device_now.ts";
import { readDevices } from "./read_devices.ts";

/**
 * Returns every phone of every site with its accounts. Connected = a command returned from it within 30 seconds;
 * message counts are for today in Israel.
 */
export async function readAdbStatus(ctx: EdgeContext): Promise<AdbStatus> {
  const devices = (await readDevices(ctx)).map(viewDevice);
  const online = devices.filter((device) => device.adbConnected).length;
  return { devices, summary: { total: devices.length, online, offline: devices.length - online } };
}

function viewDevice(device: DeviceNow): AdbStatus["devices"][number] {
  return {
    id: device.id,
    address: device.address,
    name: device.name,
    site: device.site.name,
    siteId: device.site.id,
    siteConnected: device.site.isConnected,
    state: device.state,
    stateSince: device.stateSince,
    adbConnected: device.isConnected,
    proofAt: device.proofAt,
    batteryPercent: device.batteryPercent,
    stopped: device.isStopped,
    siteStopped: device.isSiteStopped,
    messagesToday: device.usedToday,
    capPerDay: device.capPerDay,
    leftToday: device.leftToday,
    leftNow: device.leftNow,
    standing: device.standing,
    held: device.held,
    accounts: device.accounts.map(viewAccount),
  };
}

/** Converts an account for every list of accounts. */
export function viewAccount(account: AccountNow): AdbStatus["devices"][number]["accounts"][number] {
  return {
    id: account.id,
    account: account.name,
    label: account.label,
    confirmed: account.isConfirmed,
    status: account.mark,
    messagesCount: account.usedToday,
    capPerDay: account.capPerDay,
    leftToday: account.leftToday,
    standing: account.standing,
    riskScore: account.risk.score,
    note: account.note,
    whatsappVersion: account.appVersion,
    lastActivity: account.lastSentAt,
  };
}
