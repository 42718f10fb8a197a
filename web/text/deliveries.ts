import type { DeliveryState } from "shared/delivery.ts";
import { countOf, oneOrMany } from "./count.ts";
import { formatNumber } from "./format.ts";

/** Many recipients' state, for filters and for the strip. */
export const DELIVERY_STATE_PLURALS: Record<DeliveryState, string> = {
  queued: "בתור",
  leased: "במכשירים",
  sent: "נשלחו",
  failed: "נכשלו",
  unknown: "לא ידוע",
  skipped: "דולגו",
  cancelled: "בוטלו",
};

export const DELIVERIES = {
  heading: "נמענים",
  region: "טבלת נמענים",
  columns: { phone: "מספר", state: "מצב", account: "חשבון שולח", time: "שעה", reason: "סיבה", act: "טיפול" },
  search: "חיפוש לפי מספר",
  all: "הכול",
  waitingForSite: "ממתין לאתר",
  waitingForSiteNamed: (site: string) => `ממתין לאתר ${site}`,
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
  resolveWhy: "החיבור למכשיר נותק ברגע השליחה, ואי אפשר לדעת אם ההודעה יצאה. כדאי לבדוק בשיחה שבמכשיר.",
  confirm: { sent: "סימון כנשלח", resend: "שליחה חוזרת", failed: "סימון ככישלון" },
  resolving: "מעדכן...",
  resolvedTitle: "המצב עודכן",
  resolved: (changed: number) => `${countOf(changed, "recipient")} ${oneOrMany(changed, "עודכן", "עודכנו")}.`,
  resolveFailedTitle: "המצב לא עודכן",
  resolveFailed: "השרת לא אישר את העדכון. דבר לא השתנה.",
};

/** The question before sending again to people who may already have the message. */
export function resendQuestion(count: number): string {
  if (count === 1) return "לשלוח שוב לנמען אחד? ייתכן שכבר קיבל את ההודעה.";
  return `לשלוח שוב ל־${formatNumber(count)} נמענים? ייתכן שחלקם כבר קיבלו את ההודעה.`;
}

/** The button beside the notice of unknown deliveries. */
export function resolveButton(count: number): string {
  if (count === 1) return "טיפול בנמען";
  if (count === 2) return "טיפול בשני הנמענים";
  return `טיפול ב־${formatNumber(count)} הנמענים`;
}

/** "R58M/com.whatsapp.w4b/0" → "R58M · WhatsApp Business": the phone and the app, as a person says them. */
export function accountName(key: string): string {
  const [device, app, androidUser] = key.split("/");
  const name = app === "com.whatsapp" ? "WhatsApp" : app === "com.whatsapp.w4b" ? "WhatsApp Business" : app;
  const user = androidUser === "0" ? "" : ` · ${androidUser}`;
  return `${device} · ${name}${user}`;
}
