/** Causes of alerts in Hebrew: a title without names, and what to do. Both also leave the browser by e-mail. */
import type { AdminAlert, AlertChannel, StopReason } from "shared/admin_api.ts";
import type { AccountState, DeviceState } from "shared/agent_protocol.ts";
import type { StallCause } from "shared/standing.ts";
import { PLAN_HELD, SERIES_WAITS } from "./activity_words.ts";
import { countOf } from "./hebrew_count.ts";
import { STALL_WORDS } from "./stall_words.ts";
import type { Signal } from "./trip_words.ts";

type Code = AdminAlert["code"];

interface CauseWords {
  /** `count` is what the cause counts; `part` its reason, when the kind has several. */
  title: (count: number, part: string | null) => string;
  step: string | ((part: string | null) => string);
}

/** The kinds of alert, as the choice of what goes out names them. */
export const KIND_LABELS: Record<Code, string> = {
  older_database: "מסד נתונים שהוחזר למצב קודם",
  site_stopped: "אתר נעצר",
  site_gave_back: "אתר מחזיר הודעות",
  site_away: "אתר לא מחובר",
  sites_owe_outcomes: "אתר שטרם דיווח אחרי שחזור",
  no_device: "אין מכשיר שיכול לשלוח",
  campaign_stalled: "קמפיין עומד",
  account_banned: "חשבון נחסם או הוגבל",
  unknown_screen: "אפליקציה עם מסך לא מוכר",
  scan_silent: "בדיקת הקבצים לא עונה",
  device_needs_hand: "מכשיר שדורש טיפול",
  campaign_paused_by_rule: "קמפיין הושהה אוטומטית",
  account_rested: "חשבון הופסק אוטומטית",
  unconfirmed_rested: "חשבונות לא מאושרים הופסקו",
  accounts_unconfirmed: "חשבונות שמחכים לאישור",
  phone_moved: "מכשיר עבר לאתר אחר",
  phone_at_two_sites: "מכשיר בשני אתרים",
  number_on_two_phones: "מספר בשני מכשירים",
  import_failed: "קובץ לא נקלט",
  approval_waits: "קמפיין שמחכה לאישור",
  plan_waits: "תזמון שמחכה להחלטה",
  series_waits: "שליחה חוזרת שעומדת",
  replies_wait: "תשובות שמחכות להחלטה",
  quota_low: "מכסה קטנה מהקמפיין",
  alerts_undelivered: "התראות שלא נמסרו",
};

const STOP_REASONS: Record<StopReason, { why: string; step: string }> = {
  two_machines: {
    why: "שני מחשבים באותו מפתח",
    step: "מכבים אחד משני המחשבים, ואז מפעילים את האתר מחדש במסך האתרים.",
  },
  journal_doubted: {
    why: "יומן המשלוחים שוחזר או הועתק",
    step: "מוודאים שרק מחשב אחד פועל באתר, ואז מפעילים את האתר מחדש במסך האתרים.",
  },
  impossible_report: {
    why: "דיווח על שליחה שלא ייתכן שקרתה",
    step: "בודקים את המחשב באתר, ואז מפעילים את האתר מחדש במסך האתרים.",
  },
};

