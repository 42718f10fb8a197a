/** Gives a command that only reads an adb server: the running agent's, or one that lives as long as the command. */
import { type AdbClient, createAdbClient } from "../adb/client.ts";
import { OWN_ADB_SERVER, superviseAdbServer } from "../adb/adb_server.ts";
import { ExitError } from "../exit_error.ts";
import { adbPhone, identifyPhone } from "../phone/adb_phone.ts";
import type { Phone } from "../phone/phone.ts";
import type { CommandContext } from "./command.ts";

const LOOK_MS = 200;
const COMES_UP_MS = 10_000;
/** A new server finds the connected phones within this time. */
const FINDS_PHONES_MS = 3_000;

/**
 * Runs `use` with a server that answers. If none runs, it starts one, and ends it after `use`.
 *
 * @throws {ExitError} when no server answers, or no adb is installed
 */
export async function withAdb<T>(context: CommandContext, use: (adb: AdbClient) => Promise<T>): Promise<T> {
  const { config, clock, stop } = context;
  const { hostname, port } = config.adbServer ?? OWN_ADB_SERVER;
  const adb = createAdbClient({ hostname, port });
  const answers = () => adb.version(stop).then(() => true, () => false);
  if (await answers()) return await use(adb);
  if (config.adbServer) {
    throw new ExitError(
      "unavailable",
      `Cannot read the phones: no adb server answers at ${hostname}:${port}`,
    );
  }
  const ended = new AbortController();
  const server = superviseAdbServer({ clock, log: () => {} }, AbortSignal.any([stop, ended.signal]));
  try {
    await Promise.race([server, untilFound()]);
    if (!await answers()) {
      throw new ExitError(
        "unavailable",
        `Cannot read the phones: the adb server on port ${port} does not start`,
      );
    }
    return await use(adb);
  } finally {
    ended.abort();
    await server.catch(() => {});
  }

  async function untilFound(): Promise<void> {
    const giveUpAt = clock.monotonic() + COMES_UP_MS;
    while (!stop.aborted && clock.monotonic() < giveUpAt && !await answers()) {
      await clock.sleep(LOOK_MS, stop);
    }
    const lookUntil = clock.monotonic() + FINDS_PHONES_MS;
    while (!stop.aborted && clock.monotonic() < lookUntil) {
      const devices = await adb.devices(stop).catch(() => []);
      if (devices.some(({ state }) => state === "device")) return;
      await clock.sleep(LOOK_MS, stop);
    }
  }
}

/** Returns the phone at an address of adb's list, named by its own serial. */
export async function phoneAt(context: CommandContext, adb: AdbClient, address: string): Promise<Phone> {
  const { device } = await identifyPhone(adb, address, context.stop);
  return adbPhone({ adb, clock: context.clock, device, address: () => address });
}
