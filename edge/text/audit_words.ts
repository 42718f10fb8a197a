/** Turns a row of the audit log into a Hebrew sentence for people, without the actor, who is shown beside it. */
import { siteCalled } from "shared/site_name.ts";
import type { AuditKind } from "shared/audit.ts";
import type { Settings } from "shared/settings.ts";
import { KIND_LABELS } from "./cause_words.ts";
import { countOf } from "./hebrew_count.ts";
import { LABELS, valueText } from "./setting_words.ts";

/** Names of the things that a row is about; null = none, or already deleted. */
export interface AuditNames {
  campaign: string | null;
  site: string | null;
  device: string | null;
  user: string | null;
}

type Facts = Record<string, unknown>;
type Words = (names: AuditNames, facts: Facts) => string;

const WORDS: Record<AuditKind, Words> = {
  login: () => "כניסה למערכת",
  login_failed: (n) => n.user ? `ניסיון כניסה שנכשל למשתמש ${n.user}` : "ניסיון כניסה שנכשל בשם לא מוכר",
  login_locked: (n) => `הכניסה נחסמה זמנית אחרי ניסיונות רבים${n.user ? ` למשתמש ${n.user}` : ""}`,
  logout: () => "יציאה מהמערכת",
  sessions_ended: () => "ניתוק שאר החיבורים",
  password_changed: () => "החלפת הסיסמה האישית",
  password_refused: () => "פעולה שדורשת סיסמה נדחתה: הסיסמה הנוכחית שגויה",
  second_factor_on: () => "האימות הדו־שלבי הופעל",
  second_factor_off: () => "האימות הדו־שלבי כובה",
  recovery_codes_made: () => "הופקו קודי שחזור חדשים",
  recovery_code_used: (_, f) => `נוצל קוד שחזור. ${codesLeft(Number(f.left))}`,
  code_refused: (n) => `קוד אימות שגוי למשתמש ${n.user}`,
  user_created: (_, f) => `נוצר המשתמש ${f.username}, ${f.role === "admin" ? "מנהל" : "לקוח"}`,
  user_disabled: (n) => `המשתמש ${n.user} הושבת`,
  user_enabled: (n) => `המשתמש ${n.user} הופעל מחדש`,
  password_reset: (n) => `למשתמש ${n.user} נקבעה סיסמה חדשה`,
  second_factor_removed: (n) => `האימות הדו־שלבי של ${n.user} הוסר`,
  quota_changed: (n, f) =>
    Number(f.delta) < 0
      ? `ירידה של ${countOf(-Number(f.delta), "message")} במכסה של ${n.user}`
      : `טעינה של ${countOf(Number(f.delta), "message")} למכסה של ${n.user}`,
  quota_corrected: (n, f) =>
    Number(f.delta) < 0
      ? `תיקון: ירידה של ${countOf(-Number(f.delta), "message")} במכסה של ${n.user}. הסיבה: ${f.reason}`
      : `תיקון: תוספת של ${countOf(Number(f.delta), "message")} למכסה של ${n.user}. הסיבה: ${f.reason}`,
  campaign_undeclared: (n) => `${campaignOf(n)} נוצר בלי להצהיר אם הוא שיווקי או שירות, ונחשב לשירות`,
  campaign_kind_changed: (n, f) =>
    `הסוג של ${campaignOf(n)}: ${KIND[String(f.kind)] ?? f.kind} במקום ${KIND[String(f.was)] ?? f.was}`,
  campaign_sent: (n, f) =>
    `שליחת ${campaignOf(n)}: ${countOf(Number(f.messages), "message")}, ${KIND[String(f.kind)] ?? f.kind}`,
  campaign_taken_back: (n, f) =>
    `השליחה של ${campaignOf(n)} נלקחה בחזרה לפני שיצאה: ${countOf(Number(f.messages), "message")} חזרו למכסה`,
  campaign_text_chosen: (n, f) => `בחירת נוסח ${f.variant} לשאר הנמענים של ${campaignOf(n)}`,
  campaign_written_again: (n, f) =>
    `קמפיין חדש לנמענים של ${campaignOf(n)}${f.withUnknown ? ", גם למי שלא ידוע אם קיבלו" : ""}`,
  campaign_paused: (n) => `השהיית ${campaignOf(n)}`,
  campaign_resumed: (n) => `המשך שליחה של ${campaignOf(n)}`,
  campaign_cancelled: (n, f) => `ביטול ${campaignOf(n)}${f.by === "queues" ? ", באיפוס התורים" : ""}`,
  queues_cleared: (_, f) =>
    `איפוס התורים: ${countOf(Number(f.campaigns), "campaign")}, ${countOf(Number(f.messages), "message")}`,
  deliveries_resolved: (n, f) =>
    `הכרעה על ${countOf(Number(f.changed), "message")} ${oneOrMany(f.changed, "שמצבה", "שמצבן")} לא ידוע ב${
      theCampaign(n)
    }: ${oneOrMany(f.changed, ...(RESOLVED[String(f.as)] ?? [f.as, f.as]))}`,
  test_sent: (n) => `הודעת ניסיון מתוך ${campaignOf(n)}`,
  hours_waived: (n, f) => `${campaignOf(n)} רשאי לצאת גם מחוץ לשעות השליחה. הסיבה: ${f.reason}`,
  hours_restored: (n) => `${campaignOf(n)} חזר לצאת רק בשעות השליחה`,
  file_imported: (n, f) =>
    `נקלט הקובץ ${f.file}${n.campaign ? ` ל${theCampaign(n)}` : " לרשימת ההסרה"}: ${
      countOf(Number(f.added), "number")
    }`,
  file_refused: (_, f) => `הקובץ ${f.file} לא נקלט`,
  file_infected: (_, f) => `הקובץ ${f.file} נדחה: נמצאה בו תוכנה זדונית, ${f.found}`,
  site_created: (_, f) => `נוסף ${siteCalled(String(f.site))}`,
  site_token: (n) => `הופק קוד הצטרפות ל${siteCalled(String(n.site))}`,
  site_revoked: (n) => `${siteCalled(String(n.site))} נותק לצמיתות`,
  site_started: (n) => `${siteCalled(String(n.site))} הוחזר לעבודה`,
  site_written_off: (n) => `${siteCalled(String(n.site))} נמחק מרשימת הממתינים אחרי שחזור`,
  rehearsals_asked: (n) => `${siteCalled(String(n.site))} מבקש חזרה או שליחה מוכחת מכל טלפון לפני פרסום`,
  rehearsals_not_asked: (n) => `${siteCalled(String(n.site))} לא מבקש חזרה לפני פרסום`,
  device_command: (n, f) => `${COMMAND[String(f.kind)] ?? f.kind}: ${n.device}`,
  account_edited: (n, f) =>
    f.confirmed === undefined
      ? `שם החשבון במכשיר ${n.device}: ${f.label ? `״${f.label}״` : "הוסר"}`
      : `${f.confirmed ? "אישור" : "ביטול אישור"} של חשבון במכשיר ${n.device}`,
  account_rested: (_, f) => `הפסקה אוטומטית של חשבון: ${f.count} מתוך ${f.sample}`,
  unconfirmed_rested: (n, f) =>
    `הפסקה אוטומטית של חשבונות לא מאושרים ב${siteCalled(String(n.site))}: ${f.count} מתוך ${f.sample}`,
  account_released: () => "החזרה לעבודה של חשבון שהופסק אוטומטית",
  settings_changed: (_, f) => `שינוי הגדרות: ${changesOf(f)}`,
  database_restored: () => "מסד הנתונים שוחזר מגיבוי",
  alert_acknowledged: (_, f) => `סימון התראה כמטופלת: ${f.title}`,
  alert_snoozed: (_, f) => `השתקת התראה ל־${f.hours === 1 ? "שעה" : `${f.hours} שעות`}: ${f.title}`,
  alert_unquieted: (_, f) => `החזרת התראה לרשימה: ${f.title}`,
  alert_choices_changed: (_, f) => `שינוי ההתראות שיוצאות אל מחוץ לדפדפן: ${alertChoicesOf(f)}`,
  alert_tested: (_, f) => `ניסיון של משלוח התראות ${ALERT_CHANNEL[String(f.channel)] ?? f.channel}`,
  suppressions_added: (_, f) => `לרשימת ההסרה ${listOf(f)} נוספו: ${countOf(Number(f.count), "number")}`,
  suppressions_removed: (_, f) => `מרשימת ההסרה ${listOf(f)} הוצאו: ${countOf(Number(f.count), "number")}`,
  opted_out: (n, f) =>
    f.by === "keyword"
      ? `נמען של ${campaignOf(n)} ביקש הסרה בתשובה להודעה`
      : f.by === "link"
      ? `נמען של ${campaignOf(n)} ביקש הסרה בקישור שבהודעה`
      : `הסרת נמען של ${campaignOf(n)} לפי תשובה שכתב`,
  opt_out_undone: (n, f) => `ביטול בקשת הסרה של נמען של ${n.user}. הסיבה: ${f.reason}`,
  replies_kept: (_, f) =>
    `${countOf(Number(f.count), "reply")} ${oneOrMany(f.count, "הוכרעה", "הוכרעו")}: לא ביקשו הסרה`,
  numbers_shown: (n, f) => `הצגת מספרים גלויים של ${campaignOf(n)}. הסיבה: ${f.reason}`,
  screen_looked: (n, f) => `בקשה לראות את המסך של ${n.device}. הסיבה: ${f.reason}`,
  screen_look_ended: (n, f) =>
    `סוף הצפייה במסך של ${n.device}: ${
      String(f.stills) === "0"
        ? "לא נראתה אף תמונה"
        : oneOrMany(f.stills, "נראתה תמונה אחת", `נראו ${f.stills} תמונות`)
    }`,
  number_erased: (_, f) => `מחיקת מספר מכל המערכת. הסיבה: ${f.reason}`,
  site_erased: (n) => `${siteCalled(String(n.site))} אישר מחיקת מספר`,
  numbers_forgotten: (n, f) =>
    `תום תקופת השמירה: ${countOf(Number(f.count), "number")} של ${campaignOf(n)} ${
      oneOrMany(f.count, "הוסתר", "הוסתרו")
    }`,
  list_shown: (n, f) => `הצגת מספרים ושדות גלויים של רשימה של ${n.user}. הסיבה: ${f.reason}`,
  contacts_forgotten: (_, f) =>
    `תום תקופת השמירה: ${countOf(Number(f.count), "contact")} ${
      oneOrMany(f.count, "שלא היה בשימוש הוסר", "שלא היו בשימוש הוסרו")
    } מהרשימות`,
  advertiser_changed: (_, f) => `פרטי המפרסם נקבעו: ${f.name}`,
  consent_declared: (n, f) =>
    `הוצהר בסיס להסכמה ב${f.list === undefined ? theCampaign(n) : "טעינה לרשימה"}: ${
      BASIS[String(f.basis)] ?? f.basis
    }${f.source ? `, ${f.source}` : ""}`,
  consents_forgotten: (_, f) =>
    `תום תקופת השמירה: ${countOf(Number(f.count), "number")} בתיעוד ההסכמות ${
      oneOrMany(f.count, "הוסתר", "הוסתרו")
    }`,
  exported: (n, f) =>
    `ייצוא: ${EXPORT[String(f.what)] ?? f.what}${
      n.campaign ? ` של ${campaignOf(n)}` : n.user ? ` של ${n.user}` : ""
    }`,
};

