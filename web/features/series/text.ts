/** Words of repeats. */
import { hebrewNumber } from "shared/hebrew_date.ts";
import type { RunState, Series, SeriesHold } from "shared/series_api.ts";
import type { HebrewMonth, RepeatRule } from "shared/series_days.ts";
import { countOf } from "../../text/count.ts";

export const SERIES = {
  title: "שליחות חוזרות",
  heading: "שליחות חוזרות",
  subtitle:
    "כל חזרה היא קמפיין נפרד. הוא נוצר יום לפני המועד, מהרשימות כפי שהן אז, ואפשר להזיז או לבטל אותו כמו כל קמפיין מתוזמן.",
  all: "כל השליחות החוזרות",
  loading: "טוען שליחות חוזרות...",
  failed: "השליחות החוזרות לא נטענו",
  empty: "עוד אין שליחות חוזרות",
  emptyMeaning: "בדף של קמפיין לוחצים על ״שליחה חוזרת״, ובוחרים רשימות, ימים ושעה.",
  back: "לקמפיינים שלי",
  backToAll: "לכל השליחות החוזרות",
  missing: "שליחה חוזרת לא נמצאה",
  next: (moment: string) => `הבאה: ${moment}`,
  ended: "הסתיימה",
  waits: "מחכה להחלטה",
  goesOn: "פעילה",
  lists: "הרשימות",
  message: "ההודעה",
  days: "מתי",
  until: (day: string) => `עד ${day}`,
  noEnd: "בלי תאריך סיום",
  runs: "החזרות",
  noRuns: "עוד לא נוצרה אף חזרה. הראשונה תיווצר יום לפני המועד שלה.",
  columns: { day: "מועד", state: "מצב", campaign: "קמפיין", sent: "נשלחו" },
  stop: "עצירה",
  stopping: "עוצר...",
  continue: "להמשיך",
  continuing: "ממשיך...",
  end: "סיום לתמיד",
  ending: "מסיים...",
  endTitle: (name: string) => `לסיים את השליחה החוזרת ״${name}״?`,
  endBody:
    "לא ייווצרו עוד חזרות, ואי אפשר להמשיך אחר כך. קמפיינים שכבר תוזמנו נשארים, ואפשר לבטל אותם בנפרד.",
  keep: "חזרה",
  doneTitle: {
    stop: "השליחה החוזרת נעצרה",
    continue: "השליחה החוזרת ממשיכה",
    end: "השליחה החוזרת הסתיימה",
  },
  changeFailedTitle: "השליחה החוזרת לא השתנתה",
  changeFailed: "השרת לא אישר את השינוי.",
  open: "שליחה חוזרת",
  dialogTitle: (name: string) => `לחזור על ״${name}״`,
  dialogMeaning: "ההודעה, התמונה והסוג נלקחים מהקמפיין כפי שהם עכשיו. אנשי הקשר נלקחים בכל פעם מהרשימות.",
  fromLists: "לאנשים מהרשימות",
  exceptLists: "חוץ ממי שנמצא ברשימות אחרות",
  leaveOut: "להשמיט בכל פעם נמענים שחסר להם ערך שההודעה צריכה",
  noLists: "עוד אין רשימות. קודם שומרים אנשי קשר ברשימה.",
  toLists: "לרשימות שלי",
  missingLists: "נא לבחור לפחות רשימה אחת",
  howOften: "כל כמה זמן",
  kinds: {
    weekly: "בכל שבוע",
    monthly: "בכל חודש",
    hebrew_monthly: "בכל חודש עברי",
    hebrew_yearly: "בכל שנה עברית",
  },
  weekdays: "באילו ימים",
  missingWeekday: "נא לבחור לפחות יום אחד",
  dayOfMonth: "ביום בחודש",
  month: "חודש",
  lastIfShort: "בחודש קצר יותר, ביום האחרון שלו.",
  hour: "שעה",
  firstDay: "מיום",
  lastDay: "עד יום",
  lastDayHint: "אפשר להשאיר ריק.",
  missingDay: "נא לבחור יום",
  wrongOrder: "היום האחרון מוקדם מהראשון",
  upcoming: "המועדים הקרובים",
  none: "אין אף מועד בין הימים שנבחרו.",
  create: "יצירת השליחה החוזרת",
  creating: "יוצר...",
  createdTitle: "השליחה החוזרת נוצרה",
  created: "החזרה הראשונה תיווצר יום לפני המועד שלה.",
  createFailedTitle: "השליחה החוזרת לא נוצרה",
  createFailed: "השרת לא אישר את השליחה החוזרת.",
};

export const WEEKDAYS = ["ראשון", "שני", "שלישי", "רביעי", "חמישי", "שישי", "שבת"];
export const MONTHS: Record<HebrewMonth, string> = {
  Tishri: "תשרי",
  Heshvan: "חשוון",
  Kislev: "כסלו",
  Tevet: "טבת",
  Shevat: "שבט",
  Adar: "אדר",
  Nisan: "ניסן",
  Iyar: "אייר",
  Sivan: "סיוון",
  Tamuz: "תמוז",
  Av: "אב",
  Elul: "אלול",
};

/** Why a repeat waits, and what to do. */
export const HOLDS: Record<SeriesHold, string> = {
  quota_short: "נעצרה כי אין די הודעות במכסה. הקמפיין של החזרה האחרונה מוכן ומחכה לכם.",
  list_empty: "נעצרה כי אין ברשימות נמענים שאפשר לשלוח להם.",
  run_refused: "נעצרה כי אי אפשר היה לתזמן את החזרה האחרונה. הסיבה כתובה לידה.",
  client_disabled: "נעצרה כי המשתמש הושבת.",
  restored: "המערכת שוחזרה מגיבוי. כדאי לבדוק מה כבר נשלח, ואז להמשיך.",
  stopped: "נעצרה לבקשתכם.",
};

export const RUN_STATES: Record<RunState, string> = {
  making: "נוצרת עכשיו",
  made: "נוצרה",
  missed: "לא יצאה: המועד עבר",
  quota_short: "לא תוזמנה: אין די הודעות במכסה",
  list_empty: "לא נוצרה: אין נמענים ברשימות",
  run_refused: "לא תוזמנה",
};

/** Returns when a repeat runs: "בכל שבוע, ביום ראשון וביום רביעי, ב־09:00". */
export function ruleSentence({ rule, minutes }: Pick<Series, "rule" | "minutes">): string {
  return `${daysOf(rule)}, ב־${writeTime(minutes)}`;
}

/** Returns "09:30" for 570. */
export function writeTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Returns "לרשימה לקוחות" or "ל־3 רשימות". */
export function listsSentence(lists: Series["lists"]): string {
  return lists.map(({ name }) => `״${name}״`).join(", ") || countOf(0, "contact");
}

function daysOf(rule: RepeatRule): string {
  switch (rule.kind) {
    case "weekly":
      return `בכל שבוע, ${joined(rule.weekdays.map((day) => day === 6 ? "בשבת" : `ביום ${WEEKDAYS[day]}`))}`;
    case "monthly":
      return `בכל חודש, ${joined(rule.days.map((day) => `ב־${day}`))}`;
    case "hebrew_monthly":
      return `בכל חודש עברי, ${joined(rule.days.map((day) => `ב${hebrewNumber(day)} בחודש`))}`;
    case "hebrew_yearly":
      return `בכל שנה, ${
        joined(rule.dates.map(({ month, day }) => `ב${hebrewNumber(day)} ב${MONTHS[month]}`))
      }`;
  }
}

function joined(parts: string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ו${parts.at(-1)}`;
}
