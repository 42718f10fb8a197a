import type { DeliveryReason, DeliveryState } from "shared/delivery.ts";
import { type Audience, DELIVERY_STATE_LABELS, DELIVERY_WORDS } from "shared/delivery_words.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";

/** Words about writing again to recipients of a campaign. */
export const AGAIN = {
  open: "לכתוב שוב",
  title: "לכתוב שוב לחלק מהנמענים",
  hint:
    "ייווצר קמפיין חדש עם אותו נוסח, שאפשר לשנות. דבר לא יישלח בלי לחיצה על ״שלח״. מי שביקש הסרה לא ייכלל, ומי שההודעה תגיע אליו בינתיים יושמט.",
  whom: "למי לכתוב שוב",
  loading: "טוען לפי תוצאה...",
  failed: "הנמענים לא נספרו",
  nobody: "אין נמענים שאפשר לכתוב להם שוב.",
  notOnApp: "לפי הבדיקה אין להם חשבון, ולכן גם הפעם ההודעה לא תגיע אליהם.",
  leftOut: "בקמפיין החדש צריך להוסיף לשדה נוסח חלופי. אחרת גם הפעם לא תישלח אליהם הודעה.",
  confirmUnknown: "ידוע לי שחלק מהנמענים האלה אולי כבר קיבלו את ההודעה, ויקבלו אותה פעמיים.",
  unconfirmed: "נא לאשר, או לבטל את הסימון של מי שלא ידוע אם קיבלו.",
  none: "נא לסמן לפחות קבוצה אחת.",
  make: (count: number) =>
    count === 0 ? "קמפיין חדש" : `קמפיין חדש ל${dash(count)}${countOf(count, "recipient")}`,
  making: "מכין...",
  failedTitle: "הקמפיין החדש לא נוצר",
  nothingChanged: "שום דבר לא השתנה.",
  againOf: "נכתב שוב לנמענים של קמפיין קודם",
};

/** Returns "נכשל: אין חשבון במספר הזה". */
export function groupLabel(
  { state, reason }: { state: DeliveryState; reason: DeliveryReason | null },
  reader: Audience,
): string {
  const label = DELIVERY_STATE_LABELS[state];
  return reason === null ? label : `${label}: ${DELIVERY_WORDS[reader].reasons[reason]}`;
}

/** Returns "3 נמענים" as a figure beside its group. */
export function groupCount(count: number): string {
  return countOf(count, "recipient");
}

function dash(count: number): string {
  return oneOrMany(count, "", count === 2 ? "" : "־");
}
