/** The cause of a breaker's trip, and its Hebrew wording. */
import { countOf } from "./hebrew_count.ts";

export const SIGNALS = ["opted_out", "failed", "unknown", "bans"] as const;
export type Signal = (typeof SIGNALS)[number];

export interface Trip {
  signal: Signal;
  count: number;
  sample: number;
}

/** Returns the reason of the stop in Hebrew, and what to check before resuming. */
export function tripSentence(trip: Trip): string {
  return `${tripShare(trip)}. ${TRIP_ADVICE[trip.signal]}`;
}

const TRIP_ADVICE: Record<Signal, string> = {
  opted_out: "כדאי לבדוק למי נשלחת ההודעה ומה כתוב בה.",
  failed: "כדאי לבדוק את רשימת המספרים.",
  unknown: "כדאי לבדוק את המכשירים ואת האתר.",
  bans: "כדאי לבדוק את נוסח ההודעה ואת הרשימה.",
};

/** Returns the counted figures in Hebrew, without a full stop. */
function tripShare({ signal, count, sample }: Trip): string {
  const share = `${Math.round((1000 * count) / sample) / 10}%`;
  switch (signal) {
    case "opted_out":
      return `${share} מהנמענים האחרונים ביקשו הסרה (${count} מתוך ${sample})`;
    case "failed":
      return `${share} מההודעות האחרונות נכשלו (${count} מתוך ${sample})`;
    case "unknown":
      return `${share} מההודעות האחרונות במצב לא ידוע (${count} מתוך ${sample})`;
    case "bans":
      return `${countOf(count, "account")} נחסמו או הוגבלו בזמן ששלחו את הקמפיין`;
  }
}

/** The advice to the administrator. */
export const UNCONFIRMED_ADVICE =
  "יש לבדוק את המכשירים שם: לאשר את החשבונות בדפי המכשירים, להפעיל את האתר מחדש, או לנתק אותו.";

/** Returns the reason of the rest, in Hebrew. */
export function restSentence(why: Trip): string {
  return `חשבונות שאיש לא אישר הופסקו אוטומטית, כי ${tripShare(why)}. הקמפיינים ממשיכים בלעדיהם.`;
}
