/** Reasons for a campaign's present state, one sentence for each code of the server. */
import { stationCalled } from "shared/site_name.ts";
import type { CampaignNotice } from "shared/http_api.ts";
import type { StallCause } from "shared/standing.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatSpan, formatTimeSince } from "../../../text/format.ts";

/** Returns the sentence for one notice; `lead` is its bold beginning. */
export function noticeText(notice: CampaignNotice, now: number): { lead: string; body: string } {
  const { code, count = 0, site = "", since, until, reason, cause } = notice;
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
        body: (cause && NO_DEVICE[cause]) ?? "ההודעות שמורות בתור, והשליחה תתחדש מעצמה.",
      };
    case "no_picture_account":
      return {
        lead: "אין כרגע חשבון מחובר שיכול לשלוח תמונה עם טקסט.",
        body: "ההודעות שמורות בתור וייצאו כשיהיה חשבון כזה. הודעות בלי תמונה נשלחות כרגיל.",
      };
    case "waiting_for_rehearsal":
      return {
        lead: "הטלפונים הפנויים חדשים, ומחכים לבדיקה לפני שישלחו פרסום.",
        body: "ההודעות שמורות בתור וייצאו אחרי הבדיקה. הודעות שירות נשלחות כרגיל.",
      };
    case "agents_too_old":
      return {
        lead: "הטלפונים הפנויים עוד לא יודעים לשלוח לכל נמען נוסח משלו.",
        body: "ההודעות שמורות בתור וייצאו אחרי שמנהל המערכת יעדכן את עמדות השליחה.",
      };
    case "some_agents_too_old":
      return {
        lead: "חלק מעמדות השליחה עוד לא יודעות לשלוח לכל נמען נוסח משלו.",
        body: "ההודעות יוצאות מהעמדות האחרות.",
      };
    case "cap_reached":
      return {
        lead: "כל החשבונות הגיעו לתקרה היומית.",
        body: goesOnTomorrow(count),
      };
    case "gave_back_too_much":
      return {
        lead: "הטלפונים הפנויים החזירו היום יותר מדי הודעות בלי לשלוח אותן.",
        body: goesOnTomorrow(count),
      };
    case "waiting_for_confirmation":
      return {
        lead: "הטלפונים הפנויים מחכים לאישור של מנהל המערכת.",
        body: `עד לאישור נשלחות מהם מעט הודעות ביום, אם בכלל. ${
          count > 0
            ? `${countOf(count, "message")} ${oneOrMany(count, "שמורה", "שמורות")} בתור.`
            : "השליחה תימשך מחר."
        }`,
      };
    case "hour_reached":
      return {
        lead: "כל החשבונות הגיעו לכמות המותרת לשעה.",
        body: `השליחה מתפזרת על פני היום, ותימשך${goesOn(until)}.`,
      };
    case "outside_hours":
      return {
        lead: "עכשיו מחוץ לשעות השליחה.",
        body: `השליחה תימשך מעצמה${goesOn(until)}.`,
      };
    case "opens_later":
      return {
        lead: "עכשיו מחוץ לשעות השליחה.",
        body: `אפשר לאשר את השליחה כבר עכשיו, וההודעות יתחילו לצאת${goesOn(until)}.`,
      };
    case "told_before_sending":
      return {
        lead:
          `לפי דיווח שהגיע אחרי שחזור הנתונים, ייתכן ש${count > 2 ? "־" : ""}${countOf(count, "message")} ` +
          `מהקמפיין כבר ${oneOrMany(count, "יצאה", "יצאו")}.`,
        body: `${
          oneOrMany(count, "היא לא תישלח שוב, ותיגבה", "הן לא יישלחו שוב, וייגבו")
        } מהמכסה רק אם הקמפיין יאושר לשליחה.`,
      };
    case "hours_waived":
      return {
        lead: "ההודעות יכולות לצאת גם מחוץ לשעות השליחה.",
        body: "מנהל המערכת אישר לקמפיין הזה חריגה, גם לערב, לשבת ולחג.",
      };
    case "pilot_wave":
      return {
        lead: `גל ניסיון: ${countOf(count, "message")} ${oneOrMany(count, "יוצאת", "יוצאות")} לפני כל השאר.`,
        body: oneOrMany(
          count,
          "כשתוכרע, נחכה ונבדוק איך היא התקבלה.",
          "כשכולן יוכרעו, נחכה ונבדוק איך הן התקבלו.",
        ),
      };
    case "choose_text":
      return {
        lead: `הנוסחים נוסו. ${reason ?? ""}`.trim(),
        body: `${countOf(count, "message")} ${
          oneOrMany(count, "מחכה", "מחכות")
        } לבחירת הנוסח. עד אז דבר לא יוצא.`,
      };
    case "pilot_wait":
      return {
        lead: reason === undefined ? "גל הניסיון יצא." : `גל הניסיון יצא. ${reason}`,
        body: `אם הוא התקבל היטב, ${countOf(count, "message")} ${
          oneOrMany(count, "נוספת תצא", "נוספות ייצאו")
        }${goesOn(until)}.`,
      };
    case "waiting_for_account":
      return {
        lead: `${countOf(count, "message")} ${oneOrMany(count, "מחכה", "מחכות")} לחשבון שהתנתק.`,
        body: `${
          oneOrMany(count, "היא תצא כשיחזור. כדי שתצא", "הן ייצאו כשיחזור. כדי שייצאו")
        } מחשבון אחר, אפשר להשהות את הקמפיין ולהמשיך אותו.`,
      };
    case "older_database":
      return {
        lead: "מסד הנתונים הוחזר למצב קודם, והשליחה עצורה.",
        body: "היא תתחדש אחרי שמנהל המערכת יאשר את השחזור, כדי שאיש לא יקבל הודעה פעמיים.",
      };
    case "waiting_for_sites":
      return {
        lead: "המערכת הופעלה מחדש.",
        body: "השליחה תתחדש מעצמה כשעמדות השליחה יתחברו, תוך דקה לכל היותר.",
      };
    case "reached_in_lost_time":
      return {
        lead: `${countOf(count, "contact")} ברשימה כבר ${oneOrMany(count, "קיבל", "קיבלו")} הודעה.`,
        body:
          "המערכת שוחזרה מגיבוי, ועמדות השליחה דיווחו למי נשלח בינתיים. לפני השליחה אפשר להשמיט מי שכבר קיבל.",
      };
    case "waiting_for_outcomes":
      return {
        lead: "המערכת שוחזרה מגיבוי.",
        body: "השליחה תתחדש כשכל עמדות השליחה ידווחו מה נשלח בינתיים, כדי שאיש לא יקבל הודעה פעמיים.",
      };
    case "waiting_for_erasures":
      return {
        lead: "המערכת שוחזרה מגיבוי.",
        body: "השליחה תתחדש מעצמה אחרי שהמספרים שנמחקו מאז הגיבוי יימחקו שוב.",
      };
    case "backup_copy":
      return {
        lead: "מסד הנתונים הוא עותק מגיבוי.",
        body: "לא נשלח דבר עד שהשחזור יושלם. יש לפנות למנהל המערכת.",
      };
    case "newer_release":
      return {
        lead: "השרת מתעדכן.",
        body: "השליחה תתחדש כשכל השרתים יעברו לגרסה החדשה.",
      };
    case "waiting_for_site": {
      const away = since === undefined ? "שמנותקת" : `שמנותקת כבר ${formatSpan(now - since)}`;
      return {
        lead: `ממתין ל${stationCalled(site)}, ${away}.`,
        body: `${countOf(count, "message")} ${
          oneOrMany(count, "נמצאת אצלה ולא תישלח", "נמצאות אצלה ולא יישלחו")
        } ממקום אחר, כדי שאיש לא יקבל הודעה פעמיים.`,
      };
    }
    case "words_missing":
      return {
        lead: `${countOf(count, "message")} לא ${
          oneOrMany(count, "תצא", "ייצאו")
        }: חסרים בנוסח פרטי המפרסם ודרך ההסרה.`,
        body: "הקמפיין נשלח בגרסה קודמת של המערכת, שלא הוסיפה אותם. כדי לשלוח, מבטלים אותו, משכפלים אותו " +
          "רק למי שלא קיבל, ושולחים את העותק. מה שיבוטל יוחזר למכסה.",
      };
    case "waiting_turn":
      return {
        lead: `לפני הקמפיין הזה יש בתור עוד ${countOf(count, "campaign")}.`,
        body: `${oneOrMany(count, "שניהם", "כולם")} מתקדמים לסירוגין.`,
      };
    case "phones_busy":
      return {
        lead: "כל הטלפונים שולחים עכשיו הודעות אחרות.",
        body: `${waiting(count)} התור מתקדם לסירוגין, והשליחה תימשך מעצמה.`.trim(),
      };
    case "retry_wait":
      return {
        lead: `${countOf(count, "message")} ${oneOrMany(count, "מחכה", "מחכות")} לניסיון נוסף${
          goesOnAt(until, now)
        }.`,
        body: oneOrMany(
          count,
          "הניסיון הקודם לא הצליח לפני שההודעה יצאה, ולכן אפשר לנסות שוב.",
          "הניסיון הקודם לא הצליח לפני שההודעות יצאו, ולכן אפשר לנסות שוב.",
        ),
      };
    case "number_wait":
      return {
        lead: "הנמענים שנותרו מקבלים עכשיו הודעה מקמפיין אחר שלכם.",
        body: "כשתסתיים, יוחלט אם עבר די זמן כדי לשלוח להם גם את ההודעה הזאת.",
      };
    case "sender_wait":
      return {
        lead: "הנמענים שנותרו מחכים למספר שכבר כתב להם.",
        body: `כך כל ההודעות מגיעות אליהם באותה שיחה. אם המספר לא יתפנה בתוך עשר דקות, ההודעה תצא ממספר אחר.`,
      };
    case "stalled":
      return stalledText(notice, now);
    case "paused_by_client":
      return { lead: `הושהה על ידכם${pausedAt(since, now)}.`, body: waiting(count) };
    case "paused_by_admin":
      return {
        lead: `הושהה על ידי מנהל המערכת${pausedAt(since, now)}.`,
        body: `${waiting(count)} ההמשך מחכה לאישור של מנהל המערכת.`.trim(),
      };
    case "paused_by_rule":
      return {
        lead: `הושהה אוטומטית${pausedAt(since, now)}.`,
        body: reason ??
          "יותר מדי מההודעות האחרונות לא הצליחו. כדאי לבדוק את רשימת המספרים לפני שממשיכים.",
      };
    case "unknown_deliveries":
      return {
        lead: `${countOf(count, "recipient")} במצב לא ידוע.`,
        body:
          "החיבור למכשיר נותק ברגע השליחה, ואי אפשר לדעת אם ההודעה יצאה. היא לא תישלח שוב בלי החלטה שלכם.",
      };
    case "advertiser_missing":
      return {
        lead: "עוד לא צוין מי המפרסם.",
        body: "החוק מחייב לציין בכל הודעה שיווקית מי שולח אותה. אחרי שממלאים את פרטי המפרסם, אפשר לשלוח.",
      };
    case "no_online_refusal":
      return {
        lead: "אין בהודעה כתובת באינטרנט להסרה.",
        body:
          "החוק מבקש כתובת כזאת בהודעות שנשלחות דרך האינטרנט. אפשר להוסיף בפרטי המפרסם דואר אלקטרוני או קישור אישי להסרה.",
      };
    case "without_consent": {
      const lead = `${countOf(count, "number")} לא ${oneOrMany(count, "נכלל", "נכללו")} בקמפיין.`;
      const why = "לא הוצהר על הסכמה לקבל דיוור.";
      // After the send there is nothing left to do about it.
      if (since !== undefined) {
        const body = oneOrMany(
          count,
          "לא נשלחה אליו הודעה והוא לא נגבה מהמכסה.",
          "לא נשלחו אליהם הודעות והם לא נגבו מהמכסה.",
        );
        return { lead, body: `${why} ${body}` };
      }
      const body = oneOrMany(
        count,
        "לא תישלח אליו הודעה והוא לא ייגבה מהמכסה. כדי לכלול אותו, מוסיפים אותו שוב, ובקמפיין שיווקי עם הבסיס להסכמה.",
        "לא יישלחו אליהם הודעות והם לא ייגבו מהמכסה. כדי לכלול אותם, מוסיפים אותם שוב, ובקמפיין שיווקי עם הבסיס להסכמה.",
      );
      return { lead, body: `${why} ${body}` };
    }
    case "frequency_capped":
      return {
        lead: `${countOf(count, "recipient")} ${oneOrMany(count, "דולג", "דולגו")}.`,
        body: `${oneOrMany(count, "הוא כבר קיבל", "הם כבר קיבלו")} מכם הודעה שיווקית בימים האחרונים. ${
          oneOrMany(count, "ההודעה הוחזרה", "ההודעות הוחזרו")
        } למכסה.`,
      };
    case "left_out_empty":
      return {
        lead: `${countOf(count, "recipient")} ${oneOrMany(count, "הושמט", "הושמטו")}.`,
        body: `${oneOrMany(count, "חסר לו", "חסר להם")} ערך שההודעה צריכה. ${
          oneOrMany(count, "ההודעה הוחזרה", "ההודעות הוחזרו")
        } למכסה.`,
      };
  }
}

