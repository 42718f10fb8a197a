/** One simulated phone behind a real socket, in a time of its own, and the flows' way to it. */
import { createAdbClient } from "../adb/client.ts";
import type { DeliveryGate } from "../deliver.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import { adbPhone } from "../phone/adb_phone.ts";
import type { AppAccount } from "../phone/phone.ts";
import type { LieName } from "../simulator/lies.ts";
import { startSimulator } from "../simulator/start_simulator.ts";
import type { PhoneTraits } from "../simulator/traits.ts";
import { fastClock } from "./fast_clock.ts";
import type { Tap } from "./site.ts";

export const ACCOUNT: AppAccount = { device: "SIM0001", app: "com.whatsapp", user: 0 };

/** Starts a phone; rates put into `lies` later count from then on. */
export async function startTestPhone(traits: Partial<PhoneTraits> = {}) {
  const clock = fastClock(20);
  const lies: Partial<Record<LieName, number>> = {};
  const tapLogPath = `${await Deno.makeTempDir()}/taps.jsonl`;
  const simulator = await startSimulator({
    devices: 1,
    speed: Infinity,
    now: () => clock.now(),
    lies,
    traits: () => ({ language: "he", confirmsShare: false, ...traits }),
    tapLogPath,
  });
  const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
  const taps: TapIntent[] = [];
  return {
    phone: adbPhone({ adb, clock, device: ACCOUNT.device, address: () => ACCOUNT.device }),
    /** The same phone from the inside. */
    inside: simulator.phones[0]!,
    lies,
    /** Intents written so far. */
    intents: taps,
    /** A gate that lets everything through, but for what a test changes. */
    gate(changes: Partial<DeliveryGate> = {}): DeliveryGate {
      return {
        awaitTurn: () => Promise.resolve(),
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
    },
  };
}
