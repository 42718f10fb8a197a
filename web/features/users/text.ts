import { countOf } from "../../text/count.ts";
import { formatNumber } from "../../text/format.ts";

export const USERS = {
  heading: "ניהול משתמשים",
  subtitle: "יצירה וניהול של המשתמשים במערכת",
  create: "משתמש חדש",
  username: "שם משתמש",
  password: "סיסמה",
  usernameHint: "עד 64 תווים. אותיות גדולות וקטנות נחשבות זהות.",
  passwordHint: "8 עד 200 תווים. את הסיסמה מוסרים למשתמש.",
  quota: "מכסה התחלתית",
  quotaHint: "הודעות שהלקוח יוכל לשלוח מיד, עד 1,000,000,000. אפשר לטעון גם אחר כך.",
  quotaWrong: "נא להזין מספר שלם מ־0 עד 1,000,000,000",
  fresh: "חדש",
  firstPassword: "החלפה בכניסה הראשונה",
  firstPasswordHint: "הסיסמה טובה לשבוע, ועם הכניסה הראשונה המשתמש בוחר אחרת.",
  role: "תפקיד",
  roles: { client: "לקוח", admin: "מנהל" },
  submit: "צור משתמש",
  creating: "יוצר...",
  missingTitle: "שגיאה",
  missing: "נא למלא את כל השדות",
  createdTitle: "משתמש נוצר בהצלחה",
  created: (username: string) => `המשתמש ${username} נוסף למערכת`,
  createFailedTitle: "שגיאה ביצירת משתמש",
  createFailed: "המשתמש לא נוצר (Failed to create user)",
  list: "משתמשים",
  region: "רשימת המשתמשים",
  registered: (count: number) => count === 1 ? "משתמש אחד רשום" : `${formatNumber(count)} משתמשים רשומים`,
  loading: "טוען...",
  empty: "אין משתמשים במערכת",
  failed: "רשימת המשתמשים לא נטענה",
  fetchFailed: "השרת לא מסר את המשתמשים (Failed to fetch users)",
  search: "חיפוש משתמש",
  disabled: "מושבת",
  you: "זה החשבון שלכם",
  available: "הודעות זמינות",
  availableOne: "הודעה אחת זמינה",
  lists: "הרשימות",
  ledger: "תנועות במכסה",
  ledgerOf: (username: string) => `תנועות במכסה: ${username}`,
  secondFactor: "אימות דו־שלבי",
  removeSecondFactor: "הסרת אימות דו־שלבי",
  resetPassword: "סיסמה חדשה",
  disable: "השבתה",
  enable: "הפעלה מחדש",
};

export const LOAD = {
  open: "טען הודעות",
  title: (username: string) => `טען הודעות ל-${username}`,
  balance: (quota: number) => `יתרה נוכחית: ${countOf(quota, "message")}.`,
  field: "כמות הודעות לטעינה",
  placeholder: "100",
  hint: (count: number) => `הלקוח יוכל לשלוח עד ${countOf(count, "message")}`,
  after: (quota: number) => `היתרה אחרי הטעינה: ${countOf(quota, "message")}`,
  presets: "כמויות נפוצות",
  confirm: (count: number) => `טען ${countOf(count, "message")}`,
  pending: "טוען...",
  invalidTitle: "שגיאה",
  invalid: "נא להזין כמות הודעות תקינה",
  doneTitle: "הודעות נטענו בהצלחה",
  done: (quota: number) => `סה"כ כעת: ${formatNumber(quota)} הודעות זמינות`,
  failedTitle: "שגיאה בטעינת הודעות",
  failed: "ההודעות לא נטענו (Failed to load messages)",
  moved: (quota: number, count: number) =>
    `היתרה השתנתה בינתיים ל־${formatNumber(quota)}. לטעון ${countOf(count, "message")} מעל היתרה החדשה?`,
};

export const CORRECT = {
  open: "תיקון המכסה",
  title: (username: string) => `תיקון המכסה של ${username}`,
  effect: (quota: number) =>
    `יתרה נוכחית: ${
      countOf(quota, "message")
    }. התיקון נרשם בתנועות המכסה וביומן הביקורת, והלקוח רואה את הסיבה.`,
  direction: "סוג התיקון",
  take: "הפחתה",
  add: "תוספת",
  count: "כמות הודעות",
  after: (quota: number) => `היתרה אחרי התיקון: ${countOf(quota, "message")}`,
  invalid: "נא להזין מספר שלם, לפחות 1",
  tooMuch: (quota: number) => `אפשר להפחית עד ${countOf(quota, "message")}: היתרה לא יורדת מתחת לאפס`,
  reason: "סיבה",
  reasonHint: "למשל: טעינה כפולה מאתמול. בלי מספרי טלפון.",
  reasonShort: "נא לכתוב סיבה, לפחות 3 תווים",
  confirm: "לתקן את המכסה",
  pending: "מתקן...",
  doneTitle: "המכסה תוקנה",
  done: (quota: number) => `סה"כ כעת: ${formatNumber(quota)} הודעות זמינות`,
  failed: "המכסה לא תוקנה.",
};

export const USER_ACTS = {
  effectUnknown: "לא ידוע כמה קמפיינים פעילים יושהו. הכניסה תיחסם, ואפשר להפעיל מחדש בכל עת.",
  disableTitle: (username: string) => `להשבית את ${username}?`,
  disableEffect: (running: number, plans: number) => {
    const plansWait = plans === 0
      ? ""
      : plans === 1
      ? " תזמון אחד יחכה להחלטה של הלקוח."
      : ` ${plans} תזמונים ושליחות חוזרות יחכו להחלטה של הלקוח.`;
    return running === 0
      ? `הכניסה תיחסם מיד והחיבורים הפתוחים יסתיימו.${plansWait} אפשר להפעיל מחדש בכל עת.`
      : `${countOf(running, "campaign")} ${
        running === 1 ? "פעיל יושהה" : "פעילים יושהו"
      } והכניסה תיחסם.${plansWait} אפשר להפעיל מחדש בכל עת.`;
  },
  disable: "השבתה",
  disabling: "משבית...",
  disabledTitle: "המשתמש הושבת",
  enabledTitle: "המשתמש הופעל מחדש",
  passwordTitle: (username: string) => `סיסמה חדשה ל-${username}`,
  passwordEffect:
    "כל החיבורים הפתוחים של המשתמש יסתיימו, והכניסה הבאה תהיה בסיסמה החדשה. היא טובה לשבוע, ובכניסה הזאת המשתמש יבחר אחרת.",
  password: "סיסמה חדשה",
  passwordShort: "נא להזין לפחות 8 תווים",
  setPassword: "קביעת סיסמה",
  settingPassword: "קובע...",
  passwordSetTitle: "הסיסמה הוחלפה",
  passwordSet: (username: string) => `את הסיסמה החדשה מוסרים ל-${username}.`,
  factorTitle: (username: string) => `להסיר את האימות הדו־שלבי של ${username}?`,
  factorEffect:
    "מיועד למי שאבד לו הטלפון, אחרי שווידאתם מי מבקש. כל החיבורים הפתוחים של המשתמש יסתיימו, קודי השחזור יימחקו והכניסה הבאה תהיה בסיסמה בלבד.",
  removeFactor: "הסרת האימות",
  removingFactor: "מסיר...",
  factorRemovedTitle: "האימות הדו־שלבי הוסר",
  failedTitle: "הפעולה לא בוצעה",
  failed: "השרת לא אישר את הפעולה. דבר לא השתנה.",
};
