import { fixedFraction, seededRandom } from "./random.ts";

/**
 * What phones were seen to do to programs that trusted them, and how often each happens at faults = 1. The rates
 * are judgement: high enough that a run of a hundred messages meets most of them. Those at 0 end an account, a
 * number or a phone for good, or are not kept out (README.md), and happen only where their own rate is set.
 */
export const LIES = {
  /** `am start` exits 0 and the screen stays what it was, so a tap would land in the chat before it. */
  startIgnored: 0.08,
  /** `am start` exits 0 and the chat comes seconds later. */
  startSlow: 0.1,
  /** `am start` of the launcher exits 0 and the screen stays what it was. */
  homeIgnored: 0,
  /** The link opens the chat of another number, with our text in it. */
  wrongChat: 0.02,
  /** The intent opens the app of another Android user, whose account is the active one. */
  otherAccount: 0.02,
  /** The chat is titled by a name from the phone's contacts. The same numbers every time. */
  nameTitle: 0,
  /** An older draft outlives the link's text, as of an attempt that was given up. */
  draftKept: 0.04,
  /** The chat opens without the text: its box shows a hint, and where send was is the voice button. */
  draftLost: 0.04,
  /** The share intent opens the picture without its caption. */
  captionLost: 0.05,
  /** The app asks "send to …?" before a picture opens. */
  shareAsks: 0.1,
  /** A pushed file is acknowledged and is not there. */
  pushLost: 0.02,
  /** `uiautomator dump` cannot get idle state, exits 0 and leaves the file of the dump before it. */
  dumpFails: 0.08,
  /** `uiautomator dump` says it wrote its file, and the file is still the one before it. */
  dumpStale: 0.04,
  /** `uiautomator dump` hangs, and writes its file when nobody waits any more. */
  dumpHangs: 0.005,
  /** The dumps right after a tap on send fail, one or up to eight: whether it was sent cannot be seen. */
  dumpFailsAfterSend: 0.08,
  /** The dump's windows come in any order, the topmost not first. */
  windowsShuffled: 0.3,
  /** A dialog lies over the chat, whose message box is still in the tree. */
  dialogOverChat: 0.06,
  /** A dialog lies over the chat and is all there is in the tree. */
  dialogHidesChat: 0.04,
  /** The question for the default SMS app: the back key does not end it. It is no logout, whatever its activity. */
  dialogSticks: 0.02,
  /** "Not on the app" about the number before, over this number's chat. */
  dialogLeft: 0.04,
  /** A dialog appears between the last look and the tap: the tap exits 0 and does nothing. */
  dialogBeforeTap: 0.03,
  /** A tap exits 0 and nothing is hit. */
  tapIgnored: 0.02,
  /** The tap on send is accepted, the message's row comes seconds later. */
  rowLate: 0.08,
  /** A message's tick says Pending for ever. */
  tickPending: 0.05,
  /** `dumpsys window` says the focused window is null, as in the middle of a transition. */
  focusNull: 0.2,
  /** A command starts seconds late; it runs even if nobody waits for its answer any more. */
  shellHangs: 0.01,
  /** `input tap` hangs after everything its script asked, and taps although nobody waits any more. */
  tapHangs: 0.005,
  /** `am start` hangs once it has begun, and opens its chat although nobody waits any more. */
  startHangs: 0.005,
  /** The phone is offline for some seconds, and every connection to it ends. */
  offlineMoment: 0.003,
  /** The phone restarts before a command or right after it: its clock begins anew, under another boot id. */
  reboots: 0.001,
  /** Somebody locks the phone with its PIN, and opens it some seconds later. */
  pinLock: 0.01,
  /** The app's words are of a language nobody taught the agent. The same phones every time. */
  otherLanguage: 0,
  /** A number is not on the app. The same numbers every time, besides those that end in 0000. */
  numberNotOnApp: 0.02,
  /** `dumpsys notification` tells how long texts are in place of what they say. */
  notificationsHidden: 0,
  /** `dumpsys notification` refuses, and exits 0. */
  notificationsRefused: 0,
  /** A notification shows the beginning of a text only. */
  notificationCut: 0.05,
  /** A notification's list of messages does not say what they are: only the last is told, besides it. */
  notificationPacked: 0.3,
  /** A chat is shown twice, once more beneath a summary of all. */
  notificationTwice: 0.2,
  /** A text is shown between marks of direction. */
  notificationMarked: 0.3,
  /** The account is banned from now on. */
  banned: 0,
  /** The account may not start new chats from now on. */
  restricted: 0,
  /** The account is logged out from now on: the app asks to verify the number. */
  loggedOut: 0,
} as const;

export type LieName = keyof typeof LIES;
export type LieRates = Partial<Record<LieName, number>>;

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
  lies: LieRates;
  /** Hears of every lie as it is told. */
  onLie?: (serial: string, lie: LieName) => void;
}

/** Makes the liar of one phone: the same seed and serial roll the same dice. */
export function createLiar(settings: LieSettings, seed: string, serial: string): Liar {
  const random = seededRandom(`${seed}/${serial}`);
  const rate = (lie: LieName) => settings.lies[lie] ?? LIES[lie] * settings.faults;
  const told = (lie: LieName, isTold: boolean) => {
    if (isTold) settings.onLie?.(serial, lie);
    return isTold;
  };
  return {
    tells: (lie) => told(lie, rate(lie) > 0 && random() < rate(lie)),
    tellsOf: (lie, subject) =>
      told(lie, rate(lie) > 0 && fixedFraction(`${seed}/${lie}/${subject}`) < rate(lie)),
    roll: random,
  };
}

/**
 * Reads rates of single lies, "startIgnored=0.3,dumpFails=1".
 * Throws RangeError on an unknown lie or a rate that is not 0 to 1.
 */
export function parseLieRates(text: string): LieRates {
  const rates: LieRates = {};
  for (const part of text.split(",").map((each) => each.trim()).filter((each) => each !== "")) {
    const [, name = "", value = ""] = /^(\w+)=(\d*\.?\d+)$/.exec(part) ?? [];
    if (!Object.hasOwn(LIES, name) || !(Number(value) <= 1)) {
      throw new RangeError(`Cannot simulate ${JSON.stringify(part)}: it must be a lie's name, =, and 0 to 1`);
    }
    rates[name as LieName] = Number(value);
  }
  return rates;
}