/** One phone, many phones, and what to do with them. */
const DEVICE_TROUBLE: Record<Exclude<DeviceState, "online">, [one: string, many: string, step: string]> = {
  offline: [
    "מנותק",
    "מנותקים",
    "בודקים שהטלפון דולק ושהכבל תקוע היטב בשני הקצוות, ואז מנסים כבל או שקע אחר.",
  ],
  unauthorized: [
    "לא מורשה",
    "לא מורשים",
    "על מסך הטלפון מופיע חלון ״לאפשר ניפוי באגים ב־USB?״. מסמנים ״לאפשר תמיד מהמחשב הזה״ ומאשרים. " +
    "אם אין חלון, מנתקים את הכבל ומחברים שוב.",
  ],
  booting: ["תקוע בעלייה", "תקועים בעלייה", "מחזיקים את לחצן ההפעלה עד שהטלפון נכבה, ומדליקים שוב."],
  locked: ["נעול בקוד", "נעולים בקוד", "פותחים את הטלפון, ובהגדרות האבטחה קובעים נעילת מסך ״ללא״."],
  low_battery: [
    "עם סוללה חלשה",
    "עם סוללה חלשה",
    "מוודאים שסמל הטעינה מופיע על המסך; אם לא, מחליפים כבל או שקע. השליחה תתחדש אחרי טעינה.",
  ],
  hot: ["חם מדי", "חמים מדי", "מרחיקים את הטלפון משמש ומטלפונים אחרים, ומסירים כיסוי. השליחה תתחדש כשיתקרר."],
  low_storage: [
    "כמעט בלי מקום פנוי",
    "כמעט בלי מקום פנוי",
    "מוחקים מהטלפון תמונות, סרטונים ואפליקציות שאין בהם צורך.",
  ],
  not_answering: [
    "מחובר ולא עונה",
    "מחוברים ולא עונים",
    "מנתקים את הכבל ומחברים שוב. אם זה לא עוזר, מפעילים את הטלפון מחדש.",
  ],
};

const PAUSED_WHY: Record<Signal, { why: string; step: string }> = {
  opted_out: {
    why: "בקשות הסרה רבות",
    step: "בודקים למי נשלחת ההודעה ומה כתוב בה, ואז ממשיכים או מבטלים בדף הקמפיין.",
  },
  failed: { why: "כישלונות רבים", step: "בודקים את רשימת המספרים, ואז ממשיכים או מבטלים בדף הקמפיין." },
  unknown: {
    why: "הודעות רבות במצב לא ידוע",
    step: "בודקים את המכשירים ואת האתר, ואז ממשיכים או מבטלים בדף הקמפיין.",
  },
  bans: {
    why: "חשבונות שנחסמו",
    step: "בודקים את נוסח ההודעה ואת הרשימה, ואז ממשיכים או מבטלים בדף הקמפיין.",
  },
};

const BANNED: Partial<Record<AccountState, string>> = {
  banned:
    "פותחים את האפליקציה בטלפון וקוראים את ההודעה שעל המסך. אין להירשם שוב באותו מספר לפני שנענית בקשה לבדיקה.",
  restricted: "פותחים את האפליקציה בטלפון וקוראים עד מתי ההגבלה. עד אז החשבון לא ישלח.",
};

const CHANNEL_WORDS: Record<AlertChannel, { title: string; step: string }> = {
  email: {
    title: "התראות לא נמסרו בדוא״ל",
    step: "בודקים בשרת את SMTP_URL ואת שרת הדוא״ל, ואז לוחצים ״ניסיון״ בהגדרות ההתראות.",
  },
  webhook: {
    title: "התראות לא נמסרו ב־webhook",
    step: "בודקים בשרת את ALERT_WEBHOOK_URL ואת מי שמקבל שם, ואז לוחצים ״ניסיון״ בהגדרות ההתראות.",
  },
};

