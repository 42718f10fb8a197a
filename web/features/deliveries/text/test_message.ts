import { countOf } from "../../../text/count.ts";
import { isolated } from "../../../text/isolated.ts";

/** Words of the test to oneself. */
export const TEST = {
  title: "הודעת ניסיון",
  what: "ההודעה תישלח למספר אחד, בדיוק כפי שהנמענים יקבלו אותה. הקמפיין עצמו לא יישלח.",
  whatPersonal: "ההודעה תישלח למספר אחד, עם הערכים של הנמען שבתצוגה. הקמפיין עצמו לא יישלח.",
  valuesOf: "עם הערכים של",
  noRow: "עוד אין נמען שאפשר לקחת ממנו ערכים.",
  lacks: (names: readonly string[]) =>
    `חסר לו: ${names.map(isolated).join(", ")}. כדי לשלוח ניסיון בוחרים בתצוגה נמען אחר.`,
  phone: "לאיזה מספר לשלוח",
  hint: (perDay: number) => `נגבית הודעה אחת מהמכסה. אפשר לשלוח עד ${perDay} הודעות ניסיון ביום.`,
  missing: "נא להזין מספר טלפון",
  send: "שליחת ניסיון",
  sendAgain: "שליחה נוספת",
  sending: "שולח...",
  close: "סגירה",
  failed: "הודעת הניסיון לא נשלחה. אפשר לנסות שוב.",
  onItsWay: "הודעת הניסיון בדרך.",
  over: {
    sent: "ההודעה נשלחה. כדאי לפתוח אותה בטלפון ולקרוא.",
    failed: "ההודעה לא נשלחה, והיא הוחזרה למכסה.",
    unknown: "לא ידוע אם ההודעה יצאה. כדאי לבדוק בטלפון.",
    skipped: "המספר דולג, וההודעה הוחזרה למכסה.",
    cancelled: "הודעת הניסיון בוטלה, והיא הוחזרה למכסה.",
  },
  remaining: (count: number) => {
    if (count === 0) return "לא נשארו הודעות ניסיון להיום.";
    if (count === 1) return "נשארה להיום עוד הודעת ניסיון אחת.";
    return `נשארו להיום עוד ${countOf(count, "message")} ניסיון.`;
  },
};
