/**
 * The plan of a seed: kinds, order and moments of the acts (counted in taps). Everything else depends on the real
 * processes.
 */
import type { PartName } from "../product.ts";
import { type Step, STEPS } from "./moment.ts";
import { between, pick, shuffled } from "./random.ts";
import { CALM, type Weather } from "./relay.ts";
import { mulberry32, type Random } from "shared/random.ts";

/** `adb`: the adb server ends, while the phones and their commands keep running. */
export const VICTIMS = ["edge", "agent", "simulator", "all", "adb"] as const;
export type Victim = (typeof VICTIMS)[number];
export const PARTS: readonly PartName[] = ["edge", "agent", "simulator"];

export type Act =
  /** `again`: kills the same victim a second time, `againMs` after its restart, during its recovery. */
  | { kind: "kill"; victim: Victim; aim: Step | null; downMs: number; againMs: number | null }
  | { kind: "freeze"; victim: PartName | "all"; aim: Step | null; frozenMs: number }
  /** The phone at `aim` loses its cable. */
  | { kind: "unplug"; aim: Step; awayMs: number }
  | { kind: "reboot"; aim: Step }
  /** The network between agent and edge ends every connection and refuses new ones. */
  | { kind: "cut"; aim: Step | null; awayMs: number }
  /** Connections stay open but deliver nothing. */
  | { kind: "half-open"; aim: Step | null; silentMs: number }
  /** Messages arrive late, twice, and out of order. */
  | { kind: "storm"; lastsMs: number; weather: Weather }
  /** The adb server delays tap commands for longer than a tap may wait, then delivers them. */
  | { kind: "linger"; lastsMs: number; lingerMs: number }
  /** The part cannot write files for a time. */
  | { kind: "full disk"; victim: "agent" | "edge"; fullMs: number }
  /** The site's clock jumps; only in plans with a false clock. */
  | { kind: "clock"; offsetS: number }
  /** The client pauses and resumes. */
  | { kind: "pause"; pausedMs: number }
  | { kind: "cancel" };

export interface PlannedAct {
  /** Share of tapped contacts at which the act starts. */
  at: number;
  act: Act;
}

export interface Plan {
  seed: number;
  devices: number;
  /** Number of contacts of each campaign; every campaign has its own client. */
  contacts: number[];
  speed: number;
  /** Probability that a phone misbehaves. */
  faults: number;
  /** Minimum seconds between two messages of one device. */
  rateLimit: number;
  hasImage: boolean;
  /** Each recipient gets a text of its own. */
  isPersonal: boolean;
  /** Initial error of the site's clock in seconds; null for the machine's clock. */
  clockOffsetS: number | null;
  /** State of the network between agent and edge without an act. */
  weather: Weather;
  /** At the end the owner sends one `unknown` again, if there is one. */
  resends: boolean;
  timeline: PlannedAct[];
}

/** Kills and other acts happen in this part of a campaign's taps. */
const FROM = 0.08;
const TO = 0.85;
const CANCELLED_TO = 0.75;

const HOUR_S = 3_600;
const FALSE_CLOCKS = [HOUR_S, -HOUR_S, 24 * HOUR_S, -24 * HOUR_S];

/** Returns the plan of a seed; it depends only on the seed and the number of kills. */
export function makePlan(seed: number, kills: number): Plan {
  const random = mulberry32(seed);
  const campaigns = random() < 0.25 ? 2 : 1;
  const total = Math.round(between(random, 150, 260));
  const isCancelled = random() < 0.15;
  const base: Omit<Plan, "timeline" | "isPersonal"> = {
    seed,
    devices: pick(random, [4, 6, 8]),
    contacts: Array.from({ length: campaigns }, () => Math.round(total / campaigns)),
    speed: pick(random, [25, 40]),
    faults: random() < 0.3 ? Math.round(between(random, 2, 10)) / 100 : 0,
    rateLimit: pick(random, [0, 0.1, 0.2]),
    hasImage: random() < 0.2,
    clockOffsetS: random() < 0.25 ? pick(random, FALSE_CLOCKS) : null,
    weather: { ...CALM, latencyMs: between(random, 0, 20), jitterMs: between(random, 0, 20) },
    resends: random() < 0.5,
  };
  const acts = shuffled(random, [
    ...killsOf(random, kills),
    ...othersOf(random),
    ...(base.clockOffsetS === null ? [] : [{ kind: "clock", offsetS: pick(random, FALSE_CLOCKS) } as const]),
    ...(random() < 0.3 ? [{ kind: "pause", pausedMs: between(random, 200, 3_000) } as const] : []),
  ]);
  // A cancelled campaign has fewer taps, and all kills must happen within them.
  const slice = ((isCancelled ? CANCELLED_TO : TO) - FROM) / acts.length;
  const timeline: PlannedAct[] = acts.map((act, index) => ({
    at: FROM + slice * (index + 0.6 * random()),
    act,
  }));
  if (isCancelled) timeline.push({ at: TO, act: { kind: "cancel" } });
  // Drawn last, so that the other draws of a seed stay as they were.
  return { ...base, isPersonal: random() < 0.4, timeline };
}

/** Gives every kill another step, so that a handful of seeds covers all steps. */
function killsOf(random: Random, count: number): Act[] {
  const aims: (Step | null)[] = [];
  while (aims.length < count) aims.push(...shuffled(random, [...STEPS, null]));
  const victims: Victim[] = [];
  while (victims.length < count) victims.push(...shuffled(random, VICTIMS));
  return aims.slice(0, count).map((aim, index) => ({
    kind: "kill",
    victim: victims[index]!,
    aim,
    downMs: between(random, 0, 800),
    againMs: random() < 0.2 ? between(random, 50, 1_500) : null,
  }));
}

function othersOf(random: Random): Act[] {
  const aim = () => pick(random, [...STEPS.filter((step) => step !== "empty"), null]);
  const makers: (() => Act)[] = [
    () => ({
      kind: "freeze",
      victim: pick(random, [...PARTS, "all"] as const),
      aim: aim(),
      frozenMs: between(random, 300, 3_000),
    }),
    // Longer than a tap may wait for its phone.
    () => ({ kind: "freeze", victim: "agent", aim: "tapping", frozenMs: between(random, 11_000, 13_000) }),
    () => ({
      kind: "unplug",
      aim: pick(random, ["leased", "tapping", "tapped"]),
      awayMs: between(random, 300, 3_000),
    }),
    () => ({ kind: "linger", lastsMs: between(random, 100, 500), lingerMs: between(random, 11_000, 18_000) }),
    () => ({ kind: "reboot", aim: pick(random, ["tapping", "tapped"]) }),
    () => ({
      kind: "full disk",
      victim: pick(random, ["agent", "edge"]),
      fullMs: between(random, 100, 2_000),
    }),
    () => ({ kind: "cut", aim: aim(), awayMs: between(random, 0, 2_000) }),
    () => ({ kind: "half-open", aim: aim(), silentMs: between(random, 1_000, 5_000) }),
    () => ({
      kind: "storm",
      lastsMs: between(random, 1_000, 5_000),
      weather: {
        ...CALM,
        latencyMs: 20,
        jitterMs: between(random, 20, 300),
        duplicated: 0.2,
        overtaken: 0.2,
      },
    }),
  ];
  return shuffled(random, makers).slice(0, 4).map((make) => make());
}
