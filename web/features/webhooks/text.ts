import type { WebhookFailure, WebhookPause } from "shared/webhook_event.ts";
import { formatNumber } from "../../text/format.ts";

export const WEBHOOKS = {
  title: "Webhooks · שיגור",
  heading: "Webhooks",
  subtitle: "המערכת מודיעה לתוכנה שלכם מה קרה, בקריאה חתומה לכתובת שתבחרו. כך לא צריך לשאול שוב ושוב.",
  developers: "מה מגיע, ואיך בודקים את החתימה",
  back: "חזרה לחשבון שלי",
  link: "לכתובות",
  linkMeaning: "לקבל הודעה בתוכנה אחרת כשקמפיין מסתיים, כשהודעה נשלחה וכשנמען מבקש הסרה.",
  list: "כתובות",
  region: "רשימת הכתובות",
  loading: "טוען...",
  failed: "רשימת הכתובות לא נטענה",
  none: "אין כתובות",
  noneBody: "אחרי שמוסיפים כתובת אפשר לשלוח אליה קריאת ניסיון.",
  on: "פעילה",
  failing: "לא עונה",
  pausedMark: "מושהית",
  arrived: (moment: string) => `קריאה אחרונה שהתקבלה: ${moment}`,
  neverArrived: "עוד לא התקבלה בה קריאה",
  waiting: (count: number) =>
    count === 1 ? "קריאה אחת מחכה" : count === 2 ? "שתי קריאות מחכות" : `${formatNumber(count)} קריאות מחכות`,
  givenUp: (count: number) =>
    count === 1
      ? "קריאה אחת לא התקבלה"
      : count === 2
      ? "שתי קריאות לא התקבלו"
      : `${formatNumber(count)} קריאות לא התקבלו`,
  failingSince: (moment: string) => `לא התקבלה תשובה טובה מאז ${moment}`,
  oldSecret: (moment: string) => `גם הסוד הקודם חותם עד ${moment}`,
  endOld: "ביטול הסוד הקודם",
  test: "קריאת ניסיון",
  testOf: (name: string) => `קריאת ניסיון אל ${name}`,
  tested: "קריאת הניסיון בדרך",
  calls: "קריאות",
  callsOf: (name: string) => `הקריאות אל ${name}`,
  more: "עוד",
  change: "שינוי",
  changeOf: (name: string) => `שינוי של ${name}`,
  pause: "השהיה",
  pauseOf: (name: string) => `השהיה של ${name}`,
  paused: "הכתובת הושהתה",
  resume: "הפעלה",
  resumeOf: (name: string) => `הפעלה של ${name}`,
  resumed: "הכתובת פועלת שוב",
  newSecret: "סוד חדש",
  newSecretOf: (name: string) => `סוד חדש אל ${name}`,
  oldEnded: "הסוד הקודם בוטל",
  remove: "מחיקה",
  removeOf: (name: string) => `מחיקה של ${name}`,
  removeTitle: (name: string) => `למחוק את הכתובת ${name}?`,
  removeEffect: "לא יישלחו אליה קריאות נוספות, וגם מה שמחכה לא יישלח. אי אפשר להחזיר אותה.",
  removing: "מוחק...",
  removed: "הכתובת נמחקה",
  failedAct: "הפעולה לא בוצעה",
  failedActBody: "השרת לא אישר את הפעולה. דבר לא השתנה.",
  pausedLead: (count: number) =>
    count === 1 ? "כתובת webhook אחת מושהית" : `${formatNumber(count)} כתובות webhook מושהות`,
  pausedBody: "מה שקרה מאז מחכה 14 יום, ויישלח אחרי שמפעילים אותה.",
  toWebhooks: "לכתובות",
};

export const PAUSES: Record<WebhookPause, string> = {
  person: "הושהתה בידי אדם",
  failed: "הושהתה מעצמה: שלושה ימים לא התקבלה בה אף קריאה",
  gone: "הושהתה מעצמה: השרת שבכתובת ענה שהיא בוטלה",
  restored: "המערכת שוחזרה מגיבוי. הכתובת מחכה לאישור שלכם",
};

