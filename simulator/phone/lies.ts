import { fixedFraction, seededRandom } from "./random.ts";

/**
 * Lies of real phones to programs that trusted them, and how often each happens at faults = 1. The rates are estimates:
 * high enough that a run of a hundred messages meets most of them. A rate of 0 has one of two reasons. The lie ends an
 * account, a number or a phone for good, or the agent has no protection against it (README.md). Such lies happen only
 * where their own rate is set.
 */
export const LIES = {
  /** `am start` exits 0 and the screen does not change, so a tap would hit the chat before it. */
  startIgnored: 0.08,
  /** `am start` exits 0 and the chat comes seconds later. */
  startSlow: 0.1,
  /** `am start` of the launcher exits 0 and the screen does not change. */
  homeIgnored: 0,
  /** The link opens the chat of another number, with our text in it. */
  wrongChat: 0.02,
  /** The intent opens the app of another Android user, whose account is the active one. */
  otherAccount: 0.02,
  /** The chat's title is a name from the phone's contacts. The same numbers every time. */
  nameTitle: 0,
  /** An older draft, for example of a failed attempt, stays instead of the link's text. */
  draftKept: 0.04,
  /** The chat opens without the text. Its box shows a hint, and the voice button replaces the send button. */
  draftLost: 0.04,
  /** The share intent opens the picture without its caption. */
  captionLost: 0.05,
  /** The app asks "send to …?" before a picture opens. */
  shareAsks: 0.1,
  /** A pushed file is acknowledged and is not there. */
  pushLost: 0.02,
  /** `uiautomator dump` cannot get idle state, exits 0 and leaves the file of the last dump. */
  dumpFails: 0.08,
  /** `uiautomator dump` reports that it wrote its file, and the file is still the last one. */
  dumpStale: 0.04,
  /** `uiautomator dump` hangs, and writes its file after its caller has given up. */
  dumpHangs: 0.005,
  /** The dumps right after a tap on send fail, from one up to eight: the tap's result cannot be seen. */
  dumpFailsAfterSend: 0.08,
  /** The dump's windows come in any order, the topmost one not first. */
  windowsShuffled: 0.3,
  /** A dialog covers the chat, whose message box is still in the tree. */
  dialogOverChat: 0.06,
  /** A dialog covers the chat and is the only window in the tree. */
  dialogHidesChat: 0.04,
  /** The question for the default SMS app: the back key does not close it. It is not a logout, despite its activity. */
  dialogSticks: 0.02,
  /** "Not on the app" about the last number, over this number's chat. */
  dialogLeft: 0.04,
  /** A dialog appears between the last look and the tap: the tap exits 0 and does nothing. */
  dialogBeforeTap: 0.03,
  /** A tap exits 0 and hits nothing. */
  tapIgnored: 0.02,
  /** The tap on send is accepted, and the message's row comes seconds later. */
  rowLate: 0.08,
  /** A message's tick shows Pending for ever. */
  tickPending: 0.05,
  /** `dumpsys window` prints a focused window of null, as during a transition. */
  focusNull: 0.2,
  /** A command starts seconds late. It runs even if its caller has given up. */
  shellHangs: 0.01,
  /** `input tap` hangs after all its script's checks, and taps even if its caller has given up. */
  tapHangs: 0.005,
  /** `am start` hangs after it has begun, and opens its chat even if its caller has given up. */
  startHangs: 0.005,
  /** The phone is offline for some seconds, and every connection to it ends. */
  offlineMoment: 0.003,
  /** The phone restarts before a command or right after it. Its uptime starts at zero, with another boot id. */
  reboots: 0.001,
  /** A person locks the phone with its PIN, and opens it some seconds later. */
  pinLock: 0.01,
  /** The app shows a dialog over the chat whose words nobody was taught, as a new version does. */
  newDialog: 0,
  /** The app uses a language that the agent does not know. The same phones every time. */
  otherLanguage: 0,
  /** A number is not on the app. The same numbers every time, and those that end in 0000. */
  numberNotOnApp: 0.02,
  /** `dumpsys notification` prints the lengths of texts instead of the texts. */
  notificationsHidden: 0,
  /** `dumpsys notification` refuses, and exits 0. */
  notificationsRefused: 0,
  /** A notification shows only the beginning of a text. */
  notificationCut: 0.05,
  /** A notification's list of messages has no content: only the last message is readable, outside of the list. */
  notificationPacked: 0.3,
  /** A chat is shown twice, the second time below a summary of all chats. */
  notificationTwice: 0.2,
  /** Direction marks surround a text. */
  notificationMarked: 0.3,
  /** `screencap` hangs. */
  stillHangs: 0.02,
  /** `screencap` writes bytes without an end. */
  stillEndless: 0,
  /** `screencap` writes words in place of a picture. */
  stillNotPng: 0.02,
  /** The picture is black, as of a screen that is dark or protected. */
  stillBlack: 0.02,
  /** `screencap` writes 20 MB. */
  stillHuge: 0.01,
  /** The account is banned from now on. */
  banned: 0,
  /** The account may not start new chats from now on. */
  restricted: 0,
  /** The account is logged out from now on: the app asks to verify the number. */
  loggedOut: 0,
} as const;

export type LieName = keyof typeof LIES;
export type LieRates = Partial<Record<LieName, number>>;

/** Decides when a phone lies. Each phone has its own dice, so its luck does not depend on another's work. */
export interface Liar {
  lies(lie: LieName): boolean;
  /** Returns the same answer for the same subject every time. */
  liesAbout(lie: LieName, subject: string): boolean;
  /** Returns a number in [0, 1), to choose a duration or a variant. */
  roll(): number;
}

/** How often phones lie. A control may change it while they run. */
export interface LieSettings {
  /** 0–1, multiplies every rate of LIES. */
  faults: number;
  /** Rates of single lies, not multiplied. */
  lies: LieRates;
  /** Called at every lie. */
  onLie?: (serial: string, lie: LieName) => void;
}

/** Makes the liar of one phone. The same seed and serial roll the same dice. */
export function createLiar(settings: LieSettings, seed: string, serial: string): Liar {
  const random = seededRandom(`${seed}/${serial}`);
  const rate = (lie: LieName) => settings.lies[lie] ?? LIES[lie] * settings.faults;
  const noted = (lie: LieName, isLie: boolean) => {
    if (isLie) settings.onLie?.(serial, lie);
    return isLie;
  };
  return {
    lies: (lie) => noted(lie, rate(lie) > 0 && random() < rate(lie)),
    liesAbout: (lie, subject) =>
      noted(lie, rate(lie) > 0 && fixedFraction(`${seed}/${lie}/${subject}`) < rate(lie)),
    roll: random,
  };
}

/**
 * Reads rates of single lies, "startIgnored=0.3,dumpFails=1". Throws RangeError on an unknown lie or a rate that is not
 * 0 to 1.
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