const CAUSE_WORDS: Record<Code, CauseWords> = {
  older_database: {
    title: () => "מסד הנתונים הוחזר למצב קודם, והשליחה עצורה",
    step: "עוצרים את השרתים, מריצים deno task restored ומפעילים אותם שוב.",
  },
  site_stopped: {
    title: (count, part) => `${agree(count, "site", "נעצר", "נעצרו")}: ${stopReason(part).why}`,
    step: (part) => stopReason(part).step,
  },
  site_gave_back: {
    title: (count) => `${agree(count, "site", "מחזיר", "מחזירים")} הודעות בלי לשלוח אותן`,
    step:
      "בודקים אם המכשירים שם מתנתקים שוב ושוב. אם לא, ייתכן שמפתח האתר נגנב: מנתקים אותו לצמיתות במסך האתרים.",
  },
  site_away: {
    title: (count) => agree(count, "site", "לא מחובר", "לא מחוברים"),
    step: "בודקים שהמחשב באתר דולק, מחובר לאינטרנט, ושתוכנת האתר פועלת בו.",
  },
  sites_owe_outcomes: {
    title: (count) => `המערכת שוחזרה מגיבוי, והשליחה מחכה לדיווח של ${countOf(count, "site")}`,
    step: "מפעילים את המחשבים באתרים שלא דיווחו. על אתר שלא יחזור אפשר לוותר במסך האתרים.",
  },
  no_device: {
    title: (count) =>
      `אין מכשיר שיכול לשלוח, ו${joined(countOf(count, "campaign"))} ${count === 1 ? "מחכה" : "מחכים"}`,
    step: "בודקים במסך המכשירים למה אף מכשיר לא שולח. ההודעות שמורות בתור, והשליחה תתחדש מעצמה.",
  },
  campaign_stalled: {
    title: (count, part) =>
      `${agree(count, "campaign", "עומד", "עומדים")}: ${STALL_WORDS[part as StallCause].why}`,
    step: (part) => STALL_WORDS[part as StallCause].step,
  },
  account_banned: {
    title: (count, part) =>
      part === "restricted"
        ? agree(count, "account", "הוגבל", "הוגבלו")
        : agree(count, "account", "נחסם", "נחסמו"),
    step: (part) => BANNED[part as AccountState] ?? BANNED.banned!,
  },
  unknown_screen: {
    title: (count, part) =>
      `${agree(count, "account", "נעצר", "נעצרו")}: באפליקציה מופיע מסך לא מוכר${
        /^[0-9a-f]{24}$/.test(part ?? "") ? ` (${part!.slice(0, 6)})` : ""
      }`,
    step:
      "פותחים את האפליקציה באחד הטלפונים. הודעה שאפשר לסגור סוגרים, ומחדשים את השליחה בדף המכשיר. אחרי עדכון " +
      "של האפליקציה מוסיפים באתר קובץ מסכים: shigur-agent screens add.",
  },
  scan_silent: {
    title: () => "אי אפשר להעלות קבצים: התוכנה שבודקת אותם לא עונה",
    step: "בודקים את clamd בשרת. ההתראה נסגרת כשקובץ נבדק שוב.",
  },
  device_needs_hand: {
    title: (count, part) => {
      const [one, many] = deviceTrouble(part);
      return agree(count, "device", one, many);
    },
    step: (part) => deviceTrouble(part)[2],
  },
  campaign_paused_by_rule: {
    title: (count, part) => {
      const why = PAUSED_WHY[part as Signal]?.why;
      return `${agree(count, "campaign", "הושהה", "הושהו")} אוטומטית${why ? `: ${why}` : ""}`;
    },
    step: (part) =>
      PAUSED_WHY[part as Signal]?.step ?? "קוראים בדף הקמפיין למה הוא הושהה, וממשיכים או מבטלים שם.",
  },
  account_rested: {
    title: (count) => `${agree(count, "account", "הופסק", "הופסקו")} אוטומטית`,
    step: "קוראים בדף המכשיר למה החשבון הופסק, ומחזירים אותו לעבודה שם.",
  },
  unconfirmed_rested: {
    title: (count) => `חשבונות שאיש לא אישר הופסקו ב${theSites(count)}`,
    step: "בודקים את המכשירים שם: מאשרים את החשבונות בדפי המכשירים, מפעילים את האתר מחדש, או מנתקים אותו.",
  },
  accounts_unconfirmed: {
    title: (count) => `${agree(count, "account", "מחכה", "מחכים")} לאישור`,
    step: "מאשרים כל חשבון בדף המכשיר שלו. עד אז הם שולחים יחד רק את המכסה היומית בלי אישור.",
  },
  phone_moved: {
    title: (count) => `${agree(count, "device", "עבר", "עברו")} היום לאתר אחר`,
    step: "כדי לא לעבור את התקרה היומית, אפשר לעצור את המכשיר עד מחר בדף שלו.",
  },
  phone_at_two_sites: {
    title: (count) => `${agree(count, "device", "מחובר", "מחוברים")} לשני אתרים יחד`,
    step: "מנתקים את המכשיר מאחד האתרים, או עוצרים אותו בדף שלו באחד מהם.",
  },
  number_on_two_phones: {
    title: (count) =>
      count === 1
        ? "מספר של חשבון אחד מחובר בשני מכשירים"
        : `מספרים של ${countOf(count, "account")} מחוברים בשני מכשירים`,
    step: "משאירים כל מספר במכשיר אחד בלבד.",
  },
  import_failed: {
    title: (count) => agree(count, "file", "לא נקלט", "לא נקלטו"),
    step: "קוראים במסך הקבצים מה השתבש, מתקנים ומעלים שוב.",
  },
  approval_waits: {
    title: (count) => `${agree(count, "campaign", "מחכה", "מחכים")} לאישור`,
    step: "קוראים את הנוסח בדשבורד, ומאשרים או לא מאשרים.",
  },
  plan_waits: {
    title: (count, part) =>
      `${count === 1 ? "תזמון אחד מחכה" : `${count} תזמונים מחכים`} להחלטה${PLAN_HELD[part ?? ""] ?? ""}`,
    step: "הלקוח בוחר מועד אחר, שולח עכשיו או מבטל. אפשר ליידע אותו.",
  },
  series_waits: {
    title: (count, part) =>
      `${count === 1 ? "שליחה חוזרת אחת עומדת" : `${count} שליחות חוזרות עומדות`}${
        SERIES_WAITS[part ?? ""] ?? ""
      }`,
    step: "הלקוח ממשיך אותה במסך השליחות החוזרות. אפשר ליידע אותו, או לטעון לו הודעות.",
  },
  replies_wait: {
    title: (count) => `${agree(count, "reply", "מחכה", "מחכות")} להחלטה יותר מיממה`,
    step: "מחליטים במסך ההסרות אם הנמען ביקש הסרה. עד אז הוא ממשיך לקבל הודעות.",
  },
  quota_low: {
    title: (count) => `ל${joined(countOf(count, "client"))} אין מכסה שמספיקה לקמפיין`,
    step: "טוענים הודעות במסך המשתמשים.",
  },
  alerts_undelivered: {
    title: (_, part) => CHANNEL_WORDS[part as AlertChannel]?.title ?? KIND_LABELS.alerts_undelivered,
    step: (part) => CHANNEL_WORDS[part as AlertChannel]?.step ?? "",
  },
};

