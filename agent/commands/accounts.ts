import { createAdbClient } from "../adb/client.ts";
import { OWN_ADB_SERVER } from "../adb_server.ts";
import { adbPhone, identifyPhone } from "../phone/adb_phone.ts";
import { discoverAccounts } from "../phone/discover_accounts.ts";
import type { Command } from "./command.ts";

export const accountsCommand: Command = {
  help: `accounts

Lists the messaging accounts found on every phone: account, app version, day of the app's first install.`,

  async run({ config, clock, print, stop }) {
    const adb = createAdbClient(config.adbServer ?? OWN_ADB_SERVER);
    for (const { serial, state } of await adb.devices(stop)) {
      if (state !== "device") continue;
      const { device } = await identifyPhone(adb, serial, stop);
      const phone = adbPhone({ adb, clock, device, address: () => serial });
      for (const { account, appVersion, firstInstalledAt } of await discoverAccounts(phone, stop)) {
        const installed = firstInstalledAt === null
          ? ""
          : new Date(firstInstalledAt).toISOString().slice(0, 10);
        print([account, appVersion ?? "", installed].join("\t"));
      }
    }
  },
};