const KIND: Record<string, string> = { marketing: "שיווקי", service: "שירות", undeclared: "סוג לא הוצהר" };
const BASIS: Record<string, string> = { opt_in: "הסכמה מראש", existing_customer: "לקוחות קיימים" };
/** The singular and the plural form. */
const RESOLVED: Record<string, [string, string]> = {
  sent: ["נשלחה", "נשלחו"],
  failed: ["נכשלה", "נכשלו"],
  resend: ["תישלח שוב", "יישלחו שוב"],
};
const COMMAND: Record<string, string> = {
  restart: "הפעלה מחדש של מכשיר",
  stop: "עצירת מכשיר",
  start: "הפעלת מכשיר",
  identify: "זיהוי מכשיר במסך שלו",
};
const EXPORT: Record<string, string> = {
  deliveries: "נמענים",
  report: "דוח",
  statement: "דוח חודשי",
  rejected: "שורות שנפסלו",
  devices: "מכשירים",
  audit: "יומן ביקורת",
  consents: "הסכמות",
  suppressions: "רשימת ההסרה",
  ledger: "תנועות המכסה",
  list: "רשימת אנשי קשר",
};

const ALERT_CHANNEL: Record<string, string> = { email: "בדוא״ל", webhook: "ב־webhook" };

/** Returns the sentence of a row; a kind of another release shows its code. */
export function wordAudit(kind: string, names: AuditNames, data: string): string {
  return WORDS[kind as AuditKind]?.(names, JSON.parse(data)) ?? kind;
}

