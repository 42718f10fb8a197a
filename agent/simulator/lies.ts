import { fixedFraction, seededRandom } from "./random.ts";

/**
 * What phones were seen to do to programs that trusted them, and how often each happens at faults = 1. The rates
 * are judgement: high enough that a run of a hundred messages meets every one of them.
 */
export const LIES = {
  /** `am start` exits 0 and the screen stays what it was, so a tap would land in the chat before it. */
  startIgnored: 0.08,
  /** `am start` exits 0 and the chat comes seconds later. */
  startSlow: 0.1,
  /** `uiautomator dump` fails and leaves the file of the dump before it. */
  dumpFails: 0.08,
  /** The dump right after a tap on send fails: whether it was sent cannot be seen. */
  dumpFailsAfterSend: 0.08,
  /** The dump's windows come in any order, the topmost not first. */
  windowsShuffled: 0.3,
  /** A dialog lies over the chat, whose message box is still in the tree. */
  dialogOverChat: 0.06,
  /** A dialog appears between the last look and the tap: the tap exits 0 and does nothing. */
  dialogBeforeTap: 0.03,
  /** The tap on send is accepted, the message's row comes seconds later. */
  rowLate: 0.08,
  /** The share intent opens the picture without its caption. */
  captionLost: 0.05,
  /** `dumpsys window` says the focused window is null, as in the middle of a transition. */
  focusNull: 0.2,
  /** A command starts seconds late; it runs even if nobody waits for its answer any more. */
  shellHangs: 0.01,
  /** The phone is offline for some seconds, and every connection to it ends. */
  offlineMoment: 0.003,
  /** A number is not on the app. The same numbers every time, besides those that end in 0000. */
  numberNotOnApp: 0.02,
} as const;

export type LieName = keyof typeof LIES;

/** Decides when a phone lies. Its dice are the phone's own, so one phone's luck does not depend on another's work. */
export interface Liar {
  tells(lie: LieName): boolean;
  /** The same answer for the same subject every time. */
  tellsOf(lie: LieName, subject: string): boolean;
  /** A number in [0, 1) for how long or which. */
  roll(): number;
}

/** How often phones lie; a control may change it while they run. */
export interface LieSettings {
  /** 0–1, multiplies every rate of LIES. */
  faults: number;
  /** Rates of single lies, as they are: not multiplied. */
  lies: Partial<Record<LieName, number>>;
}

export function createLiar(settings: LieSettings, seed: string, serial: string): Liar {
  const random = seededRandom(`${seed}/${serial}`);
  const rate = (lie: LieName) => settings.lies[lie] ?? LIES[lie] * settings.faults;
  return {
    tells: (lie) => rate(lie) > 0 && random() < rate(lie),
    tellsOf: (lie, subject) => rate(lie) > 0 && fixedFraction(`${seed}/${lie}/${subject}`) < rate(lie),
    roll: random,
  };
}
