import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

/** Words of a campaign on every screen: list, card, detail. */
export const CAMPAIGN = {
  statuses: {
    draft: "טיוטה",
    ready: "מוכן",
    scheduled: "מתוזמן",
    processing: "בעבודה",
    active: "בעבודה",
    paused: "מושהה",
    completed: "סיים",
    completed_with_errors: "סיים",
    failed: "נכשל",
    cancelled: "בוטל",
  },
  completedAgo: (age: string) => `הושלם ${age}`,
  endedAgo: (age: string) => `הסתיים ${age}`,
  sentOf: (count: number) => oneOrMany(count, "נשלחה", "נשלחו"),
  noFailures: "ללא כשלים",
  withFailures: (failed: number, unknown: number) =>
    [
      failed && `${formatNumber(failed)} ${oneOrMany(failed, "נכשלה", "נכשלו")}`,
      unknown && `${formatNumber(unknown)} לא ידוע`,
    ]
      .filter(Boolean).join(", "),
  ofTotal: (total: number) => `מתוך ${formatNumber(total)}`,
  waitingToSend: "אנשי קשר מחכים לשליחה",
  waitingToSendOne: "איש קשר אחד מחכה לשליחה",
  send: "שלח",
  sending: "שולח...",
  sentTitle: "הקמפיין נשלח",
  sentBody: "ההודעות נשלחות כעת למערכת",
  sendFailedTitleList: "שגיאה בשליחת קמפיין",
  sendFailedTitleDetail: "שגיאה",
  sendFailedList: "הקמפיין לא נשלח (Failed to send campaign)",
  sendFailedDetail: "אירעה שגיאה בשליחת הקמפיין",
  fetchListFailed: "השרת לא מסר את הקמפיינים (Failed to fetch campaigns)",
  fetchFailed: "השרת לא מסר את הקמפיין (Failed to fetch campaign)",
  startedTitle: "קמפיין החל",
  started: (contacts: number) => `שליחה החלה - ${formatNumber(contacts)} אנשי קשר`,
  completedTitle: "קמפיין הושלם!",
  completed: "הקמפיין הסתיים בהצלחה",
};

function rest(left: number): string {
  if (left === 0) return "לא תישאר אף אחת";
  if (left === 1) return "תישאר אחת";
  return left === 2 ? "יישארו שתיים" : `יישארו ${formatNumber(left)}`;
}

/** Returns the cost and the remaining balance: "1,240 הודעות ייגבו מהמכסה. יישארו 11,240." */
export function costSentence(cost: number, quota: number): string {
  if (cost > quota) {
    const missing = cost - quota;
    return `${oneOrMany(missing, "חסרה", "חסרות")} ${countOf(missing, "message")} במכסה: ${
      oneOrMany(cost, "דרושה אחת", `דרושות ${formatNumber(cost)}`)
    }, זמינות ${formatNumber(quota)}. נא לפנות למנהל המערכת לטעינת הודעות.`;
  }
  return `${countOf(cost, "message")} ${oneOrMany(cost, "תיגבה", "ייגבו")} מהמכסה. ${rest(quota - cost)}.`;
}
