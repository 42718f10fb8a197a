import type { Command } from "./command.ts";
import { withAdb } from "./with_adb.ts";

export const devicesCommand: Command = {
  options: { json: { type: "boolean" } },

  async run(context) {
    const devices = await withAdb(context, (adb) => adb.devices(context.stop));
    if (context.options.json) return context.print(JSON.stringify(devices));
    if (devices.length === 0) context.print("No phone is plugged in.");
    for (const { serial, state, model } of devices) context.print([serial, state, model ?? ""].join("\t"));
  },
};
