import { createAdbClient } from "../adb/client.ts";
import { OWN_ADB_SERVER } from "../adb_server.ts";
import { DevicePool } from "../device_pool.ts";
import type { Command } from "./command.ts";

/** Long enough for a slow phone to answer the questions asked of it at first sight. */
const LOOK_MS = 20_000;

export const accountsCommand: Command = {
  help: `accounts

Lists the messaging accounts found on every phone: account, state, app version, first installed.`,

  async run({ config, clock, log, print, stop }) {
    const ended = new AbortController();
    const signal = AbortSignal.any([stop, ended.signal]);
    const adb = createAdbClient(config.adbServer ?? OWN_ADB_SERVER);
    const expected = (await adb.devices(stop)).filter(({ state }) => state === "device").length;
    const nothing = () => {};
    const pool = new DevicePool({
      adb,
      clock,
      log,
      onDevice: nothing,
      onLost: nothing,
      onChange() {
        if (pool.inventory().devices.filter(({ proofAt }) => proofAt !== null).length >= expected) {
          ended.abort();
        }
      },
    });
    if (expected > 0) await Promise.race([pool.track(signal), clock.sleep(LOOK_MS, signal)]);
    ended.abort();
    for (const { account, state, appVersion, firstInstalledAt } of pool.inventory().accounts) {
      const installed = firstInstalledAt === null
        ? ""
        : new Date(firstInstalledAt).toISOString().slice(0, 10);
      print([account, state, appVersion ?? "", installed].join("\t"));
    }
  },
};
