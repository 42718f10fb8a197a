import type { CampaignNotice } from "shared/http_api.ts";
import type { StallCause } from "shared/standing.ts";
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
    scheduled: "מתוזמן",
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

/** What to do while no phone can send, by its cause. */
const NO_DEVICE: Partial<Record<StallCause, string>> = {
  no_site: "עוד אין אתר מחובר. מקימים אתר במסך האתרים.",
  agent_too_old: "תוכנת האתר ישנה, והשרת לא מקבל אותה. יש להריץ שם שוב את פקודת ההתקנה.",
  sites_away: "אף אתר לא מחובר.",
  sites_stopped: "האתרים המחוברים נעצרו. הסיבה וההפעלה מחדש נמצאות במסך האתרים.",
  draining: "האתרים מסיימים לפני כיבוי.",
  phones_offline: "אף טלפון לא מוכן לשליחה. מה לעשות כתוב בדף של כל מכשיר.",
  phones_stopped: "כל הטלפונים נעצרו. אפשר לחדש את השליחה בדף של כל מכשיר.",
  accounts_rested: "כל החשבונות הופסקו אוטומטית, ומחכים להחלטה בדפי המכשירים.",
  accounts_lost: "אין חשבון פעיל באף טלפון מחובר.",
};
/** What to do when nothing goes though something could. */
const STALLED: Partial<Record<StallCause, string>> = {
  offers_unanswered: "אתר מקבל הודעות ולא מאשר אותן. יש לבדוק את תוכנת האתר ואת הדיסק שלו.",
  given_back: "אתר מחזיר הודעות שוב ושוב בלי לשלוח אותן. יש לבדוק את המכשירים שם.",
  not_asking: "אף אתר לא מבקש הודעות. יש לבדוק את תוכנת האתר ואת שעון המחשב.",
};

const TO_BE_RESTORED = "יש לעצור את השרתים, להריץ deno task restored ולהפעיל אותם שוב.";

/** Returns a notice's sentence for an administrator, who is not the client and does not send. */
export function adminNoticeText(notice: CampaignNotice, now: number): ReturnType<typeof noticeText> {
  const { lead, body } = noticeText(notice, now);
  const { code, count = 0, since, until, site = "", cause } = notice;
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
    case "plan_waits":
      return { lead, body: "הלקוח יחליט: מועד אחר, שליחה עכשיו או ביטול התזמון. עד אז שום הודעה לא יוצאת." };
    case "approval_needed":
      return {
        lead: "השליחה דורשת אישור, והלקוח עוד לא ביקש.",
        body: `עם מה שיוצא מהלקוח באותו יום היא מגיעה ל${count > 2 ? "־" : ""}${
          countOf(count, "recipient")
        }.`,
      };
    case "approval_asked":
      return { lead: "השליחה מחכה לאישור.", body: "מאשרים או לא מאשרים בדשבורד. עד אז שום הודעה לא יוצאת." };
    case "approval_given":
      return {
        lead: "השליחה אושרה.",
        body: "שינוי של הלקוח בהודעה, בתמונה, במועד או בנמענים יבטל את האישור.",
      };
    case "approval_refused":
      return { lead: "השליחה לא אושרה.", body: notice.reason ? `הסיבה: ${notice.reason}` : "" };
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
    case "waiting_for_rehearsal":
      return {
        lead: "אף אחד מהטלפונים הפנויים עוד לא עבר חזרה.",
        body: `הפקודה לחזרה כתובה בדף של כל מכשיר, וההגדרה נמצאת במסך האתרים. ${waiting(count)}`.trim(),
      };
    case "agents_too_old":
    case "some_agents_too_old":
      return {
        lead: `תוכנת האתר ישנה, ולא יודעת לשלוח לכל נמען נוסח משלו: ${site}.`,
        body: `יש להריץ שם שוב את פקודת ההתקנה. ${waiting(count)}`.trim(),
      };
    case "gave_back_too_much":
      return { lead, body: `שם האתר ומה לבדוק בו כתובים בהתראות. ${body}` };
    case "no_device":
      return { lead, body: `${(cause && NO_DEVICE[cause]) ?? ""} ההודעות שמורות בתור.`.trim() };
    case "phones_busy":
      return { lead, body: `${waiting(count)} הטלפונים פנויים פחות ממה שמחכה מכל הלקוחות.`.trim() };
    case "number_wait":
      return { lead: "הנמענים שנותרו מקבלים עכשיו הודעה מקמפיין אחר של הלקוח.", body };
    case "stalled":
      return cause === "held_silently"
        ? {
          lead: `${countOf(count, "message")} ${oneOrMany(count, "נמצאת", "נמצאות")} ב${siteCalled(site)}, ` +
            `ואין ממנו דיווח${since === undefined ? "" : ` כבר ${formatSpan(now - since)}`}.`,
          body: "יש לבדוק את תוכנת האתר. ההודעות לא יישלחו ממקום אחר, כדי שאיש לא יקבל הודעה פעמיים.",
        }
        : { lead, body: `${(cause && STALLED[cause]) ?? ""} ${waiting(count)}`.trim() };
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
    case "no_online_refusal":
      return {
        lead,
        body:
          "החוק מבקש כתובת כזאת בהודעות שנשלחות דרך האינטרנט. הלקוח יכול להוסיף בפרטי המפרסם דואר אלקטרוני או קישור אישי להסרה.",
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
