import { countOf } from "../../text/count.ts";
import { formatNumber } from "../../text/format.ts";

export const TRENDS = {
  heading: "מגמות",
  period: (from: string, last: string) => `ימים שלמים, מ־${from} עד ${last}. היום נכלל רק כשיסתיים.`,
  subtitle: "כמה נשלח לאורך שבועות, ומה השתנה.",
  stale: (time: string) => `השרת לא ענה. הנתונים נכונים ל־${time}.`,
  days: "תקופה",
  daysOf: (days: string) => `${days} ימים`,
  by: "לפי",
  keys: { site: "אתר", account: "חשבון", client: "לקוח" },
  lists: { site: "לפי אתר", account: "לפי חשבון", client: "לפי לקוח" },
  loading: "טוען מגמות...",
  failed: "המגמות לא נטענו",
  empty: "עוד אין יום שלם שנמדד.",
  emptyTeaching: (sent: number) =>
    `${
      sent === 0 ? "היום עוד לא נשלחה הודעה." : `היום נשלחו עד כה: ${countOf(sent, "message")}.`
    } המגמות מתחילות מהיום הראשון שמסתיים.`,
  figures: "סיכום התקופה",
  sent: "נשלחו",
  failedCount: "נכשלו",
  unknown: "לא ידוע",
  average: "ממוצע ליום",
  ofAll: (percent: string) => `${percent} מכל התוצאות`,
  versusBefore: "לעומת התקופה הקודמת",
  sameAsBefore: "כמו בתקופה הקודמת",
  notCompared: "התקופה הקודמת לא נמדדה כולה",
  before: "התקופה הקודמת",
  today: (sent: number) => `היום עד כה: ${countOf(sent, "message")}`,
  measuredSince: (day: string) => `נמדד מ־${day}`,
  perDay: "הודעות ביום",
  chartTable: "הודעות שנשלחו בכל יום",
  day: "יום",
  sentence: (total: number, days: number, most: number, day: string) =>
    `תרשים: ${countOf(total, "message")} ב־${days} ימים, הכי הרבה ${formatNumber(most)} ב־${day}`,
  unit: (sent: number) => countOf(sent, "message"),
  everyone: "כולם",
  change: "שינוי",
  show: "הצגה בתרשים:",
  more: (count: number) => `ועוד ${formatNumber(count)}, עם פחות הודעות.`,
  nobody: "אין תוצאות בתקופה הזאת ובקודמת.",
};