export const WEBHOOK_FORM = {
  heading: "כתובת חדשה",
  changeHeading: (name: string) => `שינוי של ${name}`,
  name: "שם",
  nameHint: "לזיהוי ברשימה. בלי מספרי טלפון.",
  namePlaceholder: "למשל: מערכת הלקוחות",
  nameMissing: "נא לכתוב שם",
  url: "כתובת",
  urlHint: "כתובת https באינטרנט. הקריאות נושאות מספרים של נמענים, ולכן לא שולחים אותן ל־http.",
  adminUrlHint: "כתובת https באינטרנט.",
  urlMissing: "נא לכתוב כתובת שמתחילה ב־https://",
  types: "על מה להודיע",
  typesMissing: "נא לבחור לפחות נושא אחד",
  quota: "להודיע כשנשארו במכסה פחות מ־",
  quotaWrong: "נא להזין מספר שלם, 1 ומעלה",
  submit: "הוספת הכתובת",
  making: "מוסיף...",
  save: "שמירה",
  saving: "שומר...",
  saved: "הכתובת נשמרה",
  failed: "הכתובת לא נשמרה",
  madeTitle: (name: string) => `הסוד של ${name}`,
  made:
    "הסוד מוצג פעם אחת. התוכנה שלכם בודקת בעזרתו שהקריאה הגיעה מהמערכת. שומרים אותו רק בהגדרות של התוכנה עצמה.",
  renewed: "הסוד החדש מוצג פעם אחת. עוד יממה חותם גם הסוד הקודם, כך שאפשר להחליף בלי לאבד קריאה.",
  secretLabel: "סוד",
  done: "שמרתי את הסוד",
};

export const GROUPS: Record<string, { name: string; meaning: string }> = {
  campaign: { name: "קמפיינים", meaning: "נשלח, התחיל, הושהה, הסתיים, בוטל" },
  message: { name: "הודעות", meaning: "מה עלה בגורל כל הודעה, עד 100 בקריאה" },
  opt_out: { name: "בקשות הסרה", meaning: "נמען ביקש לא לקבל עוד" },
  reply: { name: "תשובות", meaning: "תשובה שנראית כבקשת הסרה" },
  quota: { name: "מכסה נמוכה", meaning: "נשארו פחות הודעות ממה שקבעתם" },
  site: { name: "אתרים", meaning: "התחבר, התנתק, נעצר, נוסף" },
  account: { name: "חשבונות", meaning: "נחסם, נותק, חזר לפעול" },
  alert: { name: "התראות", meaning: "התראה שהתחילה או נגמרה" },
};

export const CALLS = {
  loading: "טוען...",
  failed: "הקריאות לא נטענו",
  none: "אין קריאות",
  noneBody: "קריאות ותוצאות נשמרות כאן 14 יום.",
  region: "רשימת הקריאות",
  filter: "סינון הקריאות",
  all: "הכול",
  states: { waiting: "מחכה", arrived: "התקבלה", given_up: "לא התקבלה" },
  test: "ניסיון",
  events: (count: number) => count === 1 ? "אירוע אחד" : `${formatNumber(count)} אירועים`,
  tries: (count: number) => count === 1 ? "ניסיון אחד" : `${formatNumber(count)} ניסיונות`,
  next: (moment: string) => `ניסיון נוסף ${moment}`,
  answered: (status: number) => `תשובה ${status}`,
  again: "שליחה שוב",
  againOf: (id: string) => `שליחה שוב של ${id}`,
  againDone: (count: number) =>
    count === 1 ? "קריאה אחת תישלח שוב" : `${formatNumber(count)} קריאות יישלחו שוב`,
  againAll: "שליחה שוב של כל מה שלא התקבל",
  showMore: "הצגת עוד",
  close: "סגירה",
};

export const FAILURES: Record<WebhookFailure, string> = {
  name: "לשם שבכתובת אין כתובת ברשת",
  address: "לכתובת הזו אי אפשר לשלוח",
  connect: "השרת לא ענה לחיבור",
  tls: "החיבור המאובטח נכשל: האישור של השרת לא תקין",
  refused: "השרת סירב",
  timeout: "לא הגיעה תשובה בתוך 10 שניות",
  broken: "החיבור נותק, או שהתשובה אינה HTTP",
  too_long: "התשובה ארוכה מדי",
  secret: "הסוד לא נפתח. נא ליצור סוד חדש",
};
