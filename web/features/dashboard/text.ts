import { countOf, oneOrMany } from "../../text/count.ts";
import { formatNumber } from "../../text/format.ts";

export const DASHBOARD = {
  heading: "דשבורד ניהול",
  loading: "טוען נתונים...",
  failed: "הדשבורד לא נטען",
  stale: (time: string) => `השרת לא ענה. הנתונים נכונים ל־${time}.`,
  stats: "נתוני היום",
  totalDevices: "סה״כ מכשירים",
  activeSessions: "חיבורים פעילים",
  messagesToday: "הודעות היום",
  banRate: "אחוז חסימות",
  versusYesterday: "לעומת אתמול",
  noChange: "כמו אתמול",
  notMeasured: "אתמול עוד לא נמדד",
  points: "נק׳ אחוז",
  trends: "מגמות לאורך זמן",
  rate: "קצב שליחה",
  ratePeriod: "24 השעות האחרונות, הודעות בכל שעתיים",
  rateEmpty: "לא נשלחו הודעות ב־24 השעות האחרונות.",
  rateSentence: (total: number, most: number, from: string) =>
    `תרשים: ${countOf(total, "message")} ב־24 השעות האחרונות, הכי הרבה ${
      formatNumber(most)
    } בשעתיים שהתחילו ב־${from}`,
  rateTable: "הודעות בכל שעתיים",
  rateColumns: { from: "משעה", sent: "הודעות" },
  rateSpan: (from: string, to: string) => `${from} עד ${to}`,
  rateSent: (sent: number) => countOf(sent, "message"),
  devices: "מכשירים פעילים",
  allDevices: "לכל המכשירים",
  noDevices: "אין כרגע מכשיר מחובר.",
  noDevicesTeaching: "מוסיפים מכשיר דרך מסך האתרים, וכאן יופיע מה הוא עושה.",
  allAway: "כל המכשירים מנותקים. במסך האתרים רואים איזה אתר לא מחובר ומאיזו שעה.",
  toSites: "לאתרים",
  ofCapToday: (cap: string) => `מתוך ${cap} היום`,
};

/** Returns the number of phones in each state, without zeros: "24 שולחים · 16 פנויים · 5 מנותקים". */
export function fleetSentence(
  fleet: {
    sending: number;
    ready: number;
    full: number;
    unable: number;
    stopped: number;
    offline: number;
    atRisk: number;
    banned: number;
  },
): string {
  const parts = [
    [fleet.sending, "שולח", "שולחים"],
    [fleet.ready, "פנוי", "פנויים"],
    [fleet.full, "הגיע לתקרה", "הגיעו לתקרה"],
    [fleet.unable, "לא יכול לשלוח", "לא יכולים לשלוח"],
    [fleet.stopped, "נעצר", "נעצרו"],
    [fleet.offline, "מנותק", "מנותקים"],
    [fleet.atRisk, "בסיכון", "בסיכון"],
    [fleet.banned, "חסום", "חסומים"],
  ] as const;
  return parts.filter(([count]) => count > 0)
    .map(([count, one, many]) => `${formatNumber(count)} ${oneOrMany(count, one, many)}`)
    .join(" · ");
}

export const QUICK = {
  heading: "פעולות מהירות",
  addDevice: "הוספת מכשיר",
  uploadCsv: "העלאת CSV",
  antiBan: "הגדרות אנטי-באן",
  logs: "צפייה ביומן",
  refresh: "רענון נתונים",
  refreshing: "מרענן...",
  settings: "הגדרות מערכת",
};

export const RESET = {
  open: "איפוס תורים",
  title: "איפוס כל התורים?",
  purpose: "הפעולה תמחק את כל ההודעות והקמפיינים שבתור ותבטל קמפיינים פעילים. להשתמש רק כשהמערכת תקועה.",
  effect: (waiting: number, running: number) =>
    `הפעולה תמחק מהתור ${countOf(waiting, "message")} שטרם ${oneOrMany(waiting, "נשלחה", "נשלחו")} ותבטל ${
      countOf(running, "campaign")
    } ${oneOrMany(running, "פעיל", "פעילים")}.`,
  untouched: (sentToday: number) =>
    sentToday === 0
      ? ""
      : `${countOf(sentToday, "message")} שכבר ${
        oneOrMany(sentToday, "נשלחה היום לא תושפע", "נשלחו היום לא יושפעו")
      }.`,
  nothing: "אין כרגע הודעות בתור ואין קמפיינים פעילים. האיפוס לא ישנה דבר.",
  messages: "הודעות יימחקו",
  campaigns: "קמפיינים יבוטלו",
  refunded: "יוחזרו למכסות",
  onlyWhenStuck: "להשתמש רק כשהמערכת תקועה. אי אפשר לבטל את האיפוס.",
  word: "איפוס",
  confirm: "אישור איפוס",
  pending: "מנקה...",
  doneTitle: "התורים נוקו בהצלחה",
  done: (messages: number, campaigns: number) => `${formatNumber(messages + campaigns)} משימות נוקו`,
  failedTitle: "שגיאה",
  failed: "לא ניתן לנקות את התורים",
};
