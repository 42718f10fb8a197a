import { countOf, oneOrMany } from "../../../text/count.ts";

/** Words of a client's own suppression list. */
export const REMOVALS = {
  title: "רשימת ההסרה · שיגור",
  heading: "רשימת ההסרה",
  subtitle:
    "מי שנמצא ברשימה לא יקבל מכם הודעות, גם אם המספר שלו מופיע בקובץ. מי שעונה ״הסר״ להודעה שלכם נוסף אליה מעצמו, ורק מנהל המערכת יכול להוציא אותו ממנה.",
  back: "חזרה לחשבון",
  fileHeading: "הוספה מקובץ",
  fileHint: "העמודה עם מספרי הטלפון נמצאת מעצמה.",
  fileSubmit: "הוספת הקובץ לרשימה",
  fileMissingTitle: "לא נבחר קובץ",
  fileMissing: "נא לבחור קובץ CSV.",
  emptyMeaning: "מי שיבקש הסרה בתשובה להודעה שלכם יופיע כאן. אפשר להוסיף מספרים ביד או מקובץ.",
  /** The reason why a number cannot be chosen. */
  askedThemselves: "הנמען ביקש הסרה בעצמו, ורק מנהל המערכת יכול להוציא אותו",
  link: "לרשימת ההסרה",
  linkMeaning: "מי לא יקבל מכם הודעות: מי שביקש הסרה, ומספרים שהוספתם.",
};

/** "נמען אחד ביקש הסרה", "שלושה נמענים ביקשו הסרה". */
export function optedOutSentence(count: number): string {
  return `${countOf(count, "recipient")} ${oneOrMany(count, "ביקש", "ביקשו")} הסרה`;
}
