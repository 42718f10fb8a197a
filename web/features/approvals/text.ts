/** Words of the administrators' queue of approvals. */
import { planMoment } from "shared/hebrew_date.ts";
import type { WaitingApproval } from "shared/approval_api.ts";
import { countOf } from "../../text/count.ts";
import { formatMoment, formatNumber } from "../../text/format.ts";

export const APPROVALS = {
  heading: "מחכים לאישור",
  more: (shown: number, count: number) => `מוצגים ${shown} הראשונים מתוך ${formatNumber(count)}.`,
  failed: "רשימת האישורים לא נטענה",
  text: "ההודעה",
  image: "התמונה של הקמפיין",
  toCampaign: "לקמפיין המלא",
  approve: "לאשר",
  approving: "מאשר...",
  refuse: "לא לאשר",
  people: (item: WaitingApproval) =>
    `${countOf(item.recipients, "recipient")}${
      item.total > item.recipients ? `, ועם שאר היום של הלקוח ${formatNumber(item.total)}` : ""
    }. מעל ${formatNumber(item.from)} ביום נדרש אישור.`,
  when: ({ plannedAt, series }: WaitingApproval) =>
    plannedAt === null
      ? "הלקוח ישלח אחרי האישור."
      : `${series === null ? "מתוזמן" : `מהשליחה החוזרת ״${series}״, מתוזמן`} ל${planMoment(plannedAt)}.`,
  asked: (at: number, now: number) => `הבקשה: ${formatMoment(at, now)}`,
  approvedTitle: "השליחה אושרה",
  refusedTitle: "השליחה לא אושרה",
  refusedBody: "הלקוח רואה את הסיבה.",
  failedTitle: "ההחלטה לא נשמרה",
  failedBody: "השרת לא אישר את ההחלטה.",
};

export const REFUSAL = {
  title: "למה לא לאשר את השליחה?",
  effect: "הלקוח יראה את הסיבה, ויוכל לתקן ולבקש שוב. הסיבה נרשמת ביומן הביקורת.",
  reason: "הסיבה",
  reasonHint: "למשל: חסר בהודעה שם העסק. בלי מספרי טלפון.",
  reasonShort: "נא לכתוב את הסיבה",
  confirm: "לא לאשר",
  pending: "שומר...",
};
