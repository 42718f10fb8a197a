/** Runs the flows of a delivery on a recording, with a tap that goes nowhere, and says what each step saw. */
import { deliver, type DeliveryResult } from "../delivery/deliver.ts";
import type { AppScreen } from "../phone/app_screen.ts";
import { lookBack } from "../phone/look_back.ts";
import type { AppAccount, Phone } from "../phone/phone.ts";
import type { Message } from "../phone/prepare.ts";
import { parseReading } from "../phone/read_screen.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import { whyWrong } from "./judge_tap.ts";
import type { Asked, Recording, Verdict } from "./recording.ts";
import { replayPhone } from "./replay_phone.ts";

/** A delivery for recordings that belong to none. */
const NO_DELIVERY = { phone: "+972545551234", text: "א", isPicture: false };

export interface ReplayedStep {
  asked: Asked;
  /** What the flows make of the screen; null when there is none. */
  saw: AppScreen | null;
  /** Where a finger would have touched. */
  tapped: { x: number; y: number } | null;
}

export interface ReplayResult {
  steps: ReplayedStep[];
  verdict: Verdict;
  /** One reason for each send tap that was not on the right chat with the right draft. */
  wrongTaps: string[];
  /** How many times the send button was tapped. */
  sendTaps: number;
  /** How many times a dialog was agreed to. */
  presses: number;
}

export interface ReplayOptions {
  /** Changes the phone or the account before the flows use them: the place for other words and ids of screens. */
  dress?: (phone: Phone, account: AppAccount) => { phone: Phone; account: AppAccount };
}

/** Replays one recording. Never touches a phone. */
export async function replay(recording: Recording, { dress }: ReplayOptions = {}): Promise<ReplayResult> {
  const { facts, delivery } = recording;
  const own = delivery ?? NO_DELIVERY;
  const player = replayPhone(recording);
  const plain: AppAccount = { device: "REPLAY", app: facts.app, user: facts.user };
  const { phone, account } = dress?.(player.phone, plain) ?? { phone: player.phone, account: plain };
  const message: Message = {
    phone: own.phone,
    text: own.text,
    imagePath: own.isPicture ? "/sdcard/Download/shigur-replay.jpg" : null,
  };
  const verdict = await run(phone, account, message, player);
  const sends = player.taps.filter(({ kind }) => kind === "send");
  const touches = [...player.taps];
  return {
    steps: player.asked.map(({ asked, output }) => {
      const isTouch = asked === "tap" || asked === "press" || asked === "clear_draft";
      const touch = isTouch && !output.startsWith("late") ? touches.shift() : undefined;
      return { asked, saw: sawIn(output, account), tapped: touch ? { x: touch.x, y: touch.y } : null };
    }),
    verdict,
    wrongTaps: sends.flatMap((tap) => whyWrong(tap.windows, tap, own) ?? []),
    sendTaps: sends.length,
    presses: player.taps.filter(({ kind }) => kind === "press").length,
  };
}

async function run(
  phone: Phone,
  account: AppAccount,
  message: Message,
  player: ReturnType<typeof replayPhone>,
): Promise<Verdict> {
  let intent: TapIntent | null = null;
  let isOver = false;
  const result = await deliver(phone, account, message, {
    awaitPaceSlot: () => Promise.resolve(),
    remainingMs: () => 60_000,
    beginTapping(tap) {
      intent = tap;
      return Promise.resolve(true);
    },
    // The recording may end before the tap: then nothing can show its result.
    tapped: () => isOver = !player.hasUnread(),
  });
  if (isOver) return { kind: "ready" };
  if (result.kind !== "doubt" || intent === null) return verdictOf(result);
  const evidence = await lookBack(phone, account, message, intent);
  if (evidence === "sent") return { kind: "sent" };
  return evidence === "draft" ? { kind: "not_ready", reason: "send_not_verified" } : { kind: "doubt" };
}

function verdictOf(result: DeliveryResult): Verdict {
  switch (result.kind) {
    case "sent":
    case "not_on_app":
    case "unknown_screen":
      return { kind: result.kind };
    case "lost":
      return { kind: "lost", state: result.state };
    case "not_ready":
      return { kind: "not_ready", reason: result.reason };
    case "taken_back":
    case "doubt":
      return { kind: "doubt" };
  }
}

function sawIn(output: string, account: AppAccount): AppScreen | null {
  try {
    return parseReading(output, account).screen;
  } catch {
    return null;
  }
}

export function sameVerdict(one: Verdict, other: Verdict): boolean {
  return JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted());
}
