/** Why a campaign stands where it does, one sentence for each code the server gives. */
import type { CampaignNotice } from "shared/http_api.ts";
import { countOf } from "./count.ts";
import { formatNumber, formatSpan, formatTime } from "./format.ts";

/** The sentence for one notice; `lead` is its bold beginning. */
export function noticeText(notice: CampaignNotice, now: number): { lead: string; body: string } {
  const { code, count = 0, site = "", since } = notice;
  switch (code) {
    case "no_contacts":
      return {
        lead: "עוד אין בקמפיין אנשי קשר.",
        body: "אחרי שמעלים קובץ או מדביקים מספרים, אפשר לשלוח.",
      };
    case "import_running":
      return {
        lead: count > 0 ? `הרשימה עדיין נטענת: ${countOf(count, "row")} עד כה.` : "הרשימה עדיין נטענת.",
        body: "אפשר לשלוח כשהטעינה תסתיים.",
      };
    case "no_device":
      return {
        lead: "אין כרגע מכשיר מחובר שיכול לשלוח.",
        body: "ההודעות שמורות בתור, והשליחה תתחדש מעצמה.",
      };
    case "cap_reached":
      return {
        lead: "כל החשבונות הגיעו לתקרה היומית.",
        body: count > 0 ? `${countOf(count, "message")} ימשיכו לצאת מחר.` : "השליחה תימשך מחר.",
      };
    case "waiting_for_site": {
      const away = since === undefined ? "שמנותק" : `שמנותק כבר ${formatSpan(now - since)}`;
      return {
        lead: `ממתין לאתר ${site}, ${away}.`,
        body: `${countOf(count, "message")} נמצאות אצלו ולא יישלחו ממקום אחר, כדי שאיש לא יקבל הודעה פעמיים.`,
      };
    }
    case "waiting_turn":
      return {
        lead: `לפני הקמפיין הזה יש עוד ${formatNumber(count)} בתור.`,
        body: "כולם מתקדמים לסירוגין.",
      };
    case "paused_by_client":
      return { lead: `הושהה על ידכם${at(since)}.`, body: waiting(count) };
    case "paused_by_admin":
      return { lead: `הושהה על ידי מנהל המערכת${at(since)}.`, body: waiting(count) };
    case "paused_by_rule":
      return {
        lead: `הושהה אוטומטית${at(since)}.`,
        body: "יותר מדי מההודעות האחרונות לא הצליחו. כדאי לבדוק את רשימת המספרים לפני שממשיכים.",
      };
    case "unknown_deliveries":
      return {
        lead: `${countOf(count, "recipient")} במצב לא ידוע.`,
        body:
          "החיבור למכשיר נותק ברגע השליחה, ואי אפשר לדעת אם ההודעה יצאה. היא לא תישלח שוב בלי החלטה שלכם.",
      };
  }
}

function at(since: number | undefined): string {
  return since === undefined ? "" : ` ב־${formatTime(since)}`;
}

function waiting(count: number): string {
  return count > 0 ? `${countOf(count, "message")} מחכות בתור.` : "";
}
