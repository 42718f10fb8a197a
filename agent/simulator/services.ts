import { encodeHexFrame } from "../adb/wire.ts";
import { control } from "./control.ts";
import type { Fleet } from "./fleet.ts";
import type { HostConnection } from "./host_connection.ts";
import type { LieSettings } from "./lies.ts";
import type { HangMs } from "./run_command.ts";
import { parseShellService, serveShell } from "./shell_service.ts";
import { serveSync } from "./sync_service.ts";
import { ignoreKill } from "./system_commands.ts";
import type { VirtualPhone } from "./virtual_phone.ts";

export interface ServiceContext {
  fleet: Fleet;
  lieSettings: LieSettings;
  hangMs: HangMs;
}

// Any other version makes a real adb kill this server and start its own on the port.
const ADB_VERSION = "0029";
// No sendrecv_v2: a client told of it would use SND2, which is not served.
const FEATURES = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir";

/** Serves one client until it is done: host services first, then at most one service of the phone it chose. */
export async function serveConnection(connection: HostConnection, context: ServiceContext): Promise<void> {
  let phone: VirtualPhone | null = null;
  try {
    while (true) {
      const service = await connection.readRequest();
      if (service === null) return;
      const choice = choosePhone(service, context.fleet);
      if (choice) {
        phone = await bindPhone(connection, choice, phone, context.fleet);
        if (!phone) return;
      } else if (phone && !service.startsWith("host:")) {
        return await servePhone(connection, phone, service, context);
      } else if (service === "host:features" && phone) await connection.okayText(FEATURES);
      else return await serveHost(connection, service, context);
    }
  } finally {
    if (phone) context.fleet.unbind(phone, connection);
  }
}

type Refusal = { failure: string };
type Choice = { phone: VirtualPhone | Refusal; answersTransportId: boolean };

/** The phone a transport request names; null for every other request. */
function choosePhone(service: string, fleet: Fleet): Choice | null {
  const match = /^host:(tport:serial|tport:any|transport|transport-id|transport-any)(?::(.*))?$/.exec(
    service,
  );
  if (!match) return null;
  const [, kind = "", argument = ""] = match;
  const answersTransportId = kind.startsWith("tport");
  if (kind === "transport-id") {
    return { phone: findPhone(fleet, { transportId: Number(argument) }), answersTransportId };
  }
  if (kind.endsWith("any")) return { phone: findPhone(fleet, {}), answersTransportId };
  return { phone: findPhone(fleet, { serial: argument }), answersTransportId };
}

async function bindPhone(
  connection: HostConnection,
  { phone, answersTransportId }: Choice,
  previous: VirtualPhone | null,
  fleet: Fleet,
): Promise<VirtualPhone | null> {
  const failure = "failure" in phone ? phone.failure : unreachable(phone);
  if (failure !== null || "failure" in phone) {
    await connection.fail(failure!);
    return null;
  }
  if (previous) fleet.unbind(previous, connection);
  fleet.bind(phone, connection);
  const id = new Uint8Array(8);
  new DataView(id.buffer).setBigUint64(0, BigInt(fleet.transportIdOf(phone)), true);
  await connection.okay(...(answersTransportId ? [id] : []));
  return phone;
}

interface Selector {
  serial?: string;
  transportId?: number;
}

/** A listed phone, or adb's own words for why there is none (AOSP transport.cpp). */
function findPhone(fleet: Fleet, { serial, transportId }: Selector): VirtualPhone | Refusal {
  if (serial !== undefined) {
    const phone = fleet.bySerial(serial);
    return phone && phone.availability !== "unplugged" ? phone : { failure: `device '${serial}' not found` };
  }
  if (transportId !== undefined) {
    return fleet.byTransportId(transportId) ?? { failure: `no device with transport id '${transportId}'` };
  }
  const [phone, second] = fleet.listed();
  if (!phone) return { failure: "no devices/emulators found" };
  return second ? { failure: "more than one device/emulator" } : phone;
}

function unreachable(phone: VirtualPhone): string | null {
  if (phone.availability === "device") return null;
  if (phone.availability === "offline") return "device offline";
  return "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\n" +
    "Otherwise check for a confirmation dialog on your device.";
}