function codesLeft(left: number): string {
  return left === 0 ? "לא נותרו קודים" : left === 1 ? "נותר קוד אחד" : `נותרו ${left} קודים`;
}

/** Returns the singular or the plural wording after a count. */
function oneOrMany(count: unknown, one: unknown, many: unknown): string {
  return String(Number(count) === 1 ? one : many);
}

function campaignOf(names: AuditNames): string {
  return names.campaign === null ? theCampaign(names) : `ה${theCampaign(names)}`;
}

/** Returns the form after ב and ל, which contain the article. */
function theCampaign({ campaign }: AuditNames): string {
  return campaign === null ? "קמפיין שנמחק" : `קמפיין ״${campaign}״`;
}

function listOf({ list }: Facts): string {
  return list === "all" ? "הכללית" : "של הלקוח";
}

function alertChoicesOf(facts: Facts): string {
  return Object.entries(facts).map(([code, choice]) => {
    const ways = Object.entries(choice as Record<string, boolean>).filter(([, isOn]) => isOn);
    const words = ways.map(([channel]) => ALERT_CHANNEL[channel] ?? channel);
    return `${KIND_LABELS[code as keyof typeof KIND_LABELS] ?? code}: ${words.join(" ו") || "לא יוצאת"}`;
  }).join(", ");
}

function changesOf(facts: Facts): string {
  return Object.entries(facts).map(([key, change]) => {
    const [was, is] = (change as [unknown, unknown]).map(valueText);
    return `${LABELS[key as keyof Settings] ?? key}: ${is} במקום ${was}`;
  }).join(", ");
}
