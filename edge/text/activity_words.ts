/** Turns a row of `activity` (a code with its figures) into the Hebrew line for people. */
import type { ActivityItem, ActivityType } from "shared/activity.ts";
import { siteCalled } from "shared/site_name.ts";
import { countOf } from "./hebrew_count.ts";

/** As the trigger `activity_event` and the list provide it. */
export interface ActivityRow {
  id: number;
  kind: ActivityType;
  code: string;
  /** JSON text; inside an event it is an object when a JSON function of SQLite made it. */
  data: string | Facts;
  at: number;
  site: number | null;
  device: number | null;
  campaign: number | null;
  user: number | null;
}

/** Names and figures of one line; a code without a value leaves it empty. */
type Facts = Record<string, string | number | null | undefined>;
type Words = (facts: Facts) => string;

const PAUSED_BY: Record<string, string> = { client: "על ידי הלקוח", admin: "על ידי מנהל המערכת" };

/** Why a plan waits, after its name. */
export const PLAN_HELD: Record<string, string> = {
  missed: ": השעה שלו עברה לפני יותר משעה",
  client_disabled: ": הלקוח הושבת",
  restored: ": המערכת שוחזרה מגיבוי",
  not_approved: ": השליחה לא אושרה",
};

/** Why a repeat waits, after its name. */
export const SERIES_WAITS: Record<string, string> = {
  quota_short: ": אין די הודעות במכסה",
  list_empty: ": אין ברשימות נמענים",
};

