import { countOf, oneOrMany } from "../../text/count.ts";

/** Words about replies that mention removal without clearly asking for it. */
export const REPLIES = {
  heading: "תשובות שממתינות להחלטה",
  meaning:
    "מי שעונה רק ״הסר״, ״הסירו אותי״ או ״stop״ נוסף מיד לרשימת ההסרה. כאן נמצאות תשובות שמזכירות הסרה בתוך משפט, או שאי אפשר לסמוך על מה שנקרא מהן. עד להחלטה הנמען ממשיך לקבל הודעות.",
  none: "אין תשובות שממתינות להחלטה.",
  list: "תשובות שממתינות להחלטה",
  /** The text was deleted, or the reply may be meant for another client. */
  wordless: "התוכן לא מוצג: ייתכן שהתשובה נכתבה ללקוח אחר, או שהתוכן כבר נמחק.",
  loading: "טוען תשובות...",
  failed: "התשובות לא נטענו",
  more: "תשובות נוספות",
  loadingMore: "טוען...",
  moreFailed: "התשובות הנוספות לא נטענו",
  remove: "להסיר",
  keep: "לא ביקשו הסרה",
  /** Accessible names of the buttons, for screen readers. */
  act: (act: string, phone: string) => `${act}: ${phone}`,
  removeTitle: "להסיר את הנמען?",
  /** Names for what a restore lost. */
  lostCampaign: "קמפיין שאבד בשחזור",
  unknownClient: "לקוח לא ידוע",
  removeEffect: (from: "own" | "client" | "all") =>
    `לא יישלחו למספר הזה עוד הודעות ${
      { own: "שלכם", client: "של הלקוח הזה", all: "של אף לקוח, כי לא ידוע מי שלח את ההודעה" }[from]
    }, גם לא מקמפיין שכבר בדרך. הודעה שכבר הועברה לטלפון עשויה עוד לצאת. ${
      from === "own" ? "רק מנהל המערכת יכול לבטל את ההסרה" : "אפשר לבטל את ההסרה"
    }, אם הנמען יבקש לחזור.`,
  removeConfirm: "הסרה",
  removing: "מסיר...",
  decided: {
    remove: {
      title: "המספר הוסר",
      description: "הוא נוסף לרשימת ההסרה, ולא יישלחו אליו עוד הודעות.",
      tone: "ok",
    },
    keep: { title: "ההחלטה נשמרה", description: "הנמען לא הוסר.", tone: "ok" },
  },
  decidedBefore: { title: "כבר הוחלט", description: "מישהו אחר החליט לגבי התשובה הזאת.", tone: "ok" },
  decideFailedTitle: "ההחלטה לא נשמרה",
  decideFailed: "השרת לא אישר את ההחלטה. אפשר לנסות שוב.",
} as const;

/** "תשובה אחת ממתינה להחלטה". */
export function waitingSentence(count: number): string {
  return `${countOf(count, "reply")} ${oneOrMany(count, "ממתינה", "ממתינות")} להחלטה`;
}
