/** Measures a phone's health by one real round trip: adb lists phones as "device" long after they stop answering. */
import type { DeviceState } from "shared/agent_protocol.ts";
import type { Phone } from "./phone.ts";

export interface Health {
  state: Extract<DeviceState, "online" | "booting" | "locked" | "low_battery" | "hot" | "low_storage">;
  batteryPercent: number | null;
  /** The figure or the words that explain the state, in English. Null when nothing needs repair. */
  detail: string | null;
}

/** Below this, without a charger, a phone may die between tap and proof. */
const LOW_BATTERY_PERCENT = 10;
/** Batteries are damaged by charging above 45 °C; Android reports tenths. */
const HOT_TENTHS = 450;
const LOW_STORAGE_KB = 200 * 1024;
/** One lost question, and the wait for the next, must fit into PROOF_MS of known_phone.ts. */
const TIMEOUT_MS = 8_000;
const GUARDED = "its lock screen stays up while it is awake";
const COMMAND =
  "echo boot=$(getprop sys.boot_completed); dumpsys battery; dumpsys power | grep mWakefulness=; " +
  "dumpsys window | grep -E 'isKeyguardShowing|mDreamingLockscreen'; " +
  "echo user=$(am get-current-user); dumpsys trust | grep deviceLocked=; df /data || true";

/**
 * Asks a phone for its health, and runs `also` in the same command, because each command is a connection. `told` is the
 * whole output.
 *
 * @throws {AdbError} when it does not answer
 */
export async function askHealth(
  phone: Phone,
  { also = null, signal }: { also?: string | null; signal?: AbortSignal } = {},
): Promise<{ health: Health; output: string }> {
  const command = also === null ? COMMAND : `${COMMAND}; ${also}`;
  const ask = async () => {
    const output = await phone.run(command, { timeoutMs: TIMEOUT_MS, signal });
    return { health: readHealth(output), output };
  };
  const answer = await ask();
  if (answer.health.detail !== GUARDED) return answer;
  // No delivery wakes a phone that stays awake while it charges, so open its lock here. This works without a PIN.
  await phone.run("wm dismiss-keyguard || true", { timeoutMs: TIMEOUT_MS, signal });
  return await ask();
}

/** Reads the answer. A missing value counts as fine. */
export function readHealth(output: string): Health {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(output)?.[1];
    return found === undefined ? null : Number(found);
  };
  const level = number(/^\s*level: (\d+)/m);
  const batteryPercent = level === null ? null : Math.min(level, 100);
  const isPlugged = /^\s*(AC|USB|Wireless|Dock) powered: true/m.test(output);
  const tenths = number(/^\s*temperature: (\d+)/m) ?? 0;
  const freeKb = number(/^\S+\s+\d+\s+\d+\s+(\d+)\s+\d+%\s+\/data/m);
  const is = (state: Health["state"], detail: string | null) => ({ state, batteryPercent, detail });

  if (!/boot=1/.test(output)) return is("booting", "the boot is not completed");
  const lock = lockOf(output);
  if (lock) return is("locked", lock);
  if (tenths > HOT_TENTHS) return is("hot", `battery at ${(tenths / 10).toFixed(1)} °C`);
  if (batteryPercent !== null && batteryPercent <= LOW_BATTERY_PERCENT && !isPlugged) {
    return is("low_battery", `battery at ${batteryPercent} %, not charging`);
  }
  if (freeKb !== null && freeKb < LOW_STORAGE_KB) {
    return is("low_storage", `${Math.floor(freeKb / 1024)} MB free on /data`);
  }
  return is("online", null);
}

/** Returns why only a person can open the phone, or null. Waking the phone opens a lock without a PIN. */
function lockOf(output: string): string | null {
  const user = /^user=(\d+)/m.exec(output)?.[1] ?? "0";
  // dumpsys trust shows a closed secure lock, also while the phone sleeps.
  if (new RegExp(`\\(id=${user}\\b.*deviceLocked=1`).test(output)) {
    return "it wants its PIN, pattern or password";
  }
  const isAwake = /mWakefulness=Awake/.test(output);
  // On a sleeping phone the keyguard is always up. On an awake one it needs a person.
  const isGuarded = /isKeyguardShowing=true|mDreamingLockscreen=true/.test(output);
  return isAwake && isGuarded ? GUARDED : null;
}
