import { createAdbClient } from "../adb/client.ts";
import { OWN_ADB_SERVER } from "../adb_server.ts";
import type { Command } from "./command.ts";

export const devicesCommand: Command = {
  help: `devices

Lists the phones the adb server sees: address, state, model.`,

  async run({ config, print, stop }) {
    const devices = await createAdbClient(config.adbServer ?? OWN_ADB_SERVER).devices(stop);
    for (const { serial, state, model } of devices) print([serial, state, model ?? ""].join("\t"));
  },
};
