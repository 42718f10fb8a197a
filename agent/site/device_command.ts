/** The commands of a person at the edge for one phone: restart, stop, start, identify. */
import type { EdgeFrameOf } from "shared/agent_protocol.ts";
import { AdbDisconnectedError, AdbTimeoutError } from "../adb/adb_error.ts";
import { errorText } from "../log.ts";
import type { Phone } from "../phone/phone.ts";
import { showItself, type Shown } from "../phone/show_itself.ts";
import { startDevice, stopDevice } from "./stop_device.ts";
import type { Site } from "./site.ts";

type Command = EdgeFrameOf<"command">;

/** A phone that is not back within this time needs a person to look at it. */
export const RESTART_MS = 180_000;
const LOOK_MS = 2_000;

/** Runs the command and reports its result. Never rejects. */
export async function runDeviceCommand(site: Site, command: Command): Promise<void> {
  let ok = true;
  let detail = "";
  try {
    detail = await run(site, command);
  } catch (error) {
    ok = false;
    detail = errorText(error);
  }
  site.log("info", "command", { kind: command.kind, device: command.device, ok, detail });
  site.send({ type: "commandResult", id: command.id, ok, detail: detail.slice(0, 200) });
  site.inventoryBell.wake();
  site.roomBell.wake();
}

/** Returns a detail for the report, in addition to "done". */
async function run(site: Site, { kind, device }: Command): Promise<string> {
  switch (kind) {
    case "stop":
      stopDevice(site, device);
      return "";
    case "start":
      startDevice(site, device);
      return "";
    case "restart":
      return await restart(site, device);
    case "identify":
      return await identify(site, device);
  }
}

/** Resolves when the phone has restarted and answers. */
async function restart(site: Site, device: string): Promise<string> {
  const { clock, halt, pool } = site;
  const before = await bootOf(phoneOf(site, device));
  // A tap on its way survives this: its command ends with the boot, and the look back finds the result.
  site.book.giveBack({ device }, "device_offline");
  site.reportBell.wake();
  const from = clock.monotonic();
  await reboot(phoneOf(site, device));
  while (!halt.aborted && clock.monotonic() - from < RESTART_MS) {
    await clock.sleep(LOOK_MS, halt);
    const phone = pool.reachable(device);
    const now = phone && await bootOf(phone).catch(() => null);
    if (now && now !== before) return `It is back after ${Math.round((clock.monotonic() - from) / 1_000)} s`;
  }
  if (halt.aborted) throw new Error("The site ended before the phone was back");
  throw new Error(`It did not come back within ${RESTART_MS / 1_000} s: ${pool.deviceState(device)}`);
}

/** Returns the boot id of a phone that has finished booting, or null. */
async function bootOf(phone: Phone): Promise<string | null> {
  const answer = await phone.run("cat /proc/sys/kernel/random/boot_id; getprop sys.boot_completed");
  return /^([0-9a-f-]{36})\s+1\s*$/.exec(answer)?.[1] ?? null;
}

/** A phone that goes down cuts the connection: this is the expected answer. */
async function reboot(phone: Phone): Promise<void> {
  try {
    await phone.run("reboot");
  } catch (error) {
    if (!(error instanceof AdbDisconnectedError || error instanceof AdbTimeoutError)) throw error;
  }
}

const SEEN: Record<Shown, string> = {
  "page": "It shows a bright page",
  "notifications": "It shows its notifications at full brightness: it has no app for pages",
  "lock screen": "Its lock screen is lit at full brightness: it wants its PIN",
};

/** Returns when the phone shows the page. The phone stays occupied until the page is gone. */
async function identify(site: Site, device: string): Promise<string> {
  phoneOf(site, device);
  const { promise, resolve, reject } = Promise.withResolvers<Shown>();
  site.between(device, (phone, signal) => showItself(phone, resolve, signal)).catch(reject);
  return SEEN[await promise];
}

function phoneOf(site: Site, device: string): Phone {
  const phone = site.pool.reachable(device);
  if (!phone) throw new Error(`Cannot reach device "${device}"`);
  return phone;
}
