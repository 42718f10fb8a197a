import type { ADMIN_SCOPES, CLIENT_SCOPES, KeyMode } from "shared/api_key.ts";
import { formatNumber } from "../../text/format.ts";

export const KEYS = {
  title: "מפתחות API · שיגור",
  heading: "מפתחות API",
  subtitle: "תוכנה אחרת, כמו מערכת ניהול לקוחות, פועלת בשמכם עם מפתח משלה. מפתח שמבוטל נחסם מיד.",
  developers: "ההודעה הראשונה, בשלושה צעדים",
  back: "חזרה לחשבון שלי",
  link: "למפתחות",
  linkMeaning: "לחבר תוכנה אחרת לחשבון, לקבוע מה היא רשאית, ולבטל.",
  list: "מפתחות פעילים",
  region: "רשימת המפתחות",
  loading: "טוען...",
  failed: "רשימת המפתחות לא נטענה",
  none: "אין מפתחות",
  noneBody: "מפתח שיוצרים כאן מוצג פעם אחת בלבד.",
  test: "ניסיון",
  waits: "מחכה לאישור",
  waitingLead: (count: number) =>
    count === 1 ? "מפתח אחד מחכה לאישור" : `${formatNumber(count)} מפתחות מחכים לאישור`,
  waitingBody: "המערכת שוחזרה מגיבוי. ייתכן שמפתח שבוטל מאז חזר לרשימה. עד לאישור אף אחד מהם לא פועל.",
  never: "עוד לא היה בשימוש",
  used: (moment: string) => `שימוש אחרון ${moment}`,
  endless: "בלי תפוגה",
  until: (moment: string) => `בתוקף עד ${moment}`,
  daily: (limit: number) => `עד ${formatNumber(limit)} בקשות ביום`,
  from: "רק מהכתובות:",
  confirm: "אישור",
  confirmOf: (name: string) => `אישור של ${name}`,
  confirmed: "המפתח אושר ופועל שוב",
  revoke: "ביטול המפתח",
  revokeOf: (name: string) => `ביטול המפתח ${name}`,
  revokeTitle: (name: string) => `לבטל את המפתח ${name}?`,
  revokeEffect: "תוכנה שמשתמשת בו תיחסם מיד, ואי אפשר להחזיר אותו. אפשר ליצור מפתח חדש.",
  revoking: "מבטל...",
  revoked: "המפתח בוטל",
  failedAct: "הפעולה לא בוצעה",
  failedActBody: "השרת לא אישר את הפעולה. דבר לא השתנה.",
};

export const MAKE_KEY = {
  heading: "מפתח חדש",
  name: "לאיזו תוכנה",
  nameHint: "לזיהוי המפתח ברשימה. בלי מספרי טלפון.",
  namePlaceholder: "למשל: מערכת הלקוחות",
  nameMissing: "נא לכתוב לאיזו תוכנה המפתח",
  mode: "סוג",
  scopes: "מה התוכנה רשאית",
  scopesMissing: "נא לבחור לפחות הרשאה אחת",
  life: "תוקף",
  lives: { 30: "30 יום", 90: "90 יום", 365: "שנה", 0: "בלי תפוגה" } as Record<number, string>,
  daily: "הגבלה ליום (לא חובה)",
  dailyHint: "מספר הבקשות המרבי ביממה",
  dailyWrong: "נא להזין מספר שלם, 1 ומעלה",
  addresses: "כתובות מותרות (לא חובה)",
  addressesHint: "כתובות או רשתות, עם פסיקים ביניהן. ריק: מכל מקום.",
  addressesWrong: (text: string) => `זו לא כתובת IP: ${text}`,
  submit: "יצירת מפתח",
  making: "יוצר...",
  madeTitle: (name: string) => `המפתח של ${name}`,
  made: "המפתח מוצג פעם אחת. מי שמחזיק בו פועל בשמכם, ולכן שומרים אותו רק בהגדרות של התוכנה עצמה.",
  secretLabel: "מפתח",
  done: "שמרתי את המפתח",
  failed: "המפתח לא נוצר",
};

export const MODES: Record<KeyMode, { name: string; meaning: string }> = {
  live: { name: "אמיתי", meaning: "מה שהתוכנה שולחת יוצא לנמענים" },
  test: { name: "ניסיון", meaning: "קורא, משנה טיוטות ומנסה הודעות. דבר לא יוצא לטלפון" },
};

type ScopeWords = { name: string; meaning: string };
/** The scopes that open a call today. */
export const CLIENT_SCOPE_WORDS: Partial<Record<(typeof CLIENT_SCOPES)[number], ScopeWords>> = {
  "campaigns:read": { name: "קריאת קמפיינים", meaning: "רואה קמפיינים ומצב, בלי מספרי הנמענים" },
  "campaigns:write": { name: "כתיבת קמפיינים", meaning: "יוצר, משנה ומוחק טיוטות. לא שולח" },
  "campaigns:send": { name: "שליחה ועצירה", meaning: "שולח, משהה, ממשיך ומבטל. שליחה מורידה מהמכסה" },
  contacts: { name: "אנשי קשר", meaning: "טוען נמענים לטיוטה ומסיר אותם, וקורא ומשנה את הרשימות" },
  "messages:send": {
    name: "שליחת הודעות בודדות",
    meaning: "מוסר הודעה למספר אחד ורואה את מצבה. כל הודעה יורדת מהמכסה",
  },
  reports: { name: "דוחות", meaning: "רואה נמענים, תוצאות, הסכמות ותנועות מכסה" },
  opt_outs: { name: "רשימת ההסרה", meaning: "רואה את הרשימה ומוסיף לה. לא מוציא ממנה" },
};
export const ADMIN_SCOPE_WORDS: Record<(typeof ADMIN_SCOPES)[number], ScopeWords> = {
  "admin:read": { name: "קריאה", meaning: "רואה את הצי, המשתמשים והיומנים, עם מספרים מוסתרים" },
  "admin:write": { name: "פעולות", meaning: "טוען מכסה וקבצים, ומפעיל טלפונים. לא משנה הגדרות" },
};
