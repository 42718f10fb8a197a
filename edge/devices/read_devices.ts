/** Reads every phone of every site with its accounts, for the screens of devices, risk and dashboard. */
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { readBatch } from "../db/write_batch.ts";
import { capacityArgs } from "../health/capacity.ts";
import { statement } from "../db/statement.ts";
import { ACCOUNT_FIELDS, accountNow, selectAccounts } from "./account_now.ts";
import { DEVICE_FIELDS, type DeviceNow, deviceNow, deviceStanding, selectDevices } from "./device_now.ts";

const WHICH = "s.revoked = 0 AND (:device IS NULL OR d.id = :device)";
const DEVICES = selectDevices(WHICH);
const ACCOUNTS = selectAccounts(WHICH);

/** Returns all devices, grouped by site, or only the one with `deviceId`. Leaves out devices of revoked sites. */
export async function readDevices(ctx: EdgeContext, deviceId: number | null = null): Promise<DeviceNow[]> {
  const now = ctx.now();
  const args = { device: deviceId, ...capacityArgs(now) };
  const found = await readBatch(ctx.db, {
    devices: statement(DEVICES, args),
    accounts: statement(ACCOUNTS, args),
  });
  const rows = rowsAs(found.devices, DEVICE_FIELDS);
  const devices = new Map(rows.map((row) => [row.id, deviceNow(row, now)]));
  for (const row of rowsAs(found.accounts, ACCOUNT_FIELDS)) {
    const device = devices.get(row.device);
    if (device === undefined) continue;
    const account = accountNow(row, now);
    device.held += account.held;
    device.accounts.push(account);
  }
  for (const { id, siteHalted } of rows) {
    const device = devices.get(id)!;
    device.standing = deviceStanding(device, siteHalted);
  }
  return [...devices.values()];
}
