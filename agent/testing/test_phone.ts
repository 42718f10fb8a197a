/** One simulated phone on a real socket, with its own time, and an agent's access to it. */
import { createAdbClient } from "../adb/client.ts";
import type { DeliveryGate } from "../delivery/deliver.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import { adbPhone } from "../phone/adb_phone.ts";
import type { AppAccount, Phone } from "../phone/phone.ts";
import type { LieName } from "../../simulator/phone/lies.ts";
import { type SimulatorOptions, startSimulator } from "../../simulator/start_simulator.ts";
import type { PhoneTraits } from "../../simulator/phone/traits.ts";
import type { Tap } from "../../simulator/phone/tap_log.ts";
import { steadyAdb, steadyClock } from "./steady_clock.ts";
import { tempFolder } from "./temp_folder.ts";

export const ACCOUNT: AppAccount = { device: "SIM0001", app: "com.whatsapp", user: 0 };

/** Longer than any command takes that does not hang. */
const IMPATIENT_MS = 1_500;

/** Starts a phone. Rates that are put into `lies` later apply from then on. */
export async function startTestPhone(
  traits: Partial<PhoneTraits> = {},
  options: Partial<SimulatorOptions> = {},
) {
  const clock = steadyClock();
  const lies: Partial<Record<LieName, number>> = {};
  const once = new Set<LieName>();
  const tapLogPath = `${await tempFolder()}/taps.jsonl`;
  const simulator = await startSimulator({
    devices: 1,
    speed: Infinity,
    // The disk does not follow the test's clock: a slow sync would count as half a minute.
    syncsTaps: false,
    now: clock.now,
    sleep: clock.sleep,
    ...options,
    lies,
    onLie: (_, lie) => {
      if (once.delete(lie)) lies[lie] = 0;
    },
    traits: () => ({ language: "he", confirmsShare: false, ...traits }),
    tapLogPath,
  });
  const adb = steadyAdb(createAdbClient({ hostname: "127.0.0.1", port: simulator.port }), clock);
  const taps: TapIntent[] = [];
  const phone = adbPhone({ adb, clock, device: ACCOUNT.device, address: () => ACCOUNT.device });
  return {
    phone,
    clock,
    /** The same phone with a timeout that is shorter than a hang. */
    impatient: {
      ...phone,
      run: (command, given) => phone.run(command, { ...given, timeoutMs: IMPATIENT_MS }),
    } satisfies Phone,
    /** Waits until no process runs on the phone. */
    async untilStill(): Promise<void> {
      while (simulator.phones[0]!.processes.size > 0) await clock.sleep(200);
    },
    /** The state of the same phone, read directly. */
    inside: simulator.phones[0]!,
    lies,
    /** The next command that could tell this lie tells it, and none after it. */
    lieOnce(lie: LieName): void {
      once.add(lie);
      lies[lie] = 1;
    },
    /** Intents written so far. */
    intents: taps,
    /** Returns a gate that lets everything through, with a test's changes. */
    gate(changes: Partial<DeliveryGate> = {}): DeliveryGate {
      return {
        awaitPaceSlot: () => Promise.resolve(),
        remainingMs: () => 600_000,
        beginTapping: (tap) => Promise.resolve(taps.push(tap) > 0),
        tapped() {},
        ...changes,
      };
    },
    taps(): Tap[] {
      return Deno.readTextFileSync(tapLogPath).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    },
    async [Symbol.asyncDispose]() {
      await simulator.shutdown();
      clock[Symbol.dispose]();
    },
  };
}