const SELF = "ההודעות שמורות בתור, והשליחה תתחדש מעצמה.";
const WITH_ADMIN = "ההודעות שמורות בתור, ומנהל המערכת קיבל על כך התראה.";
/** What a client is told of the cause for which no phone can send. */
const NO_DEVICE: Partial<Record<StallCause, string>> = {
  no_site: `עוד לא חוברה עמדת שליחה. ${WITH_ADMIN}`,
  agent_too_old: `עמדת השליחה מחכה לעדכון. ${WITH_ADMIN}`,
  sites_away: `עמדות השליחה מנותקות. ${SELF}`,
  sites_stopped: `עמדות השליחה נעצרו, ומנהל המערכת צריך להפעיל אותן. ${WITH_ADMIN}`,
  draining: `עמדות השליחה מופעלות מחדש. ${SELF}`,
  phones_offline: `הטלפונים לא מחוברים. ${SELF}`,
  phones_stopped: `הטלפונים נעצרו על ידי מנהל המערכת. ${WITH_ADMIN}`,
  accounts_rested: `החשבונות הופסקו אוטומטית, ומנהל המערכת צריך להחליט. ${WITH_ADMIN}`,
  accounts_lost: `החשבונות בטלפונים לא פעילים. ${WITH_ADMIN}`,
};

