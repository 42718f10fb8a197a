/** What a person at the edge may ask of one phone: restart, stop, start, identify. */
import type { EdgeFrame } from "shared/agent_protocol.ts";
import { AdbDisconnectedError, AdbTimeoutError } from "./adb/adb_error.ts";
import { errorText } from "./log.ts";
import type { Phone } from "./phone/phone.ts";
import type { Site } from "./worker.ts";

type Command = Extract<EdgeFrame, { type: "command" }>;

/** Does what was asked and says how it went; never rejects. */
export async function runDeviceCommand(site: Site, command: Command): Promise<void> {
  let ok = true;
  let detail = "";
  try {
    await run(site, command);
  } catch (error) {
    ok = false;
    detail = errorText(error).slice(0, 200);
  }
  site.log("info", "command", { kind: command.kind, device: command.device, ok });
  site.say({ type: "commandResult", id: command.id, ok, detail });
  site.inventoryBell.ring();
  site.roomBell.ring();
}

async function run(site: Site, { kind, device }: Command): Promise<void> {
  switch (kind) {
    case "stop":
      site.journal.setStopped(device, true);
      site.book.giveBack({ device }, "recalled");
      return site.reportBell.ring();
    case "start":
      site.journal.setStopped(device, false);
      return site.pool.started(device);
    case "restart":
      // A tap on its way survives this: its command dies with the boot, and the look back finds out.
      site.book.giveBack({ device }, "device_offline");
      site.reportBell.ring();
      return await reboot(phoneOf(site, device));
    case "identify":
      await phoneOf(site, device).run(
        "input keyevent 224; cmd notification post -S bigtext -t Shigur shigur-identify Shigur",
      );
  }
}

/** A phone that goes down takes the connection with it: that is the answer. */
async function reboot(phone: Phone): Promise<void> {
  try {
    await phone.run("reboot");
  } catch (error) {
    if (!(error instanceof AdbDisconnectedError || error instanceof AdbTimeoutError)) throw error;
  }
}

function phoneOf(site: Site, device: string): Phone {
  const phone = site.pool.reachable(device);
  if (!phone) throw new Error(`Cannot reach device "${device}"`);
  return phone;
}