async function servePhone(
  connection: HostConnection,
  phone: VirtualPhone,
  service: string,
  context: ServiceContext,
): Promise<void> {
  const shell = parseShellService(service);
  if (shell) return await serveShell(connection, phone, shell, context.hangMs);
  if (service === "sync:") return await serveSync(connection, phone);
  if (service.startsWith("reboot:")) {
    await connection.okay();
    phone.reboot().catch(ignoreKill);
    return;
  }
  await connection.fail("closed");
}

async function serveHost(
  connection: HostConnection,
  service: string,
  context: ServiceContext,
): Promise<void> {
  const { fleet } = context;
  switch (service) {
    case "host:version":
      return await connection.okayText(ADB_VERSION);
    case "host:devices":
    case "host:devices-l":
      return await connection.okayText(fleet.listText(service.endsWith("-l")));
    case "host:track-devices":
    case "host:track-devices-l":
      return await trackDevices(connection, fleet, service.endsWith("-l"));
    case "host:host-features":
      return await connection.okayText(FEATURES);
    case "host:kill":
      // Said politely and ignored: whoever started the simulator ends it.
      return await connection.okay();
  }
  if (service.startsWith("host:simulate:")) return await serveControl(connection, service, context);
  const selected = /^host(?:-serial:([^:]+)|-transport-id:(\d+)|-usb|-local)?:(.+)$/.exec(service);
  if (!selected) return await connection.fail("unknown host service");
  const [, serial, transportId, query = ""] = selected;
  const selector = { serial, ...(transportId === undefined ? {} : { transportId: Number(transportId) }) };
  await serveQuery(connection, fleet, selector, query);
}

async function serveQuery(
  connection: HostConnection,
  fleet: Fleet,
  selector: Selector,
  query: string,
): Promise<void> {
  const awaited = /^wait-for-(?:any|usb|local)-(\w+)$/.exec(query)?.[1];
  if (awaited) return await waitFor(connection, fleet, selector, awaited);
  const phone = findPhone(fleet, selector);
  if ("failure" in phone) return await connection.fail(phone.failure);
  switch (query) {
    case "features":
      return await (unreachable(phone) === null
        ? connection.okayText(FEATURES)
        : connection.fail(unreachable(phone)!));
    case "get-state":
      return await connection.okayText(phone.availability);
    case "get-serialno":
      return await connection.okayText(phone.serial);
    case "get-devpath":
      return await connection.okayText(`usb:1-${fleet.transportIdOf(phone)}`);
    default:
      return await connection.fail("unknown host service");
  }
}

/** Two OKAYs: heard, and the state has come. */
async function waitFor(
  connection: HostConnection,
  fleet: Fleet,
  selector: Selector,
  state: string,
): Promise<void> {
  await connection.okay();
  const holds = () => {
    const phone = findPhone(fleet, selector);
    if ("failure" in phone) return state === "disconnect";
    return phone.availability === state || state === "any";
  };
  const gone = closedByClient(connection);
  while (!holds()) {
    if ((await Promise.race([fleet.changed(), gone])) === "gone") return;
  }
  await connection.okay();
}

async function trackDevices(connection: HostConnection, fleet: Fleet, isLong: boolean): Promise<void> {
  await connection.okay();
  const gone = closedByClient(connection);
  while (true) {
    const changed = fleet.changed();
    await connection.write(encodeHexFrame(fleet.listText(isLong)));
    if ((await Promise.race([changed, gone])) === "gone") return;
  }
}

/** Resolves when the client closes; nothing it may still say matters. */
async function closedByClient(connection: HostConnection): Promise<"gone"> {
  try {
    while (await connection.reader.readSome());
  } catch {
    // A reset or a close on our side: gone all the same.
  }
  return "gone";
}

async function serveControl(
  connection: HostConnection,
  service: string,
  context: ServiceContext,
): Promise<void> {
  try {
    control(context.fleet, context.lieSettings, service.slice("host:simulate:".length));
    await connection.okayText("");
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    await connection.fail(error.message);
  }
}
