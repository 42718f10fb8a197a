/** Words of a campaign's limit a day. */
import { countOf } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

export const DAY_LIMIT = {
  title: "פיזור על כמה ימים",
  meaning: "בכל יום יוצאת לכל היותר הכמות הזאת, והשאר ממשיך למחרת, לפי שעות השליחה ובלי שבת וחג.",
  none: "אין הגבלה על הכמות ביום.",
  choose: "לפזר על כמה ימים",
  change: "שינוי הכמות ליום",
  most: "כמה הודעות ביום, לכל היותר",
  save: "שמירת הכמות",
  saving: "שומר...",
  remove: "בלי הגבלה",
  cancel: "ביטול",
  wholeNumber: (most: number) => `נא להזין מספר שלם מ־1 עד ${formatNumber(most)}`,
  failedTitle: "הכמות ליום לא נשמרה",
  failed: "השרת לא אישר את השינוי. הקמפיין נשאר כפי שהיה.",
};

/** Returns "עד 500 הודעות ביום." */
export function dayLimitSentence(most: number): string {
  return `עד ${countOf(most, "message")} ביום.`;
}
