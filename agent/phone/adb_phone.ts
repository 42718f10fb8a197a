/** A phone that is reached through an adb server. */
import type { AdbClient } from "../adb/client.ts";
import type { Clock } from "../time/clock.ts";
import { type Phone, PhoneCommandError } from "./phone.ts";

const STEP_TIMEOUT_MS = 15_000;
const PUSH_TIMEOUT_MS = 60_000;
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

export interface AdbPhoneOptions {
  adb: AdbClient;
  clock: Clock;
  device: string;
  /** The address at which adb finds the phone at the time of each call. */
  address(): string;
  /** Called when a command has returned: the phone lives. */
  onProof?(): void;
}

/** Makes a phone's shell from an adb client. Every call has a time limit. */
export function adbPhone({ adb, clock, device, address, onProof }: AdbPhoneOptions): Phone {
  return {
    device,
    clock,
    async run(command, { timeoutMs = STEP_TIMEOUT_MS, signal } = {}) {
      const { stdout, exitCode } = await adb.shell(address(), command, { timeoutMs, signal });
      onProof?.();
      if (exitCode !== 0) throw new PhoneCommandError(command, exitCode, stdout);
      return stdout;
    },
    push: (bytes, path) => adb.push(address(), bytes, path, { timeoutMs: PUSH_TIMEOUT_MS }),
  };
}

export interface PhoneIdentity {
  device: string;
  model: string;
  androidVersion: string;
  /** Id of this boot; "" when the phone gives none. */
  bootId: string;
}

/** Asks the phone at an address for its identity, in lines: serial, model, Android version, boot. */
export async function identifyPhone(
  adb: AdbClient,
  address: string,
  signal?: AbortSignal,
): Promise<PhoneIdentity> {
  const { stdout } = await adb.shell(
    address,
    `getprop ro.serialno; getprop ro.product.model; getprop ro.build.version.release; cat ${BOOT_ID}`,
    { timeoutMs: STEP_TIMEOUT_MS, signal },
  );
  const [serial = "", model = "", androidVersion = "", bootId = ""] = stdout.split("\n").map((text) =>
    text.trim()
  );
  return { device: deviceKey(serial || address), model, androidVersion, bootId };
}

/** Returns the boot id of the phone at an address. Two boots at the same time are two phones. */
export async function askBootId(adb: AdbClient, address: string, signal?: AbortSignal): Promise<string> {
  const { stdout } = await adb.shell(address, `cat ${BOOT_ID}`, { timeoutMs: STEP_TIMEOUT_MS, signal });
  return stdout.trim();
}

/** Returns a serial or an address in the form that the protocol allows in keys. */
export function deviceKey(serial: string): string {
  return serial.replace(/[^A-Za-z0-9._:-]/g, "_").slice(0, 64);
}
