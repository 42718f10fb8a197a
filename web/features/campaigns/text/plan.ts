/** Words of a plan: choosing a day and an hour, what comes of it, moving it and calling it off. */
import { planMoment } from "shared/hebrew_date.ts";
import type { Forecast, GoodHour } from "shared/plan_api.ts";
import { countOf } from "../../../text/count.ts";
import { formatDate, formatTime, ZONE } from "../../../text/format.ts";

const weekdayOf = new Intl.DateTimeFormat("he-IL", { timeZone: ZONE, weekday: "long" });
const percentOf = new Intl.NumberFormat("he-IL", { style: "percent", maximumFractionDigits: 1 });

export const PLAN = {
  when: "מתי לשלוח",
  now: "עכשיו",
  later: "במועד אחר",
  day: "יום",
  hour: "שעה",
  hourHint: "לפי שעון ישראל.",
  missingDay: "נא לבחור יום",
  past: "המועד הזה כבר עבר. נא לבחור מועד אחר.",
  tooFar: "אפשר לתזמן עד שנה קדימה.",
  leftOut: "השעה הזאת לא קיימת: בלילה הזה השעון קופץ שעה קדימה. נא לבחור שעה אחרת.",
  loading: "בודק מה יוצא מהמועד הזה...",
  noForecast: "לא הצלחנו לחשב מתי זה ייגמר. אפשר לתזמן בכל זאת.",
  frozen: "אחרי התזמון ההודעה, התמונה והנמענים נעולים, והיחידות נשמרות מהמכסה. עד ההתחלה אפשר להזיז או לבטל.",
  confirm: (people: number) => `לתזמן ל${people > 2 ? "־" : ""}${countOf(people, "recipient")}`,
  planning: "מתזמן...",
  doneTitle: "הקמפיין תוזמן",
  done: (at: number) => `הוא יתחיל מעצמו ב${planMoment(at)}.`,
  failedTitle: "הקמפיין לא תוזמן",
  failed: "השרת לא אישר את התזמון.",
  starts: (at: number) => `יתחיל ב${planMoment(at)}`,
  wanted: (at: number) => `המועד שנבחר: ${planMoment(at)}`,
  move: "שינוי המועד",
  moveTitle: (name: string) => `מתי לשלוח את ״${name}״?`,
  moveConfirm: "שמירת המועד",
  moving: "שומר...",
  movedTitle: "המועד שונה",
  moveFailedTitle: "המועד לא שונה",
  moveFailed: "השרת לא אישר את המועד החדש.",
  startNow: "לשלוח עכשיו",
  startingNow: "שולח...",
  startTitle: (name: string) => `לשלוח את ״${name}״ עכשיו?`,
  startBody: (messages: number) =>
    `${countOf(messages, "message")} ${messages === 1 ? "תתחיל" : "יתחילו"} לצאת מיד, לפי שעות השליחה.`,
  callOff: "ביטול התזמון",
  callingOff: "מבטל...",
  callOffTitle: (name: string) => `לבטל את התזמון של ״${name}״?`,
  callOffBody: (messages: number) =>
    `הקמפיין יחזור למצב מוכן, ואפשר יהיה לערוך אותו. ${countOf(messages, "message")} ${
      messages === 1 ? "תחזור" : "יחזרו"
    } למכסה.`,
  calledOffTitle: "התזמון בוטל",
  callOffFailedTitle: "התזמון לא בוטל",
  callOffFailed: "השרת לא אישר את ביטול התזמון.",
  keep: "חזרה",
  chooseGood: (hour: number) => `לבחור ${writeHour(hour * 60)}`,
};

/** Returns "09:30" for 570. */
export function writeHour(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Returns "יתחיל ביום ראשון ב־09:00, יסתיים ביום שלישי." with the reason, when the hours move the beginning. */
export function forecastSentence({ beginsAt, endsAt, day }: Forecast, at: number): string {
  const isMoved = beginsAt > at;
  const why = !isMoved ? "" : day === "closed" ? "בשבת ובחג לא שולחים. " : "המועד הזה מחוץ לשעות השליחה. ";
  const begins = `${why}יתחיל ${onDay(beginsAt, at)} ב־${formatTime(beginsAt)}`;
  if (endsAt === null) return `${begins}. אין הערכה לסיום: כרגע אין טלפון שיכול לשלוח.`;
  const isSameDay = formatDate(endsAt) === formatDate(beginsAt);
  const ends = isSameDay ? `באותו יום ב־${formatTime(endsAt)}` : onDay(endsAt, beginsAt);
  return `${begins}, יסתיים ${ends}.`;
}

/** Returns what the client's own campaigns say about an hour. */
export function goodHourSentence({ hour, campaigns, share, usual }: GoodHour): string {
  return `ב־${countOf(campaigns, "campaign")} שלכם שיצאו בין ${writeHour(hour * 60)} ל־${
    writeHour(((hour + 1) % 24) * 60)
  } היו הכי מעט הסרות וכשלים: ${percentOf.format(share)}, לעומת ${percentOf.format(usual)} בדרך כלל.`;
}

/** "ביום שלישי"; with the date when the weekday alone does not say which. */
function onDay(at: number, since: number): string {
  const weekday = `ב${weekdayOf.format(at)}`;
  return at - since < 6 * 24 * 60 * 60_000 ? weekday : `${weekday}, ${formatDate(at)}`;
}
