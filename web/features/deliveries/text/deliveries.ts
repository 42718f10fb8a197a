import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

export const DELIVERIES = {
  heading: "נמענים",
  region: "טבלת נמענים",
  columns: { phone: "מספר", state: "מצב", account: "חשבון שולח", time: "שעה", reason: "סיבה", act: "טיפול" },
  search: "חיפוש לפי מספר",
  sender: "מספר שולח",
  unknownSender: "לא רשום",
  waitingForSite: { client: "ממתין לעמדת שליחה", admin: "ממתין לאתר" },
  waitingFor: (site: string) => `ממתין ל${site}`,
  noDigits: "אפשר לחפש לפי ספרות של מספר טלפון.",
  csv: "ייצוא CSV",
  noneInState: "אין נמענים במצב הזה.",
  noMatch: (query: string) => `המספר ${query} לא נמצא בקמפיין הזה.`,
  noneYet: "עוד אין בקמפיין אנשי קשר.",
  loading: "טוען נמענים...",
  failed: "רשימת הנמענים לא נטענה",
  resolve: "טיפול",
  resolveTitle: "מה קרה להודעה?",
  resolveTitleMany: "מה קרה להודעות?",
  asSent: "לסמן כנשלח: ההודעה נראית בשיחה",
  asResend: "לשלוח שוב: ייתכן שהנמען יקבל אותה פעמיים",
  asFailed: "לסמן ככישלון: ההודעה תוחזר למכסה",
  resolveWhy:
    "החיבור למכשיר נותק ברגע השליחה, ואי אפשר לדעת אם ההודעה יצאה. השיחה נמצאת בטלפון השולח: כדאי לבקש בדיקה ממנהל המערכת לפני שמחליטים.",
  confirm: { sent: "סימון כנשלח", resend: "שליחה חוזרת", failed: "סימון ככישלון" },
  resolving: "מעדכן...",
  resolvedTitle: "המצב עודכן",
  resolved: (changed: number) => `${countOf(changed, "recipient")} ${oneOrMany(changed, "עודכן", "עודכנו")}.`,
  resolveFailedTitle: "המצב לא עודכן",
  resolveFailed: "השרת לא אישר את העדכון. דבר לא השתנה.",
};

/** Words of one recipient's history. */
export const STORY = {
  title: "היסטוריית הנמען",
  loading: "טוען היסטוריה...",
  failed: "ההיסטוריה לא נטענה",
  empty: "ההודעה עוד לא יצאה מהתור.",
  attempt: (attempt: number) => `ניסיון ${attempt}`,
  tapped: (time: string) => `הלחיצה על ״שליחה״: ${time}`,
  close: "סגירה",
};

/** Returns the question before sending again to people who may already have the message. */
export function resendQuestion(count: number): string {
  if (count === 1) return "לשלוח שוב לנמען אחד? ייתכן שכבר קיבל את ההודעה.";
  const whom = count === 2 ? "לשני נמענים" : `ל־${formatNumber(count)} נמענים`;
  return `לשלוח שוב ${whom}? ייתכן שחלקם כבר קיבלו את ההודעה.`;
}

/** Returns the text of the button beside the notice of unknown deliveries. */
export function resolveButton(count: number): string {
  if (count === 1) return "טיפול בנמען";
  if (count === 2) return "טיפול בשני הנמענים";
  return `טיפול ב־${formatNumber(count)} הנמענים`;
}

/** Returns phone and app in words: "R58M/com.whatsapp.w4b/0" → "R58M · WhatsApp Business". */
export function accountName(key: string): string {
  const [device, app, androidUser] = key.split("/");
  if (app === undefined) return key;
  const name = app === "com.whatsapp" ? "WhatsApp" : app === "com.whatsapp.w4b" ? "WhatsApp Business" : app;
  const user = androidUser === "0" ? "" : ` · ${androidUser}`;
  return `${device} · ${name}${user}`;
}
