/** A phone that answers as a recording says. It taps nothing: each tap goes into a list. */
import type { Clock } from "../time/clock.ts";
import { type Phone, PhoneCommandError } from "../phone/phone.ts";
import { askedBy } from "./asked.ts";
import { xmlOf } from "./dump_tree.ts";
import type { Answer, Asked, RecordedNode, Recording, Step } from "./recording.ts";

export interface ReplayedTap {
  x: number;
  y: number;
  /** `send`: the one guarded tap. The others send nothing. */
  kind: "send" | "press" | "clear_draft";
  /** The windows that were last read. */
  windows: readonly RecordedNode[];
}

export interface ReplayedPhone {
  phone: Phone;
  taps: readonly ReplayedTap[];
  /** What was asked, in order, with the step that answered; null = no recorded step did. */
  asked: readonly { asked: Asked; step: Step | null; output: string }[];
  /** True while a screen is left that nobody has read. */
  hasUnread(): boolean;
}

const SCREENS: readonly Asked[] = ["open_chat", "open_picture", "read"];
/** A pause that no flow makes. Without a bound a flow that waits for ever would. */
const MAX_ASKED = 2_000;

/** Makes a phone of a recording. Its time passes only while somebody waits for it. */
export function replayPhone({ steps }: Pick<Recording, "steps">): ReplayedPhone {
  const clock = replayClock();
  const taps: ReplayedTap[] = [];
  const asked: { asked: Asked; step: Step | null; output: string }[] = [];
  let next = 0;
  let last: Answer | null = null;
  let readAt = 0;

  /** The next step of this kind, if it comes before another screen. */
  function nextOf(kind: Asked): Step | null {
    for (let at = next; at < steps.length; at++) {
      if (steps[at]!.asked === kind) {
        next = at + 1;
        return steps[at]!;
      }
      if (SCREENS.includes(steps[at]!.asked)) return null;
    }
    return null;
  }

  /** The next screen: of this kind if there is one, otherwise any; the last one again at the end. */
  function nextScreen(kind: Asked): Step | null {
    const rest = steps.slice(next);
    const isOpening = kind !== "read";
    const same = isOpening ? rest.findIndex((step) => step.asked === kind) : -1;
    const at = same >= 0 ? same : rest.findIndex((step) => SCREENS.includes(step.asked));
    if (at < 0) return null;
    next += at + 1;
    return rest[at]!;
  }

  function answer(kind: Asked, command: string): { step: Step | null; output: string; exitCode: number } {
    if (SCREENS.includes(kind)) {
      const step = nextScreen(kind);
      if (step) {
        last = step.answer;
        readAt = clock.monotonic();
      }
      return { step, output: last ? screenOutput(last, passedS()) : "", exitCode: last?.exitCode ?? 0 };
    }
    if (kind === "fence") return { step: nextOf(kind), output: `${FENCE}\nexit 1\n`, exitCode: 0 };
    if (kind === "tap") {
      const step = nextOf(kind);
      const at = /input tap (-?\d+) (-?\d+)/.exec(command)!;
      const deadline = Number(/-lt (\d+)/.exec(command)![1]);
      const isLate = uptimeS() >= deadline;
      if (!isLate) note("send", at);
      return { step, output: isLate ? "late\n" : `${step?.answer.tap ?? "tapped"}\n`, exitCode: 0 };
    }
    const step = nextOf(kind);
    if (kind === "press" || kind === "clear_draft") note(kind, /input tap (-?\d+) (-?\d+)/.exec(command)!);
    if (kind === "uptime") {
      return { step, output: `${uptimeS()}.00 1.00\n${bootId(last?.boot)}\n`, exitCode: 0 };
    }
    if (kind === "date") return { step, output: `${step?.answer.minuteAndSecond ?? "00:30"}\n`, exitCode: 0 };
    return { step, output: "", exitCode: step?.answer.exitCode ?? 0 };
  }

  function note(kind: ReplayedTap["kind"], at: RegExpExecArray): void {
    taps.push({ kind, x: Number(at[1]), y: Number(at[2]), windows: last?.dump ?? [] });
  }

  function passedS(): number {
    return Math.floor((clock.monotonic() - readAt) / 1_000);
  }

  function uptimeS(): number {
    return (last?.uptimeS ?? 0) + passedS();
  }

  const phone: Phone = {
    device: "REPLAY",
    clock,
    run(command) {
      const kind = askedBy(command);
      if (asked.length >= MAX_ASKED) throw new Error("A flow asks a recording for ever");
      const { step, output, exitCode } = answer(kind, command);
      asked.push({ asked: kind, step, output });
      // A lost answer of the recording is an output without an answer: the flows treat both as not known.
      if (exitCode !== 0) return Promise.reject(new PhoneCommandError(command, exitCode, output));
      return Promise.resolve(output);
    },
    push: () => Promise.resolve(),
  };
  return {
    phone,
    taps,
    asked,
    hasUnread: () => steps.slice(next).some((step) => SCREENS.includes(step.asked)),
  };
}

const FENCE = "00000000-0000-4000-8000-000000000000";

/** Writes a recorded screen as READ_SCREEN prints it. */
export function screenOutput({ dump, focus, uptimeS, boot }: Answer, passedS = 0): string {
  const parts = [
    dump ? xmlOf(dump) : "",
    focus ? `mCurrentFocus=Window{1a2b3c u${focus.user} ${focus.window}}` : "mCurrentFocus=null",
    uptimeS === undefined ? "" : `${uptimeS + passedS}.00 1.00\n${bootId(boot)}`,
  ];
  return `${parts.join("\n")}\n`;
}

function bootId(boot = 1): string {
  return `00000000-0000-4000-8000-0000000000${String(boot).padStart(2, "0")}`;
}

function replayClock(): Clock {
  let passedMs = 0;
  return {
    now: () => passedMs,
    monotonic: () => passedMs,
    sleep(ms) {
      passedMs += Math.max(0, ms);
      return Promise.resolve();
    },
  };
}