/** No figure directly follows a name: a name in Latin letters would pull the figure into its own text direction. */
const MESSAGE: Record<string, Words> = {
  admin_logged_in: (f) => `כניסת מנהל: ${f.username}`,
  user_created: (f) => `נוצר משתמש ${f.username}, ${f.role === "admin" ? "מנהל" : "לקוח"}`,
  user_disabled: (f) => `המשתמש ${f.username} הושבת`,
  user_enabled: (f) => `המשתמש ${f.username} הופעל מחדש`,
  user_password: (f) => `למשתמש ${f.username} נקבעה סיסמה חדשה`,
  user_second_factor: (f) => `האימות הדו־שלבי של ${f.username} הוסר`,
  quota_loaded: (f) =>
    Number(f.delta) < 0
      ? `הורדת ${countOf(-Number(f.delta), "message")} מהמכסה של ${f.client}`
      : `טעינת ${countOf(Number(f.delta ?? 0), "message")} ללקוח ${f.client}`,
  quota_corrected: (f) =>
    Number(f.delta) < 0
      ? `תיקון המכסה של ${f.client}: ירידה של ${countOf(-Number(f.delta), "message")}`
      : `תיקון המכסה של ${f.client}: תוספת של ${countOf(Number(f.delta ?? 0), "message")}`,
  // After a restore that did not know the sending, some or all of the campaign's messages were sent earlier.
  campaign_sent: (f) =>
    `הקמפיין ״${f.campaign}״ יצא לדרך: ${
      countOf(Number(f.waiting ?? 0) + Number(f.sent ?? 0) + Number(f.unknown ?? 0), "message")
    }`,
  campaign_taken_back: (f) => `השליחה של הקמפיין ״${f.campaign}״ נלקחה בחזרה לפני שיצאה`,
  campaign_planned: (f) =>
    `הקמפיין ״${f.campaign}״ תוזמן: ${
      countOf(Number(f.waiting ?? 0) + Number(f.sent ?? 0) + Number(f.unknown ?? 0), "message")
    }`,
  campaign_plan_started: (f) =>
    `הקמפיין ״${f.campaign}״ יצא לדרך לפי התזמון: ${
      countOf(Number(f.waiting ?? 0) + Number(f.sent ?? 0) + Number(f.unknown ?? 0), "message")
    }`,
  campaign_called_off: (f) => `התזמון של הקמפיין ״${f.campaign}״ בוטל`,
  campaign_plan_held: (f) =>
    `התזמון של הקמפיין ״${f.campaign}״ מחכה להחלטה${PLAN_HELD[f.reason ?? ""] ?? ""}`,
  approval_asked: (f) =>
    `בקשה לאישור השליחה של ״${f.campaign}״, של ${f.client}: ${countOf(Number(f.waiting ?? 0), "message")}`,
  approval_approved: (f) => `השליחה של הקמפיין ״${f.campaign}״ אושרה בידי ${f.by}`,
  approval_refused: (f) => `השליחה של הקמפיין ״${f.campaign}״ לא אושרה בידי ${f.by}`,
  series_waits: (f) =>
    `השליחה החוזרת ״${f.series}״ של ${f.client} נעצרה${SERIES_WAITS[f.reason ?? ""] ?? ", ומחכה להחלטה"}`,
  series_missed: (f) => `השליחה החוזרת ״${f.series}״ של ${f.client} לא יצאה במועד שלה: ${f.day}`,
  campaign_resumed: (f) => `הקמפיין ״${f.campaign}״ ממשיך לשלוח`,
  campaign_reopened: (f) => `הקמפיין ״${f.campaign}״ נפתח שוב לשליחה חוזרת`,
  campaign_paused: (f) => `הקמפיין ״${f.campaign}״ הושהה ${PAUSED_BY[f.by ?? ""] ?? "אוטומטית"}`,
  campaign_completed: (f) => `הקמפיין ״${f.campaign}״ הסתיים: ${countOf(Number(f.sent ?? 0), "message")}`,
  campaign_completed_with_errors: (f) =>
    `הקמפיין ״${f.campaign}״ הסתיים. נשלחו: ${figure(f.sent)}, נכשלו: ${figure(f.failed)}, לא ידוע: ${
      figure(f.unknown)
    }`,
  campaign_failed: (f) => `הקמפיין ״${f.campaign}״ נכשל: אף הודעה לא נשלחה`,
  campaign_cancelled: (f) =>
    `הקמפיין ״${f.campaign}״ בוטל ${PAUSED_BY[f.by ?? ""] ?? ""}. לא נשלחו: ${figure(f.cancelled)}`,
  hours_waived: (f) => `שליחת הקמפיין ״${f.campaign}״ גם מחוץ לשעות השליחה אושרה בידי ${f.by}`,
  hours_restored: (f) => `הקמפיין ״${f.campaign}״ הוחזר לשעות השליחה בידי ${f.by}`,
  queues_cleared: (f) =>
    `התורים אופסו בידי ${f.by}. בוטלו: ${countOf(Number(f.campaigns ?? 0), "campaign")}, ${
      countOf(Number(f.messages ?? 0), "message")
    }`,
  site_created: (f) => `נוסף ${siteCalled(String(f.site))}`,
  site_connected: () => "האתר התחבר",
  site_lost: () => "האתר התנתק",
  site_revoked: () => "האתר נותק לצמיתות",
  site_enrolled: () => "מחשב חדש רשום כאתר",
  site_started: () => "האתר חזר לקבל הודעות אחרי עצירה",
  device_added: () => "מכשיר חדש חובר",
  device_online: () => "המכשיר מחובר ומוכן לשליחה",
  device_offline: () => "המכשיר התנתק",
  device_unauthorized: () => "המכשיר מחכה לאישור חיבור USB במסך שלו",
  device_booting: () => "המכשיר עולה מחדש",
  device_locked: () => "המכשיר נעול ולא יכול לשלוח",
  device_low_battery: (f) => `הסוללה ב־${f.battery ?? 0}%. המכשיר הפסיק לקבל הודעות`,
  device_hot: () => "המכשיר התחמם מדי והפסיק לקבל הודעות",
  device_low_storage: () => "האחסון במכשיר כמעט מלא",
  device_not_answering: () => "המכשיר מחובר אבל לא עונה",
  device_command: (f) => `לבקשת ${f.by}: ${COMMAND[f.kind ?? ""] ?? f.kind}`,
  device_command_done: (f) => `בוצע לבקשת ${f.by}: ${COMMAND[f.kind ?? ""] ?? f.kind}`,
  device_command_timed_out: (f) => `לא התקבלה תשובה מהאתר: ${COMMAND[f.kind ?? ""] ?? f.kind}`,
  device_command_failed: (f) => `הפעולה לא בוצעה: ${COMMAND[f.kind ?? ""] ?? f.kind}`,
  account_labelled: (f) => `לבקשת ${f.by}: החשבון נקרא מעתה ״${f.label}״`,
  account_unlabelled: (f) => `לבקשת ${f.by}: שם החשבון הוסר`,
  account_confirmed: (f) => `החשבון אושר בידי ${f.by}`,
  account_unconfirmed: (f) => `אישור החשבון בוטל בידי ${f.by}`,
  account_number_changed: () => "באפליקציה מחובר עכשיו חשבון אחר. יש לבדוק ולאשר אותו",
  inventory_changed: changesOf,
  inventory_banned: changesOf,
  inventory_muted: () =>
    "המכשירים והחשבונות באתר משתנים שוב ושוב. שינויים נוספים בשעה הקרובה לא יירשמו כאן. המצב העדכני נמצא במסך המכשירים",
  account_ok: () => "החשבון חזר לפעול",
  account_banned: () => "החשבון נחסם",
  account_restricted: () => "החשבון הוגבל",
  account_logged_out: () => "החשבון נותק במכשיר",
  account_app_missing: () => "האפליקציה הוסרה מהמכשיר",
  import_done: (f) =>
    `הקובץ ${f.file} נקלט: ${countOf(Number(f.added ?? 0), "number")} מתוך ${
      countOf(Number(f.rows ?? 0), "row")
    }`,
  import_failed: (f) => `הקובץ ${f.file} לא נקלט. ${f.error ?? ""}`,
  settings_changed: (f) => `הגדרות המערכת נשמרו בידי ${f.by}. ${f.changes ?? ""}`,
  suppressions_added: (f) => `לרשימת ההסרה נוספו: ${countOf(Number(f.count ?? 0), "number")}, בידי ${f.by}`,
  suppressions_removed: (f) => `מרשימת ההסרה הוצאו: ${countOf(Number(f.count ?? 0), "number")}, בידי ${f.by}`,
  opt_out_undone: (f) => `בקשת הסרה של נמען של ${f.client} בוטלה בידי ${f.by}`,
};

