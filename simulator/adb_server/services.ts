import { encodeHexFrame } from "../../agent/adb/wire.ts";
import { control } from "./control.ts";
import type { Fleet, Port } from "./fleet.ts";
import type { HostConnection, PhoneConnection } from "./host_connection.ts";
import type { LieSettings } from "../phone/lies.ts";
import { parseShellService, serveShell } from "./shell_service.ts";
import { serveSync } from "./sync_service.ts";
import { ignoreKill } from "../shell/system_commands.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";

export interface ServiceContext {
  fleet: Fleet;
  lieSettings: LieSettings;
}

// Any other version makes a real adb kill this server and start its own on the port.
const ADB_VERSION = "0029";
// Without sendrecv_v2: a client that sees it would use SND2, which is not served.
export const FEATURES = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir";

/** Serves one client until it is done: first host services, then at most one service of the phone it chose. */
export async function serveConnection(connection: HostConnection, context: ServiceContext): Promise<void> {
  let port: Port | null = null;
  try {
    while (true) {
      const service = await connection.readRequest();
      if (service === null) return;
      const choice = choosePort(service, context.fleet);
      if (choice) {
        port = await bindPort(connection, choice, port, context.fleet);
        if (!port) return;
      } else if (port && !service.startsWith("host:")) {
        return await servePhone(connection, port.phone, service);
      } else if (service === "host:features" && port) await connection.okayText(FEATURES);
      else return await serveHost(connection, service, context);
    }
  } finally {
    if (port) context.fleet.unbind(port, connection);
  }
}

type Refusal = { failure: string };
type Choice = { port: Port | Refusal; answersTransportId: boolean };

/** Returns the path to the phone that a transport request names, or null for every other request. */
function choosePort(service: string, fleet: Fleet): Choice | null {
  const match = /^host:(tport:serial|tport:any|transport|transport-id|transport-any)(?::(.*))?$/.exec(
    service,
  );
  if (!match) return null;
  const [, kind = "", argument = ""] = match;
  const answersTransportId = kind.startsWith("tport");
  if (kind === "transport-id") {
    return { port: findPort(fleet, { transportId: Number(argument) }), answersTransportId };
  }
  if (kind.endsWith("any")) return { port: findPort(fleet, {}), answersTransportId };
  return { port: findPort(fleet, { serial: argument }), answersTransportId };
}

async function bindPort(
  connection: HostConnection,
  { port, answersTransportId }: Choice,
  previous: Port | null,
  fleet: Fleet,
): Promise<Port | null> {
  const failure = "failure" in port ? port.failure : unreachable(port);
  if (failure !== null || "failure" in port) {
    await connection.fail(failure!);
    return null;
  }
  if (previous) fleet.unbind(previous, connection);
  fleet.bind(port, connection);
  const id = new Uint8Array(8);
  new DataView(id.buffer).setBigUint64(0, BigInt(fleet.transportIdOf(port)), true);
  await connection.okay(...(answersTransportId ? [id] : []));
  return port;
}

interface Selector {
  serial?: string;
  transportId?: number;
}

/** Returns a listed phone, or adb's own words for its absence (AOSP transport.cpp). */
function findPort(fleet: Fleet, { serial, transportId }: Selector): Port | Refusal {
  if (serial !== undefined) {
    return fleet.byAddress(serial) ?? { failure: `device '${serial}' not found` };
  }
  if (transportId !== undefined) {
    return fleet.byTransportId(transportId) ?? { failure: `no device with transport id '${transportId}'` };
  }
  const [port, second] = fleet.listed();
  if (!port) return { failure: "no devices/emulators found" };
  return second ? { failure: "more than one device/emulator" } : port;
}

function unreachable(port: Port): string | null {
  if (port.availability === "device") return null;
  if (port.availability === "offline") return "device offline";
  return "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\n" +
    "Otherwise check for a confirmation dialog on your device.";
}

/** Serves the services of adbd on the phone, over any carrier. */
export async function servePhone(
  connection: PhoneConnection,
  phone: VirtualPhone,
  service: string,
): Promise<void> {
  const shell = parseShellService(service);
  if (shell) return await serveShell(connection, phone, shell);
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
      // Accepted and ignored: only the program that started the simulator ends it.
      return await connection.okay();
  }
  const connecting = /^host:connect:(.+)$/.exec(service);
  if (connecting) return await connection.okayText(fleet.connect(connecting[1]!));
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
  const port = findPort(fleet, selector);
  if ("failure" in port) return await connection.fail(port.failure);
  switch (query) {
    case "features":
      return await (unreachable(port) === null
        ? connection.okayText(FEATURES)
        : connection.fail(unreachable(port)!));
    case "get-state":
      return await connection.okayText(port.availability);
    case "get-serialno":
      return await connection.okayText(port.address);
    case "get-devpath":
      return await connection.okayText(`usb:1-${fleet.transportIdOf(port)}`);
    default:
      return await connection.fail("unknown host service");
  }
}

/** Sends two OKAYs: one for the request, one when the state has come. */
async function waitFor(
  connection: HostConnection,
  fleet: Fleet,
  selector: Selector,
  state: string,
): Promise<void> {
  await connection.okay();
  const holds = () => {
    const port = findPort(fleet, selector);
    if ("failure" in port) return state === "disconnect";
    return port.availability === state || state === "any";
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

/** Resolves when the client closes. Its further data does not matter. */
async function closedByClient(connection: HostConnection): Promise<"gone"> {
  try {
    while (await connection.reader.readSome());
  } catch {
    // A reset by the client or a close on our side: both end the connection.
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