/** Returns why nothing went for minutes though something could. */
function stalledText(
  { cause, site = "", count = 0, since }: CampaignNotice,
  now: number,
): { lead: string; body: string } {
  const span = since === undefined ? "" : ` כבר ${formatSpan(now - since)}`;
  const lead = `לא יצאה הודעה${span}, אף שיש טלפון פנוי.`;
  switch (cause) {
    case "held_silently":
      return {
        lead: `${countOf(count, "message")} ${oneOrMany(count, "נמסרה", "נמסרו")} ל${stationCalled(site)}, ` +
          `ואין ממנה דיווח${span}.`,
        body:
          `${oneOrMany(count, "היא לא תישלח", "הן לא יישלחו")} ממקום אחר, כדי שאיש לא יקבל הודעה פעמיים. ` +
          "מנהל המערכת קיבל על כך התראה.",
      };
    case "offers_unanswered":
      return { lead, body: `עמדת שליחה קיבלה הודעות ולא אישרה אותן. ${WITH_ADMIN}` };
    case "given_back":
      return { lead, body: `עמדת שליחה מחזירה את ההודעות בלי לשלוח אותן. ${WITH_ADMIN}` };
    default:
      return { lead, body: `אף עמדת שליחה לא מבקשת הודעות. ${WITH_ADMIN}` };
  }
}