const COMMAND: Record<string, string> = {
  restart: "הפעלה מחדש של המכשיר",
  stop: "עצירת המכשיר",
  start: "הפעלת המכשיר",
  identify: "זיהוי המכשיר במסך שלו",
};

/** Returns a row as a line. A code of another release shows its own sentence, or the code itself. */
export function wordActivity(row: ActivityRow): ActivityItem {
  const facts: Facts = typeof row.data === "string" ? JSON.parse(row.data) : row.data;
  return {
    id: row.id,
    type: row.kind,
    code: row.code,
    message: (MESSAGE[row.code]?.(facts) ?? String(facts.message ?? row.code)).trim(),
    detail: detailOf(facts),
    timestamp: row.at,
    deviceId: row.device,
    siteId: row.site,
    campaignId: row.campaign,
    userId: row.user,
  };
}

/** Returns the codes whose sentence contains the words, with any figures. */
export function codesContaining(words: string): string[] {
  return Object.keys(MESSAGE).filter((code) => MESSAGE[code]!({}).includes(words));
}

/** Each of several names stands between FSI and PDI: a Latin one would pull the dot after it to its other side. */
function detailOf({ device, site, client, account }: Facts): string | null {
  const named = (device ? [device, account, site] : [client ?? site]).filter((name) => name);
  if (named.length > 1) return named.map((name) => `\u2068${name}\u2069`).join(" · ");
  return named.length === 0 ? null : String(named[0]);
}

/** Returns the words for several changes in one inventory. */
function changesOf(facts: Facts): string {
  const parts: [string, Facts[string]][] = [
    ["חשבונות שנחסמו או הוגבלו", facts.banned],
    ["מכשירים חדשים", facts.added],
    ["מכשירים שהתחברו", facts.online],
    ["מכשירים שהתנתקו", facts.offline],
    ["מכשירים שלא מוכנים לשליחה", facts.unfit],
    ["חשבונות שמצבם השתנה", facts.accounts],
    ["חשבונות שמספרם התחלף", facts.numbers],
  ];
  const counted = parts.filter(([, count]) => Number(count ?? 0) > 0);
  return `כמה שינויים באתר. ${counted.map(([what, count]) => `${what}: ${figure(count)}`).join(", ")}`;
}

function figure(count: Facts[string]): string {
  return Number(count ?? 0).toLocaleString("en-US");
}