/**
 * Returns the title of a cause, without a full stop and without names: "5 מכשירים לא מורשים". `isLeast` says that the
 * count is not all of them.
 */
export function causeTitle(code: Code, part: string | null, count: number, isLeast: boolean): string {
  const title = CAUSE_WORDS[code].title(count, part);
  return isLeast ? `לפחות ${title}` : title;
}

/** Returns what to do about a cause, as a sentence. */
export function causeStep(code: Code, part: string | null): string {
  const { step } = CAUSE_WORDS[code];
  return typeof step === "string" ? step : step(part);
}

function agree(count: number, noun: Parameters<typeof countOf>[1], one: string, many: string): string {
  return `${countOf(count, noun)} ${count === 1 ? one : many}`;
}

/** Returns a count after a prefix: a maqaf separates it from digits. */
function joined(counted: string): string {
  return /^\d/.test(counted) ? `־${counted}` : counted;
}

function theSites(count: number): string {
  return joined(countOf(count, "site"));
}

function stopReason(part: string | null) {
  return STOP_REASONS[part as StopReason] ?? STOP_REASONS.journal_doubted;
}

function deviceTrouble(part: string | null): [string, string, string] {
  return DEVICE_TROUBLE[part as Exclude<DeviceState, "online">] ?? DEVICE_TROUBLE.offline;
}
