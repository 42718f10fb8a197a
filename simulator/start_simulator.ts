import type { Clock } from "../agent/time/clock.ts";
import { acceptAll } from "./adb_server/accept_all.ts";
import { AdbdPort } from "./adb_server/adbd_port.ts";
import { SimulatorClock } from "./phone/clock.ts";
import { Fleet } from "./adb_server/fleet.ts";
import { HostConnection } from "./adb_server/host_connection.ts";
import { isLeaving } from "./adb_server/leaving.ts";
import { createLiar, type LieName, type LieRates } from "./phone/lies.ts";
import { serveConnection } from "./adb_server/services.ts";
import { type PlayedScreen, ScreenPlayer } from "./phone/screen_player.ts";
import { openTapLog } from "./phone/tap_log.ts";
import { type PhoneTraits, traitsOf } from "./phone/traits.ts";
import { type HangMs, VirtualPhone } from "./phone/virtual_phone.ts";

export interface SimulatorOptions {
  /** @default {"127.0.0.1"} */
  hostname?: string;
  /** 0 takes any free port. @default {0} */
  port?: number;
  /** The number of network addresses of each phone, to which a real adb server can connect. @default {0} */
  adbdPorts?: number;
  /** Number of phones: SIM0001, SIM0002, … */
  devices: number;
  /** Factor by which they are faster than a real phone; Infinity does not wait at all. @default {10} */
  speed?: number;
  /** 0–1: how often phones lie, see LIES. @default {0} */
  faults?: number;
  /** Rates of single lies, not scaled by `faults`. */
  lies?: LieRates;
  /** Called at every lie. */
  onLie?: (serial: string, lie: LieName) => void;
  /** How long a command that hangs waits, in real ms. @default {{ min: 1_000, max: 30_000 }} */
  hangMs?: HangMs;
  /** Runs with the same seed have the same phones and the same random choices. @default {"shigur"} */
  seed?: string;
  /** File with every accepted tap on send, one JSON line each. Chats are rebuilt from it. */
  tapLogPath: string;
  /**
   * False = a tap does not wait for the disk. Use it where the phones' time does not stop during a sync. @default
   * {true}
   */
  syncsTaps?: boolean;
  /** Changes single traits of the phone at an index. */
  traits?: (index: number) => Partial<PhoneTraits>;
  /** Screens of a recording, which the first phone shows in place of its own. */
  plays?: readonly PlayedScreen[];
  /** ms since 1970. Uptime, ticks and screen timeouts use it too. @default {Date.now} */
  now?: () => number;
  /** Waits for ms of `now`'s time. @default {systemClock.sleep} */
  sleep?: Clock["sleep"];
  log?: (message: string) => void;
}

export interface Simulator {
  readonly port: number;
  readonly phones: readonly VirtualPhone[];
  /** For each phone, the ports of its own adbd. */
  readonly adbd: readonly (readonly AdbdPort[])[];
  /** Ends every connection and wait. Resolves when no part of the simulator still runs. */
  shutdown(): Promise<void>;
}

/** Starts an ADB server with virtual phones. @throws RangeError on invalid options, and as Deno.listen does */
export function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { devices, speed = 10, faults = 0, seed = "shigur", now = Date.now, log = () => {} } = options;
  if (!Number.isInteger(devices) || devices < 0) throw new RangeError(`Cannot simulate ${devices} devices`);
  if (!(speed > 0)) throw new RangeError(`Cannot simulate at speed ${speed}: it must be above 0`);
  if (!(faults >= 0 && faults <= 1)) {
    throw new RangeError(`Cannot simulate with faults ${faults}: it must be 0 to 1`);
  }

  const clock = new SimulatorClock(speed, now, options.sleep);
  const tapLog = openTapLog(options.tapLogPath, { syncs: options.syncsTaps });
  const fleet = new Fleet();
  const lieSettings = { faults, lies: options.lies ?? {}, onLie: options.onLie };
  const hangMs = options.hangMs ?? DEFAULT_HANG_MS;
  for (let index = 0; index < devices; index++) {
    const traits = { ...traitsOf(index, seed, now()), ...options.traits?.(index) };
    const liar = createLiar(lieSettings, seed, traits.serial);
    const onAvailability = (phone: VirtualPhone) => {
      fleet.onAvailability(phone);
      for (const port of adbd[index] ?? []) port.onAvailability();
    };
    fleet.add(new VirtualPhone(traits, { clock, liar, hangMs, tapLog, onAvailability }));
  }
  if (options.plays && fleet.phones[0]) fleet.phones[0].player = new ScreenPlayer(options.plays);
  for (const tap of tapLog.earlier) fleet.bySerial(tap.serial)?.findAccount(tap.account)?.addTap(tap);

  const listener = Deno.listen({ hostname: options.hostname ?? "127.0.0.1", port: options.port ?? 0 });
  const adbd = fleet.phones.map((phone) =>
    Array.from({ length: options.adbdPorts ?? 0 }, () => new AdbdPort(phone, log))
  );
  const connections = new Set<HostConnection>();
  const serving = new Set<Promise<void>>();
  const accepting = acceptAll(listener, (conn) => {
    const connection = new HostConnection(conn);
    connections.add(connection);
    const served = serveQuietly(connection, { fleet, lieSettings }, log);
    serving.add(served);
    served.finally(() => {
      connections.delete(connection);
      serving.delete(served);
    });
  });
  return Promise.resolve({
    port: listener.addr.port,
    phones: fleet.phones,
    adbd,
    async shutdown() {
      listener.close();
      clock.stop();
      for (const connection of connections) connection.close();
      await Promise.all(adbd.flat().map((port) => port.shutdown()));
      await accepting;
      await Promise.all(serving);
      tapLog.close();
    },
  });
}

const DEFAULT_HANG_MS: HangMs = { min: 1_000, max: 30_000 };

async function serveQuietly(
  connection: HostConnection,
  context: Parameters<typeof serveConnection>[1],
  log: (message: string) => void,
): Promise<void> {
  try {
    await serveConnection(connection, context);
  } catch (error) {
    if (!isLeaving(error)) log(`Connection ended: ${error instanceof Error ? error.message : error}`);
  } finally {
    connection.close();
  }
}
