/** Watches a phone at work and makes a recording of it. Everything is redacted as it comes; nothing else is kept. */
import { FOCUS, UPTIME_AND_BOOT_ID } from "../phone/read_screen.ts";
import { type Phone, PhoneCommandError } from "../phone/phone.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import { askedBy } from "./asked.ts";
import { treeOf } from "./dump_tree.ts";
import {
  type Answer,
  type Asked,
  MAX_RECORDING_BYTES,
  MAX_STEPS,
  type Recording,
  type Step,
  type Verdict,
} from "./recording.ts";
import { Redactor } from "./redact.ts";

export interface RecordingOptions {
  facts: Recording["facts"];
  /** What is to be sent, as it is: it is kept in stand-ins. Null = nothing. */
  delivery: { phone: string; text: string; isPicture: boolean } | null;
  /** What is known about the screens. @default {what the release knows} */
  words?: ScreenWords;
  /** For the stand-ins, in [0, 1). @default {a cryptographic one} */
  random?: () => number;
}

/** A phone under watch, and the end of the watch. */
export interface RecordedPhone {
  /** The same phone. Every command goes to it unchanged. */
  phone: Phone;
  /** Returns the recording of everything until now; null when nothing was asked. */
  end(verdict: Verdict | null): Recording | null;
}

/** Records what `phone` is asked and answers, until `end` is called. */
export function recordPhone(
  phone: Phone,
  { facts, delivery, words, random }: RecordingOptions,
): RecordedPhone {
  const redactor = new Redactor({ ...delivery, app: facts.app, words, random });
  const own = delivery && {
    phone: redactor.phone(delivery.phone),
    text: redactor.personal(delivery.text),
    isPicture: delivery.isPicture,
  };
  const steps: Step[] = [];
  let bytes = 0;
  const startedAt = phone.clock.monotonic();

  /** Adds a step. Whatever is wrong with an output, the work on the phone goes on. */
  function add(asked: Asked, askedAt: number, read: () => Answer): void {
    let answer: Answer;
    try {
      answer = read();
    } catch {
      answer = { exitCode: 255 };
    }
    const step: Step = {
      asked,
      atMs: Math.max(0, Math.round(askedAt - startedAt)),
      tookMs: Math.max(0, Math.round(phone.clock.monotonic() - askedAt)),
      answer,
    };
    // The file's own text is indented, which takes about half as much again.
    bytes += 2 * new TextEncoder().encode(JSON.stringify(step)).length;
    if (steps.length < MAX_STEPS && bytes < MAX_RECORDING_BYTES - 100_000) steps.push(step);
  }

  return {
    phone: {
      ...phone,
      async run(command, options) {
        const asked = askedBy(command);
        const askedAt = phone.clock.monotonic();
        try {
          const output = await phone.run(command, options);
          add(asked, askedAt, () => readAnswer(output, 0, redactor));
          return output;
        } catch (error) {
          const isAnswer = error instanceof PhoneCommandError;
          add(
            asked,
            askedAt,
            () =>
              isAnswer ? readAnswer(error.output, error.exitCode, redactor) : { exitCode: 255, isLost: true },
          );
          throw error;
        }
      },
      async push(image, path) {
        const askedAt = phone.clock.monotonic();
        await phone.push(image, path);
        add("place_image", askedAt, () => ({ exitCode: 0 }));
      },
    },
    end: (verdict) =>
      steps.length === 0 ? null : {
        format: 1,
        standing: "recorded",
        facts: {
          ...facts,
          ...plainFacts(facts),
        },
        delivery: own,
        steps: [...steps],
        verdict,
      },
  };
}

/** Returns what a phone says of itself, where it has the form of a version and of a model: a person may have set it. */
export function plainFacts(
  { appVersion, androidVersion, model }: Pick<Recording["facts"], "appVersion" | "androidVersion" | "model">,
) {
  const inForm = (value: string | null, form: RegExp) => value !== null && form.test(value) ? value : null;
  return {
    appVersion: inForm(appVersion, /^\d{1,6}(?:\.\d{1,8}){0,5}$/),
    androidVersion: inForm(androidVersion, /^\d{1,3}(?:\.\d{1,3}){0,3}$/),
    model: inForm(model, /^[\w+()./-]+(?: [\w+()./-]+){0,6}$/)?.slice(0, 40) ?? null,
  };
}

/** Keeps of an output only what has a place in a recording. */
function readAnswer(output: string, exitCode: number, redactor: Redactor): Answer {
  const answer: Answer = { exitCode: exitCode >= 0 && exitCode <= 255 ? exitCode : 255 };
  const start = output.indexOf("<?xml");
  const end = output.lastIndexOf("</hierarchy>");
  const isDump = start >= 0 && end > start;
  if (isDump) {
    const tree = treeOf(output.slice(start, end));
    if (tree && tree.length > 0 && tree.length <= 100) answer.dump = tree.map((node) => redactor.node(node));
  }
  const rest = isDump ? output.slice(end) : output;
  const focus = FOCUS.exec(rest);
  if (focus && Number(focus[1]) < 100_000) {
    answer.focus = { user: Number(focus[1]), window: redactor.window(focus[2]!) };
  }
  const clock = UPTIME_AND_BOOT_ID.exec(rest);
  if (clock && Number(clock[1]) < 10 ** 9) {
    answer.uptimeS = Number(clock[1]);
    answer.boot = Math.min(99, redactor.boot(clock[2]!));
  }
  const time = /^(\d\d:\d\d)\s*$/.exec(rest);
  if (time) answer.minuteAndSecond = time[1]!;
  const tap = /^(tapped|late)\s*$/.exec(rest);
  if (tap) answer.tap = tap[1] as "tapped" | "late";
  return answer;
}
