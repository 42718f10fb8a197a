import type { CapacitySite } from "shared/admin_api.ts";
import { countOf, oneOrMany } from "../../text/count.ts";
import { formatNumber } from "../../text/format.ts";

export const CAPACITY = {
  heading: "קיבולת",
  subtitle: "כמה הודעות עוד אפשר לשלוח היום לפי החימום, השעה, התקרות וההפסקות, ומתי כל קמפיין יסתיים.",
  loading: "טוען את הקיבולת...",
  failed: "הקיבולת לא נטענה",
  figures: "קיבולת היום",
  leftToday: "נותרו להיום",
  ofCap: (used: number, cap: number) => `היום כבר יצאו ${formatNumber(used)} · ביום שלם ${formatNumber(cap)}`,
  leftNow: "נותרו בשעה הזאת",
  phonesReady: (ready: number, phones: number) =>
    `${formatNumber(ready)} מתוך ${countOf(phones, "device")} ${
      oneOrMany(ready, "יכול", "יכולים")
    } לשלוח עכשיו`,
  waiting: "ממתינות בתור",
  paused: (count: number) => count === 0 ? "" : `ועוד ${formatNumber(count)} בקמפיינים מושהים`,
  sites: "לפי אתר",
  sitesRegion: "טבלת הקיבולת לפי אתר",
  noSites: "עוד אין אתרים",
  noSitesTeaching: "אחרי שמחברים אתר וטלפונים, כאן יופיע כמה אפשר לשלוח מהם.",
  toSites: "לאתרים",
  siteColumns: {
    name: "אתר",
    state: "מצב",
    phones: "טלפונים מוכנים",
    now: "נותרו בשעה",
    today: "נותרו להיום",
    away: "בטלפונים שלא עובדים",
  },
  siteStates: {
    working: "עובד",
    away: "מנותק",
    stopped: "נעצר",
    draining: "מסיים לפני כיבוי",
  } satisfies Record<
    CapacitySite["state"],
    string
  >,
  phonesOf: (ready: number, phones: number) => `${formatNumber(ready)} מתוך ${formatNumber(phones)}`,
  leftOf: (left: number, used: number) => `נותרו ${formatNumber(left)}, נשלחו ${formatNumber(used)}`,
  away: (left: number) => `עוד ${formatNumber(left)} בטלפונים שלא עובדים`,
  campaigns: "קמפיינים בדרך",
  campaignsRegion: "טבלת הקמפיינים שבדרך",
  noCampaigns: "אין כרגע קמפיינים בדרך",
  noCampaignsTeaching: "כשלקוח ישלח קמפיין, כאן יופיע מתי הוא יסתיים.",
  campaignColumns: { name: "קמפיין", waiting: "ממתינות", pace: "קצב", end: "סיום" },
  perMinute: (pace: number) => `${formatNumber(Math.round(pace))} בדקה`,
  noPace: "עוד לא נמדד",
  unknownEnd: "אין הערכה",
  cut: (shown: number, all: number) =>
    `מוצגים ${formatNumber(shown)} הקמפיינים הוותיקים מתוך ${formatNumber(all)}.`,
};

/** Returns the verdict under the queue: whether today's rooms are enough for it. */
export function verdict(waiting: number, leftToday: number): { isEnough: boolean; text: string } {
  if (waiting === 0) return { isEnough: true, text: "התור ריק" };
  const missing = waiting - leftToday;
  return missing <= 0
    ? { isEnough: true, text: "הקיבולת של היום מספיקה" }
    : { isEnough: false, text: `${countOf(missing, "message")} ${oneOrMany(missing, "תחכה", "יחכו")} למחר` };
}
