/** A phone's health by one real round trip: an adb list calls phones "device" that have long stopped answering. */
import type { DeviceState } from "shared/agent_protocol.ts";
import type { Phone } from "./phone.ts";

export interface Health {
  state: Extract<DeviceState, "online" | "booting" | "locked" | "low_battery" | "hot" | "low_storage">;
  batteryPercent: number | null;
}

/** Below this, unplugged, a phone may die between tap and proof. */
const LOW_BATTERY_PERCENT = 10;
/** Batteries are damaged by charging above 45 °C; Android reports tenths. */
const HOT_TENTHS = 450;
const LOW_STORAGE_KB = 200 * 1024;
const TIMEOUT_MS = 8_000;
const COMMAND =
  "echo boot=$(getprop sys.boot_completed); dumpsys battery; dumpsys power | grep mWakefulness=; " +
  "dumpsys window | grep -E 'isKeyguardShowing|mDreamingLockscreen'; df /data || true";

/**
 * Asks a phone how it is.
 *
 * @throws {AdbError} when it does not answer
 */
export async function askHealth(phone: Phone, signal?: AbortSignal): Promise<Health> {
  return readHealth(await phone.run(COMMAND, { timeoutMs: TIMEOUT_MS, signal }));
}

/** Reads the answer; what a phone does not say is taken for fine. */
export function readHealth(output: string): Health {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(output)?.[1];
    return found === undefined ? null : Number(found);
  };
  const level = number(/^\s*level: (\d+)/m);
  const batteryPercent = level === null ? null : Math.min(level, 100);
  const isPlugged = /^\s*(AC|USB|Wireless|Dock) powered: true/m.test(output);
  const isAwake = /mWakefulness=Awake/.test(output);
  // On a sleeping phone the keyguard is up and means nothing; on an awake one it wants a PIN.
  const isGuarded = /isKeyguardShowing=true|mDreamingLockscreen=true/.test(output);
  const freeKb = number(/^\S+\s+\d+\s+\d+\s+(\d+)\s+\d+%\s+\/data/m);
  const state = !/boot=1/.test(output)
    ? "booting"
    : isAwake && isGuarded
    ? "locked"
    : (number(/^\s*temperature: (\d+)/m) ?? 0) > HOT_TENTHS
    ? "hot"
    : batteryPercent !== null && batteryPercent <= LOW_BATTERY_PERCENT && !isPlugged
    ? "low_battery"
    : freeKb !== null && freeKb < LOW_STORAGE_KB
    ? "low_storage"
    : "online";
  return { state, batteryPercent };
}
