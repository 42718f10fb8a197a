/** A phone behind an adb server. */
import type { AdbClient } from "../adb/client.ts";
import type { Clock } from "../clock.ts";
import { type Phone, PhoneCommandError } from "./phone.ts";

const STEP_TIMEOUT_MS = 15_000;
const PUSH_TIMEOUT_MS = 60_000;

export interface AdbPhoneOptions {
  adb: AdbClient;
  clock: Clock;
  device: string;
  /** Where adb finds the phone at the time of each call. */
  address(): string;
  /** A command has come back: the phone lives. */
  onProof?(): void;
}

/** Makes the phone's shell of an adb client; every call is bounded in time. */
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

/** Asks the phone at an address who it is, in lines: serial, model, Android version. */
export async function identifyPhone(
  adb: AdbClient,
  address: string,
  signal?: AbortSignal,
): Promise<{ device: string; model: string; androidVersion: string }> {
  const { stdout } = await adb.shell(
    address,
    "getprop ro.serialno; getprop ro.product.model; getprop ro.build.version.release",
    { timeoutMs: STEP_TIMEOUT_MS, signal },
  );
  const [serial = "", model = "", androidVersion = ""] = stdout.split("\n").map((text) => text.trim());
  return { device: deviceKey(serial || address), model, androidVersion };
}

/** A serial or an address as the protocol allows it in keys. */
export function deviceKey(serial: string): string {
  return serial.replace(/[^A-Za-z0-9._:-]/g, "_").slice(0, 64);
}
