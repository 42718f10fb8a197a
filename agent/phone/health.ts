/** A phone's health by one real round trip: an adb list calls phones "device" that have long stopped answering. */
import type { DeviceState } from "shared/agent_protocol.ts";
import type { Phone } from "./phone.ts";

export interface Health {
  state: Extract<DeviceState, "online" | "booting" | "locked" | "low_battery" | "hot" | "low_storage">;
  batteryPercent: number | null;
  /** The figure or the words behind the state, in English; null when there is nothing to mend. */
  detail: string | null;
}

/** Below this, unplugged, a phone may die between tap and proof. */
const LOW_BATTERY_PERCENT = 10;
/** Batteries are damaged by charging above 45 °C; Android reports tenths. */
const HOT_TENTHS = 450;
const LOW_STORAGE_KB = 200 * 1024;
/** One question that is lost, and the wait for the next, must fit into PROOF_MS of known_phone.ts. */
const TIMEOUT_MS = 8_000;
const GUARDED = "its lock screen stays up while it is awake";
const COMMAND =
  "echo boot=$(getprop sys.boot_completed); dumpsys battery; dumpsys power | grep mWakefulness=; " +
  "dumpsys window | grep -E 'isKeyguardShowing|mDreamingLockscreen'; " +
  "echo user=$(am get-current-user); dumpsys trust | grep deviceLocked=; df /data || true";

/**
 * Asks a phone how it is, and `also` in the same command: each is a connection of its own. `told` is all it answered.
 *
 * @throws {AdbError} when it does not answer
 */
export async function askHealth(
  phone: Phone,
  { also = null, signal }: { also?: string | null; signal?: AbortSignal } = {},
): Promise<{ health: Health; told: string }> {
  const command = also === null ? COMMAND : `${COMMAND}; ${also}`;
  const ask = async () => {
    const told = await phone.run(command, { timeoutMs: TIMEOUT_MS, signal });
    return { health: readHealth(told), told };
  };
  const answer = await ask();
  if (answer.health.detail !== GUARDED) return answer;
  // A phone that stays awake while it charges is woken by no delivery: without a PIN, its lock goes when asked to.
  await phone.run("wm dismiss-keyguard || true", { timeoutMs: TIMEOUT_MS, signal });
  return await ask();
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

/** Why only a person can open the phone, or null. A lock without a PIN is opened by waking the phone. */
function lockOf(output: string): string | null {
  const user = /^user=(\d+)/m.exec(output)?.[1] ?? "0";
  // dumpsys trust tells of a secure lock that is closed, and does so of a phone that sleeps too.
  if (new RegExp(`\\(id=${user}\\b.*deviceLocked=1`).test(output)) {
    return "it wants its PIN, pattern or password";
  }
  const isAwake = /mWakefulness=Awake/.test(output);
  // On a sleeping phone the keyguard is up and means nothing; on an awake one it wants a person.
  const isGuarded = /isKeyguardShowing=true|mDreamingLockscreen=true/.test(output);
  return isAwake && isGuarded ? GUARDED : null;
}