const moment = new Intl.DateTimeFormat("he-IL", {
  timeZone: "Asia/Jerusalem",
  weekday: "long",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

function goesOnTomorrow(count: number): string {
  return count > 0
    ? `${countOf(count, "message")} ${oneOrMany(count, "תמשיך", "ימשיכו")} לצאת מחר.`
    : "השליחה תימשך מחר.";
}

/** Returns " ביום ראשון ב־09:00"; always names the day, because a closing may last days. */
export function goesOn(until: number | undefined): string {
  if (until === undefined) return "";
  const parts = new Map(moment.formatToParts(until).map(({ type, value }) => [type, value]));
  return ` ב${parts.get("weekday")} ב־${parts.get("hour")}:${parts.get("minute")}`;
}

/** " ב־14:05"; with the day when it is another one. */
function goesOnAt(until: number | undefined, now: number): string {
  return until === undefined ? "" : ` ב־${formatTimeSince(until, now)}`;
}

/** " ב־14:32". */
export function pausedAt(since: number | undefined, now: number): string {
  return since === undefined ? "" : ` ב־${formatTimeSince(since, now)}`;
}

export function waiting(count: number): string {
  return count > 0 ? `${countOf(count, "message")} ${oneOrMany(count, "מחכה", "מחכות")} בתור.` : "";
}
