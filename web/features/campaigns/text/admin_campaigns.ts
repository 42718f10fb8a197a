import type { CampaignNotice } from "shared/http_api.ts";
import { siteCalled } from "shared/site_name.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatSpan } from "../../../text/format.ts";
import { goesOn, noticeText, pausedAt, waiting } from "./notices.ts";

export const ADMIN_CAMPAIGNS = {
  heading: "קמפיינים",
  subtitle: "הקמפיינים של כל הלקוחות. אפשר לעקוב, להשהות, להמשיך ולבטל; רק הלקוח שולח.",
  search: "חיפוש לפי קמפיין או לקוח",
  status: "סינון לפי מצב",
  filters: {
    "": "כל המצבים",
    running: "בדרך",
    editable: "לפני שליחה",
    active: "בעבודה",
    paused: "מושהה",
    completed: "סיים",
    completed_with_errors: "סיים עם כשלים",
    failed: "נכשל",
    cancelled: "בוטל",
  },
  region: "טבלת קמפיינים",
  columns: { name: "קמפיין", client: "לקוח", status: "מצב", progress: "התקדמות", when: "זמן" },
  loading: "טוען קמפיינים...",
  failed: "הקמפיינים לא נטענו",
  empty: "עוד אין קמפיינים",
  emptyTeaching: "כשלקוח ייצור קמפיין, הוא יופיע כאן.",
  noneOfKind: "אין קמפיינים במצב הזה.",
  noContacts: "בלי נמענים",
  goesOn: (until: number | undefined) => `השליחה תימשך${goesOn(until)}`,
  back: "לכל הקמפיינים",
  client: "לקוח:",
  contacts: (count: number) => countOf(count, "contact"),
  missing: "קמפיין לא נמצא",
  missingHint: "ייתכן שהוא נמחק.",
};

const TO_BE_RESTORED = "יש לעצור את השרתים, להריץ deno task restored ולהפעיל אותם שוב.";

/** Returns a notice's sentence for an administrator, who is not the client and does not send. */
export function adminNoticeText(notice: CampaignNotice, now: number): ReturnType<typeof noticeText> {
  const { lead, body } = noticeText(notice, now);
  const { code, count = 0, site = "", since, until } = notice;
  switch (code) {
    case "waiting_for_sites":
      return { lead, body: "השליחה תתחדש מעצמה כשהאתרים יתחברו, תוך דקה לכל היותר." };
    case "waiting_for_outcomes":
      return {
        lead,
        body: "השליחה תתחדש כשכל האתרים ידווחו מה נשלח בינתיים, כדי שאיש לא יקבל הודעה פעמיים.",
      };
    case "waiting_for_site": {
      const away = since === undefined ? "שמנותק" : `שמנותק כבר ${formatSpan(now - since)}`;
      return {
        lead: `ממתין ל${siteCalled(site)}, ${away}.`,
        body: `${countOf(count, "message")} ${
          oneOrMany(count, "נמצאת אצלו ולא תישלח", "נמצאות אצלו ולא יישלחו")
        } ממקום אחר, כדי שאיש לא יקבל הודעה פעמיים.`,
      };
    }
    case "no_contacts":
      return { lead, body: "אחרי שהלקוח יעלה קובץ או ידביק מספרים, הוא יוכל לשלוח." };
    case "import_running":
      return { lead, body: "הלקוח יוכל לשלוח כשהטעינה תסתיים." };
    case "opens_later":
      return {
        lead,
        body: `הלקוח יכול לאשר את השליחה כבר עכשיו, וההודעות יתחילו לצאת${goesOn(until)}.`,
      };
    case "paused_by_client":
      return { lead: `הושהה על ידי הלקוח${pausedAt(since, now)}.`, body };
    case "paused_by_admin":
      return { lead, body: `${waiting(count)} אפשר להמשיך את הקמפיין מכאן.`.trim() };
    case "waiting_for_confirmation":
      return {
        lead: "החשבונות בטלפונים הפנויים עוד לא אושרו.",
        body: `מאשרים כל חשבון בדף המכשיר שלו, ועד אז נשלחות ממנו מעט הודעות ביום, אם בכלל. ${waiting(count)}`
          .trim(),
      };
    case "gave_back_too_much":
      return { lead, body: `שם האתר ומה לבדוק בו כתובים בהתראות. ${body}` };
    case "older_database":
      return { lead, body: `כדי שהשליחה תתחדש בלי שאיש יקבל הודעה פעמיים, ${TO_BE_RESTORED}` };
    case "backup_copy":
      return { lead, body: `לא נשלח דבר עד שהשחזור יושלם: ${TO_BE_RESTORED}` };
    case "reached_in_lost_time":
      return {
        lead,
        body:
          "המערכת שוחזרה מגיבוי, והאתרים דיווחו למי נשלח בינתיים. לפני השליחה הלקוח יוכל להשמיט מי שכבר קיבל.",
      };
    case "unknown_deliveries":
      return {
        lead,
        body:
          "החיבור למכשיר נותק ברגע השליחה, ואי אפשר לדעת אם ההודעה יצאה. היא לא תישלח שוב בלי החלטה של הלקוח.",
      };
    case "advertiser_missing":
      return {
        lead,
        body:
          "החוק מחייב לציין בכל הודעה שיווקית מי שולח אותה. אחרי שהלקוח ימלא את פרטי המפרסם, הוא יוכל לשלוח.",
      };
    case "words_missing":
      return {
        lead,
        body: "הקמפיין נשלח בגרסה קודמת של המערכת, שלא הוסיפה אותם. אחרי ביטול, הלקוח יוכל לשכפל אותו " +
          "רק למי שלא קיבל ולשלוח את העותק. מה שיבוטל יוחזר למכסה.",
      };
    case "without_consent":
      // After the send the sentence asks for no action.
      return since === undefined ? { lead, body: toBeIncluded(count) } : { lead, body };
    case "frequency_capped":
      return {
        lead,
        body: `${oneOrMany(count, "הוא כבר קיבל", "הם כבר קיבלו")} מהלקוח הודעה שיווקית בימים האחרונים. ${
          oneOrMany(count, "ההודעה הוחזרה", "ההודעות הוחזרו")
        } למכסה.`,
      };
    default:
      return { lead, body };
  }
}

function toBeIncluded(count: number): string {
  const effect = oneOrMany(
    count,
    "לא תישלח אליו הודעה והוא לא ייגבה מהמכסה. כדי לכלול אותו, הלקוח מוסיף אותו",
    "לא יישלחו אליהם הודעות והם לא ייגבו מהמכסה. כדי לכלול אותם, הלקוח מוסיף אותם",
  );
  return `לא הוצהר על הסכמה לקבל דיוור. ${effect} שוב, ובקמפיין שיווקי עם הבסיס להסכמה.`;
}
