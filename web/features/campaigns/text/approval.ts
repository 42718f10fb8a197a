/** Words of a campaign that needs an administrator's approval, for its client. */
import type { Approval } from "shared/approval_api.ts";
import { countOf } from "../../../text/count.ts";

export const APPROVAL = {
  ask: (people: number) => `לבקש אישור ל${people > 2 ? "־" : ""}${countOf(people, "recipient")}`,
  asking: "שולח בקשה...",
  askedTitle: "הבקשה נשלחה למנהלי המערכת",
  askedBody: "כשתאושר, אפשר יהיה לשלוח מכאן.",
  failedTitle: "הבקשה לא נשלחה",
  failed: "השרת לא אישר את הבקשה.",
  planWaits: "השליחה דורשת אישור של מנהל המערכת. התזמון הוא גם הבקשה: אם יתקבל אישור, היא תצא במועד.",
};

/** Returns why a send waits, as two sentences. */
export function approvalSentence({ state, total, from, hasChanged, reason }: Approval): string {
  const much = `היום יוצאות מכם הודעות ל${total > 2 ? "־" : ""}${
    countOf(total, "recipient")
  } בסך הכול, ומעל ${from.toLocaleString("en-US")} ביום נדרש אישור של מנהל המערכת.`;
  switch (state) {
    case "needed":
      return hasChanged ? `${much} הקמפיין השתנה מאז הבקשה הקודמת, ולכן צריך לבקש שוב.` : much;
    case "asked":
      return `${much} הבקשה נשלחה ומחכה להחלטה. שינוי בקמפיין יבטל אותה.`;
    case "approved":
      return "מנהל המערכת אישר את השליחה כפי שהיא. שינוי בהודעה, בתמונה או בנמענים יבטל את האישור.";
    case "refused":
      return `מנהל המערכת לא אישר את השליחה. ${reason === null ? "" : `הסיבה: ${reason}`}`.trim();
  }
}
