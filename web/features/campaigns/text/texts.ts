import { MAX_TEXTS, TEXT_NAMES } from "shared/text_names.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

/** Words about several texts of one campaign. */
export const TEXTS = {
  heading: "כמה נוסחים",
  hint:
    `אפשר לנסות עד ${MAX_TEXTS} נוסחים על גל הניסיון: כל נמען בגל מקבל אחד מהם, באקראי. אחר כך אתם בוחרים איזה נוסח יקבלו כל השאר.`,
  needsPilot: "כדי לשלוח כמה נוסחים צריך לבחור גל ניסיון.",
  first: "נוסח א׳ הוא ההודעה של הקמפיין.",
  add: "להוסיף נוסח",
  label: (index: number) => `נוסח ${nameOf(index)}`,
  remove: (index: number) => `הסרת נוסח ${nameOf(index)}`,
  save: "שמירת הנוסחים",
  saving: "שומר...",
  saved: "הנוסחים נשמרו",
  failedTitle: "הנוסחים לא נשמרו",
  nothingChanged: "שום דבר לא השתנה.",
  empty: "נא לכתוב את הנוסח, או להסיר אותו.",
  loadFailed: "הנוסחים לא נטענו",
  loading: "טוען נוסחים...",
  results: "הנוסחים",
  proposed: "הכי מעט כשלים והסרות עד כה",
  close: "ההבדל בין הנוסחים קטן, וייתכן שהוא מקרי.",
  chosen: "נבחר לשאר הנמענים",
  choose: "לשלוח לשאר",
  chooseLabel: (index: number) => `לשלוח לשאר את נוסח ${nameOf(index)}`,
  chooseTitle: (index: number) => `לשלוח לשאר את נוסח ${nameOf(index)}?`,
  chooseBody: "כל מי שעוד לא קיבל נוסח יקבל את הנוסח הזה, והשליחה תמשיך מיד. אי אפשר לשנות את הבחירה.",
  choosing: "בוחר...",
  chooseFailedTitle: "הנוסח לא נבחר",
  figures: ({ sent, failed, unknown, removals }: Figures) =>
    [
      `${formatNumber(sent)} ${oneOrMany(sent, "נשלחה", "נשלחו")}`,
      `${formatNumber(failed)} ${oneOrMany(failed, "נכשלה", "נכשלו")}`,
      unknown > 0 && `${formatNumber(unknown)} לא ${oneOrMany(unknown, "ידועה", "ידועות")}`,
      `${countOf(removals, "recipient")} ${oneOrMany(removals, "ביקש", "ביקשו")} הסרה`,
    ].filter(Boolean).join(" · "),
};

interface Figures {
  sent: number;
  failed: number;
  unknown: number;
  removals: number;
}

/** Returns "ב׳" for the second text; `index` begins at 0. */
function nameOf(index: number): string {
  return `${TEXT_NAMES[index] ?? index + 1}׳`;
}
