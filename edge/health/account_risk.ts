/**
 * How near an account is to being lost, 0–100, and why; 70 and 30 divide high, medium and low. All screens use this
 * function. The weightiest reason counts in full, each further one a quarter.
 *
 * Worked example: an account is logged in (0). Its last 24 hours hold 100 outcomes, 11 of them numbers without an
 * account (11 % against 10 % = 60 × 1.1 = 66). It is at its daily cap (30). It scores 66 + 30 / 4 = 74: high.
 */
import type { AccountState } from "shared/agent_protocol.ts";

export interface AccountSignals {
  state: AccountState;
  /** Its app shows a screen that its site does not know. */
  isScreenUnknown?: boolean;
  /** When it was last banned or restricted, ms. */
  bannedAt: number | null;
  /** Its app's first install, or the day the edge first saw it, ms. */
  bornAt: number;
  /** Room taken from today's cap, and that cap. */
  usedToday: number;
  capPerDay: number;
  /** Outcomes of the last 24 hours; `absent` = failed ones whose number has no account. */
  sent: number;
  failed: number;
  absent: number;
  unknown: number;
}

export interface AccountRisk {
  score: number;
  /** Hebrew sentences, the weightiest reason first; never empty. */
  reasons: string[];
  /** How to lower the risk, one Hebrew sentence per reason; empty without reasons. */
  advice: string[];
  /** True when only its age and a full day count against it: its warm-up may grow. */
  isGreen: boolean;
}

export const HIGH_RISK = 70;
export const MEDIUM_RISK = 30;
export const NO_SIGNS = "אין סימנים חריגים.";

const DAY_MS = 24 * 60 * 60_000;
/** A ban counts against an account for as long as it counts in the rate of bans. */
export const BAN_REMEMBERED_MS = 30 * DAY_MS;
/** The app watches younger accounts more closely. */
const YOUNG_DAYS = 14;
/** Fewer outcomes make a share meaningless. */
const LEAST_SAMPLE = 25;
/** At these shares, which would stop a campaign, an account is in serious danger. */
const GRAVE = { failed: 0.10, unknown: 0.05 };
const GRAVE_SCORE = 60;
const NEAR_CAP = 0.8;
const MORE_DEVICES = "לפזר את השליחה על פני יותר ימים או יותר מכשירים; למחרת התקרה נפתחת מחדש.";

interface Reason {
  weight: number;
  text: string;
  advice: string;
}

/** Worst first: the app's own statement outweighs every count. */
const OF_STATE: Record<AccountState, Reason | null> = {
  banned: { weight: 100, text: "החשבון נחסם.", advice: "לפנות לערעור מתוך האפליקציה, או להחליף את החשבון." },
  restricted: {
    weight: 85,
    text: "החשבון הוגבל.",
    advice: "לא לשלוח מהחשבון עד שההגבלה תוסר, ואז להתחיל בקצב של חשבון חדש.",
  },
  // Often the first sign of a ban, as often a person at the phone.
  logged_out: {
    weight: 50,
    text: "החשבון נותק במכשיר. צריך להתחבר אליו מחדש בטלפון עצמו.",
    advice: "להתחבר לחשבון בטלפון עצמו.",
  },
  app_missing: {
    weight: 30,
    text: "האפליקציה לא מותקנת במכשיר.",
    advice: "להתקין את האפליקציה במכשיר ולהתחבר לחשבון.",
  },
  unreachable: {
    weight: 10,
    text: "המכשיר לא זמין, ומצב החשבון לא ידוע.",
    advice: "לבדוק שהמכשיר דולק ומחובר לאתר.",
  },
  ok: null,
};

const UNKNOWN_SCREEN: Reason = {
  weight: 10,
  text: "האפליקציה מציגה מסך שהמערכת לא מכירה, והחשבון נעצר.",
  advice: "לפתוח את האפליקציה בטלפון ולראות מה מופיע בה.",
};

