/** Words of the pilot wave: a few messages first, then the rest after a look at the results. */
import type { Pilot } from "shared/http_api.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

const HOUR_MINUTES = 60;

export const PILOT = {
  title: "גל ניסיון",
  meaning:
    "ההודעה יוצאת קודם לראשונים ברשימה. אחרי ההמתנה, אם מעט נכשלו ומעט ביקשו הסרה, השאר יוצא מעצמו. אם לא, הקמפיין מושהה ואומר למה.",
  none: "ההודעה תצא לכל הרשימה.",
  choose: "לשלוח קודם גל ניסיון",
  change: "שינוי גל הניסיון",
  count: "כמה ראשונים",
  countHint: "פחות מכל הרשימה, לפי סדר השליחה.",
  wait: "דקות המתנה אחריהם",
  waitHint: "מספיק זמן כדי שהנמענים יגיבו.",
  save: "שמירת גל הניסיון",
  saving: "שומר...",
  remove: "בלי גל ניסיון",
  cancel: "ביטול",
  wholeNumber: (most: number) => `נא להזין מספר שלם מ־1 עד ${formatNumber(most)}`,
  failedTitle: "גל הניסיון לא נשמר",
  failed: "השרת לא אישר את השינוי. הקמפיין נשאר כפי שהיה.",
};

/** Returns "קודם 50 הודעות, אחריהן המתנה של 45 דקות, ואז השאר." */
export function pilotSentence({ count, waitMinutes }: Pilot): string {
  return `קודם ${countOf(count, "message")}, ${oneOrMany(count, "אחריה", "אחריהן")} המתנה של ${
    waitText(waitMinutes)
  }, ואז השאר.`;
}

/** Returns the wait, exact to the minute: "45 דקות", "שעתיים", "שעה ו־30 דקות". */
function waitText(waitMinutes: number): string {
  const [hours, minutes] = [Math.floor(waitMinutes / HOUR_MINUTES), waitMinutes % HOUR_MINUTES];
  if (hours === 0) return countOf(minutes, "minute");
  if (minutes === 0) return countOf(hours, "hour");
  const rest = countOf(minutes, "minute");
  return `${countOf(hours, "hour")} ו${/^\d/.test(rest) ? "־" : ""}${rest}`;
}
