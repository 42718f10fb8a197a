import { countOf, oneOrMany } from "./count.ts";
import { formatNumber } from "./format.ts";

export const ACTIVITY = {
  heading: "יומן פעילות",
  subtitle: "מה קרה בצי, בקמפיינים ובמערכת, מהחדש לישן.",
  recent: "פעילות אחרונה",
  live: "לייב",
  all: "ליומן המלא",
  empty: "עוד אין פעילות היום. שליחות, תקלות וחיבורים יופיעו כאן ברגע שהם קורים.",
  noneOfKind: "אין פעילות מהסוג הזה.",
  loading: "טוען פעילות...",
  failed: "הפעילות לא נטענה",
  search: "חיפוש ביומן",
  region: "יומן הפעילות",
  kinds: { all: "הכול", success: "הצלחות", info: "מידע", warning: "אזהרות", error: "תקלות" },
  kindOf: { success: "הצלחה", info: "מידע", warning: "אזהרה", error: "תקלה" },
  fresh: (count: number) =>
    count === 1
      ? "שורה חדשה אחת · הצגה"
      : count === 2
      ? "שתי שורות חדשות · הצגה"
      : `${formatNumber(count)} שורות חדשות · הצגה`,
};

export const ALERTS = {
  toSite: "לאתרים",
  toDevice: "לפרטי המכשיר",
  toCampaign: "לקמפיין",
  toCampaigns: "לקמפיינים",
  toFile: "לקבצים",
  toDevices: "למכשירים",
  toReplies: "לתשובות",
  toApprovals: "לאישורים",
  toUsers: "לניהול משתמשים",
  toSettings: "להגדרות",
  bellUnknown: "התראות",
  bellNone: "התראות: אין",
  bell: (count: number, hasMore: boolean) =>
    count === 1 ? "התראות: 1 פתוחה" : `התראות: ${hasMore ? "יותר מ־" : ""}${formatNumber(count)} פתוחות`,
  title: "מה מחכה לטיפול",
  none: "אין התראות. שום דבר לא מחכה לטיפול.",
  loading: "טוען התראות...",
  failed: "ההתראות לא נטענו",
  stale: "ההתראות לא התעדכנו.",
  staleBody: (age: string) => `מה שמוצג כאן התקבל ${age}.`,
  hasMore: "מוצגות כאן עד חמש התראות מכל סוג, ויש עוד.",
  close: "סגירה",
  notificationTitle: "שיגור: דרושה תשומת לב",
  more: (count: number) => `ועוד ${countOf(count, "alert")} ${oneOrMany(count, "שמחכה", "שמחכות")} לטיפול.`,
  allow: "להפעיל התראות בדפדפן",
  turnedOff: "ההתראות כבויות בהגדרות המערכת, ולכן גם הדפדפן לא מודיע.",
  permission: {
    default: "אפשר לקבל התראה מהדפדפן גם כשהחלון הזה מאחורי חלונות אחרים. הדפדפן ישאל אם לאשר.",
    granted: "הדפדפן מודיע על כל התראה חדשה, פעם אחת, כל עוד חלון של המערכת פתוח.",
    denied: "הדפדפן חוסם התראות מהאתר הזה. אפשר לאשר אותן בהגדרות האתר, ליד שורת הכתובת.",
    unsupported: "הדפדפן הזה לא יכול להציג התראות מכאן. הן מופיעות כאן ובדשבורד.",
  },
};