/** Returns the risk of an account at `now`, in ms. */
export function accountRisk(signals: AccountSignals, now: number): AccountRisk {
  const own = [reasonOf(signals), pastBan(signals, now), ...shares(signals)];
  const reasons = [...own, cap(signals), age(signals, now)]
    .filter((reason) => reason !== null)
    .sort((a, b) => b.weight - a.weight);
  const isGreen = scoreOf(own.filter((reason) => reason !== null)) < MEDIUM_RISK;
  if (reasons.length === 0) return { score: 0, reasons: [NO_SIGNS], advice: [], isGreen };
  return {
    score: scoreOf(reasons),
    reasons: reasons.map(({ text }) => text),
    advice: reasons.map(({ advice }) => advice),
    isGreen,
  };
}

function scoreOf(reasons: readonly Reason[]): number {
  const weights = reasons.map(({ weight }) => weight).sort((a, b) => b - a);
  const rest = weights.slice(1).reduce((sum, weight) => sum + weight, 0);
  return Math.min(100, Math.round((weights[0] ?? 0) + rest / 4));
}

/** Returns an account's problem as its state describes it; null without a problem. */
export function stateNote(signals: Pick<AccountSignals, "state" | "isScreenUnknown">): string | null {
  return reasonOf(signals)?.text ?? null;
}

function reasonOf(
  { state, isScreenUnknown }: Pick<AccountSignals, "state" | "isScreenUnknown">,
): Reason | null {
  return state === "unreachable" && isScreenUnknown ? UNKNOWN_SCREEN : OF_STATE[state];
}

function pastBan({ state, bannedAt }: AccountSignals, now: number): Reason | null {
  const isOver = bannedAt === null || bannedAt <= now - BAN_REMEMBERED_MS;
  if (isOver || state === "banned" || state === "restricted") return null;
  return {
    weight: 35,
    text: "החשבון נחסם או הוגבל ב־30 הימים האחרונים.",
    advice: "הסימן נחלש רק עם הזמן: 30 ימים בלי חסימה נוספת.",
  };
}

function shares({ sent, failed, absent, unknown }: AccountSignals): (Reason | null)[] {
  const all = sent + failed + unknown;
  if (all < LEAST_SAMPLE) return [];
  const of = (count: number, grave: number, text: string, advice: string): Reason | null =>
    count === 0 ? null : {
      weight: Math.min(90, Math.round((GRAVE_SCORE * count) / all / grave)),
      text: `${percent(count / all)} ${text}`,
      advice,
    };
  return [
    of(
      absent,
      GRAVE.failed,
      "מהמספרים אינם קיימים באפליקציה.",
      "לשלוח רק לרשימות עדכניות של מי שהסכימו לקבל.",
    ),
    of(
      failed - absent,
      GRAVE.failed,
      "מההודעות נכשלו ב־24 השעות האחרונות.",
      "לפתוח את המכשיר ולראות מה עוצר את השליחה.",
    ),
    of(
      unknown,
      GRAVE.unknown,
      "מההודעות במצב לא ידוע ב־24 השעות האחרונות.",
      "לבדוק את הכבל, את הסוללה ואת החיבור של המכשיר.",
    ),
  ];
}

function cap({ usedToday, capPerDay }: AccountSignals): Reason | null {
  if (usedToday >= capPerDay) {
    return { weight: 30, text: `הגיע לתקרה היומית: ${usedToday} מתוך ${capPerDay}.`, advice: MORE_DEVICES };
  }
  if (usedToday < NEAR_CAP * capPerDay) return null;
  return { weight: 20, text: `קרוב לתקרה היומית: ${usedToday} מתוך ${capPerDay}.`, advice: MORE_DEVICES };
}

function age({ bornAt }: AccountSignals, now: number): Reason | null {
  const days = Math.floor((now - bornAt) / DAY_MS) + 1;
  return days > YOUNG_DAYS ? null : {
    weight: 20,
    text: `חשבון צעיר: יום ${days} מתוך ${YOUNG_DAYS}.`,
    advice: "לתת לחימום להימשך: התקרה עולה מעצמה בכל יום תקין.",
  };
}

/** 0.016 → "1.6%", 0.11 → "11%". */
function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}
