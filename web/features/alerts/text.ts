import type { AlertChannel, AlertFailure, AlertMessage } from "shared/admin_api.ts";
import { countOf } from "../../text/count.ts";
import { formatAge, formatSpan } from "../../text/format.ts";

const HOURS: Record<number, string> = { 1: "לשעה", 4: "ל־4 שעות", 24: "ליממה", 168: "לשבוע" };

/** Words of the alerts' screen and of their way out of the browser. */
export const ALERT_PAGE = {
  heading: "התראות",
  subtitle: "מה מחכה לטיפול, לפי הסיבה, ומה עושים.",
  toPage: "לכל ההתראות",
  open: "מחכות לטיפול",
  quiet: "מושתקות",
  acknowledge: "ראיתי",
  snooze: "השתקה",
  snoozeOf: (title: string) => `השתקה: ${title}`,
  snoozeFor: (hours: number) => `השתקה ${HOURS[hours] ?? `ל־${hours} שעות`}`,
  unquiet: "החזרה לרשימה",
  working: "שומר...",
  changed: "ההתראה לא השתנתה",
  changedHint: "השרת לא אישר את הפעולה. ייתכן שהסיבה כבר איננה.",
  showAll: (count: number) => `הצגת ${countOf(count, "alert")}`,
  hideAll: "הסתרה",
  showMore: "הצגת עוד",
  itemsFailed: "ההתראות של הסיבה הזו לא נטענו",
  loadingItems: "טוען...",
  noItems: "הסיבה כבר איננה.",
  acknowledged: (by: string, age: string) => `סומנה כמטופלת בידי ${by} ${age}. תחזור אם תחמיר או תופיע שוב.`,
  snoozed: (by: string, age: string, left: string) =>
    `הושתקה בידי ${by} ${age}, לעוד ${left}. תחזור קודם אם תחמיר.`,
};

export const OUTSIDE = {
  heading: "התראות אל מחוץ לדפדפן",
  hint:
    "כל סיבה יוצאת כשהיא מתחילה או מחמירה, לכל היותר פעם בשעה. הכתובות נקבעות בשרת בלבד, ואין בהודעה שמות של לקוחות, קמפיינים או נמענים.",
  channels: { email: "דוא״ל", webhook: "webhook" } satisfies Record<AlertChannel, string>,
  setUp: "הוגדר בשרת",
  notSetUp: { email: "לא הוגדר בשרת (SMTP_URL)", webhook: "לא הוגדר בשרת (ALERT_WEBHOOK_URL)" },
  test: "ניסיון",
  testOf: (channel: string) => `ניסיון: ${channel}`,
  testing: "שולח...",
  testFailed: "הניסיון לא נשלח",
  testSent: "הודעת הניסיון התקבלה בשרת שמעבר",
  testUndelivered: "הודעת הניסיון לא נמסרה",
  lastTest: "ניסיון אחרון:",
  lastFailure: "התראה אחרונה שלא נמסרה:",
  kind: "סוג ההתראה",
  region: "אילו התראות יוצאות",
  choose: (label: string, channel: string) => `${label}: ${channel}`,
  errors: "תקלות",
  warnings: "אזהרות",
  refused: "השרת לא אישר את הפעולה.",
  saveFailed: "הבחירה לא נשמרה",
  loading: "טוען...",
  failed: "הגדרות המשלוח לא נטענו",
};

const WHY: Record<AlertFailure, string> = {
  connect: "אין חיבור לשרת שמעבר",
  tls: "אין חיבור מאובטח לשרת שמעבר",
  login: "שם המשתמש או הסיסמה נדחו",
  refused: "השרת שמעבר סירב",
  timeout: "לא התקבלה תשובה בזמן",
  broken: "החיבור נותק, או שהתשובה לא הובנה",
  stopped: "השרת נעצר באמצע",
};
const BY: Record<AlertChannel, string> = { email: "בדוא״ל", webhook: "ב־webhook" };

/** Returns the reason of a failure, with the status that the other side gave. */
export function failureText({ reason, status }: Pick<AlertMessage, "reason" | "status">): string {
  if (reason === null) return "";
  return status === null ? WHY[reason] : `${WHY[reason]} (${status})`;
}

/** Returns what happened to a message, as a sentence. */
export function messageText(message: AlertMessage, now: number): string {
  const age = formatAge(now - message.at);
  const by = BY[message.channel];
  if (message.state === "sending") return `יוצאת עכשיו ${by}.`;
  if (message.state === "sent") return `נשלחה ${by} ${age}.`;
  const why = failureText(message);
  if (message.state === "unknown") return `לא ידוע אם נמסרה ${by} ${age}: ${why}.`;
  const next = message.nextAt === null
    ? ""
    : message.nextAt <= now
    ? " מנסים שוב."
    : ` ניסיון נוסף בעוד ${formatSpan(message.nextAt - now)}.`;
  return `לא נמסרה ${by} ${age}: ${why}.${next}`;
}
