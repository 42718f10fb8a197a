import type { Campaign } from "shared/http_api.ts";
import { countOf } from "../../../text/count.ts";

/** Words of the review before a send, and of the seconds after it in which it can be taken back. */
export const REVIEW = {
  title: (name: string) => `לשלוח את ״${name}״?`,
  loading: "טוען את הקמפיין...",
  failed: "הקמפיין לא נטען",
  bubble: "כך הנמענים יראו את ההודעה",
  image: "התמונה שבהודעה",
  people: "נמענים",
  cost: "עלות",
  left: "יתרה אחרי השליחה",
  starts: "תחילת השליחה",
  now: "מיד אחרי האישור",
  opens: (moment: string) => `כשייפתחו שעות השליחה, ${moment}`,
  hours: "שעות השליחה",
  /** Whole hours; no range of figures, which would turn around between Hebrew words. */
  hoursText: ({ opens, closes, closesEarly }: NonNullable<Campaign["sendingHours"]>) =>
    `א׳ עד ה׳ מ־${opens}:00 עד ${closes}:00, בשישי ובערב חג עד ${closesEarly}:00. לא בשבת ובחג.`,
  ends: "סיום משוער",
  noEnd: "אין הערכה: כרגע אין טלפון שיכול לשלוח.",
  missing: "מה חסר לפני שאפשר לשלוח",
  /** Said when the button is pressed nevertheless. */
  stillMissing: "עוד אי אפשר לשלוח. חסר:",
  noContacts: "אין בקמפיין נמענים לשליחה.",
  importing: "הרשימה עדיין נטענת. אפשר לשלוח כשהטעינה תסתיים.",
  advertiser: "עוד לא צוין מי המפרסם, ובלי זה אי אפשר לשלוח הודעה שיווקית.",
  toAdvertiser: "למילוי פרטי המפרסם",
  tenSeconds: (seconds: number) => `אחרי האישור יש ${seconds} שניות לבטל את השליחה.`,
  testFirst: "עוד לפני כן אפשר",
  toTest: "לשלוח הודעת ניסיון למספר אחד",
  notAdded: "בלי זה הם לא יקבלו את ההודעה.",
  confirm: (people: number) => `לשלוח ל${people > 2 ? "־" : ""}${countOf(people, "recipient")}`,
  back: "חזרה",
};

export const TAKE_BACK = {
  label: (name: string) => `השליחה של ״${name}״ ממתינה`,
  lead: (name: string) => `״${name}״ יישלח בעוד כמה שניות.`,
  seconds: (seconds: number) => seconds === 1 ? "שנייה" : "שניות",
  act: "לבטל את השליחה",
  acting: "מבטל...",
  doneTitle: "השליחה בוטלה",
  done: (messages: number) =>
    `הקמפיין חזר למצב מוכן, ושום הודעה לא יצאה. ${countOf(messages, "message")} ${
      messages === 1 ? "חזרה" : "חזרו"
    } למכסה.`,
  failedTitle: "השליחה לא בוטלה",
  failed: "השרת לא אישר את ביטול השליחה.",
};
