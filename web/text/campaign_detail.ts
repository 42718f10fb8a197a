import { countOf, oneOrMany } from "./count.ts";
import { formatNumber } from "./format.ts";
import { isolated } from "./isolated.ts";

/** Words of the campaign's own screen. */
export const DETAIL = {
  report: "דוח",
  title: (name: string) => `${name} · שיגור`,
  missing: "קמפיין לא נמצא",
  missingHint: "ייתכן שהוא נמחק, או שהוא שייך לחשבון אחר.",
  back: "חזרה לקמפיינים",
  failed: "הקמפיין לא נטען",
  loading: "טוען קמפיין...",
  completed: "הקמפיין הושלם בהצלחה",
  contacts: (count: number) => countOf(count, "contact"),
  startedAt: (moment: string) => `יצא לדרך ${moment}`,
  createdAt: (moment: string) => `נוצר ${moment}`,
  quota: "הודעות זמינות:",
  progress: "התקדמות",
  waitsForClient: "הקמפיין מוכן ומחכה שהלקוח ישלח אותו.",
  pace: "קצב שנמדד",
  perMinute: "בדקה",
  endByPace: "סיום לפי הקצב",
  lastSent: "ההודעה האחרונה יצאה",
  filter: "סינון לפי מצב",
  message: "ההודעה",
  image: "התמונה שצורפה להודעה",
  pause: "השהיה",
  pausing: "משהה...",
  resume: "המשך",
  resuming: "ממשיך...",
  seenTitle: "הקמפיין הושהה אוטומטית",
  seenBody: (count: number) =>
    `${
      count === 1 ? "הודעה אחת מחכה" : `${countOf(count, "message")} מחכות`
    } בתור. אם הסיבה טופלה, אפשר להמשיך: מכאן והלאה הספירה מתחילה מחדש.`,
  seenConfirm: "ראיתי את הסיבה, להמשיך",
  resumeForTitle: (client: string) => `להמשיך במקום ${isolated(client)}?`,
  resumeForBody: (client: string, count: number) =>
    `${isolated(client)} השהה את הקמפיין. ${
      count === 1 ? "הודעה אחת שמחכה בתור תתחיל" : `${countOf(count, "message")} שמחכות בתור יתחילו`
    } לצאת, ואת אלה שיצאו אי אפשר להחזיר.`,
  keepPaused: "להשאיר מושהה",
  cancel: "ביטול הקמפיין",
  cancelTitle: "ביטול הקמפיין?",
  cancelConfirm: "ביטול הקמפיין",
  cancelling: "מבטל...",
  keep: "חזרה",
  changeFailedTitle: "הפעולה לא בוצעה",
  changeFailed: "השרת לא אישר את הפעולה. מצב הקמפיין לא השתנה.",
  pausedTitle: "הקמפיין הושהה",
  resumedTitle: "הקמפיין ממשיך",
  cancelledTitle: "הקמפיין בוטל",
  recalled: (changed: number, recalled: number) => {
    const done = `${countOf(changed, "message")} ${oneOrMany(changed, "עודכנה", "עודכנו")}`;
    if (recalled === 0) return `${done}.`;
    const held = recalled === 1
      ? "הודעה אחת כבר נמצאת במכשיר, ומצבה יתעדכן"
      : `${countOf(recalled, "message")} כבר נמצאות במכשירים, ומצבן יתעדכן`;
    return `${changed === 0 ? "" : `${done} מיד. `}${held} כשיגיע הדיווח על השליחה.`;
  },
};

/** Returns the effect of a cancellation, with numbers. */
export function cancelEffect(name: string, unsent: number, sent: number): string {
  const begin = `לבטל את ״${isolated(name)}״? ${countOf(unsent, "message")} ${
    oneOrMany(unsent, "שטרם נשלחה תבוטל ותוחזר", "שטרם נשלחו יבוטלו ויוחזרו")
  } למכסה.`;
  if (sent === 0) return begin;
  return `${begin} ${
    sent === 1
      ? "הודעה אחת כבר נשלחה, ואי אפשר להחזיר אותה"
      : `${formatNumber(sent)} כבר נשלחו, ואי אפשר להחזיר אותן`
  }.`;
}
