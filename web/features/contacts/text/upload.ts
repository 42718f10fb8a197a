import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

/** Words of an upload's result. */
export const UPLOAD = {
  heading: "תוצאות הטעינה",
  added: (count: number) => oneOrMany(count, "מספר נקלט", "מספרים נקלטו"),
  duplicates: "חזרו על עצמם",
  duplicatesWhy: "מופיעים יותר מפעם אחת, או שכבר היו בקמפיין. כל מספר מקבל הודעה אחת.",
  invalid: "לא תקינים",
  invalidWhy: "בשורות האלה אין מספר שאפשר לשלוח אליו. שאר השורות נקלטו.",
  suppressed: "ביקשו הסרה",
  suppressedWhy: "נמצאים ברשימת ההסרה, ולכן לא נוספו.",
  withoutConsent: "בלי בסיס להסכמה",
  withoutConsentWhy:
    "לא הוצהר שהסכימו לקבל דיוור, ולכן לא נכללו. כדי לכלול אותם, מוסיפים אותם שוב עם הבסיס להסכמה.",
  columns: { row: "שורה", text: "מה כתוב בה", why: "למה נדחתה" },
  nothing: "(ריק)",
  problems: (shown: number, all: number) =>
    shown < all ? `${formatNumber(shown)} הראשונות מתוך ${countOf(all, "row")} שנדחו` : "השורות שנדחו",
  rejected: (count: number) =>
    count === 1
      ? "הורדת השורה שנדחתה"
      : `הורדת ${count === 2 ? "שתי" : `כל ${formatNumber(count)}`} השורות שנדחו`,
};
