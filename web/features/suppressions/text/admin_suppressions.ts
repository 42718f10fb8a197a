import type { SuppressionsAdded } from "shared/suppressions_api.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";
import { CSV_FILE } from "../../../text/csv_file.ts";

export const SUPPRESSIONS = {
  heading: "רשימת ההסרה",
  subtitle: "מספרים שלא יקבלו הודעות מאף לקוח. המספרים מוסתרים, וחיפוש של מספר מלא מוצא אותו.",
  add: "הוספה ידנית",
  numbers: "מספרים, אחד בכל שורה",
  numbersHint: "המערכת מחלצת רק מספרים ומסירה כפילויות. הודעות שמחכות למספרים האלה לא יישלחו, ויוחזרו למכסה.",
  submit: "הוספה לרשימה",
  adding: "מוסיף...",
  missingTitle: "מספרים חסרים",
  missing: "נא להזין לפחות מספר אחד",
  notTaken: "שורות שלא נקלטו",
  row: "שורה",
  nothing: "(ריק)",
  addFailedTitle: "המספרים לא נוספו",
  addFailed: "השרת לא קלט את המספרים. הרשימה לא השתנתה.",
  list: "מספרים ברשימה",
  region: "רשימת המספרים שהוסרו",
  search: "חיפוש לפי מספר",
  noDigits: "החיפוש הוא לפי מספר טלפון.",
  export: "ייצוא CSV",
  loading: "טוען את רשימת ההסרה...",
  failed: "רשימת ההסרה לא נטענה",
  empty: "רשימת ההסרה ריקה",
  emptyMeaning:
    "כאן נמצאים מספרים שחסומים לכל הלקוחות, ואפשר להוסיף אותם ביד או מקובץ. מי שמבקש הסרה בתשובה נוסף לרשימה של הלקוח שכתב לו.",
  sources: { manual: "הוקלד", file: "מקובץ", reply: "בקשת הנמען" },
  choose: (phone: string) => `בחירה: ${phone}`,
  remove: (count: number) => count === 0 ? "הוצאה מהרשימה" : `הוצאת ${countOf(count, "number")}`,
  removeTitle: "להוציא מרשימת ההסרה?",
  removeConfirm: "הוצאה מהרשימה",
  removing: "מוציא...",
  removedTitle: "הרשימה עודכנה",
  removeFailedTitle: "המספרים לא הוצאו",
  removeFailed: "השרת לא אישר את הפעולה. הרשימה לא השתנתה.",
};

/** Returns the effect of a removal: "שני מספרים יוצאו מהרשימה ויוכלו לקבל הודעות…". */
export function removeEffect(count: number, asked: number): string {
  const effect = `${countOf(count, "number")} ${
    oneOrMany(count, "יוצא מהרשימה ויוכל", "יוצאו מהרשימה ויוכלו")
  } לקבל הודעות מקמפיינים שיישלחו מעכשיו. הודעות שכבר דולגו לא יישלחו.`;
  if (asked === 0) return effect;
  const whom = asked === 1 && count === 1
    ? "הנמען ביקש הסרה בעצמו"
    : `${asked === 1 ? "אחד מהם" : asked === 2 ? "שניים מהם" : `${countOf(asked, "recipient")} מהם`} ${
      oneOrMany(asked, "ביקש הסרה בעצמו", "ביקשו הסרה בעצמם")
    }`;
  return `${effect} ${whom}: להוציא רק אם ${oneOrMany(asked, "ביקש", "ביקשו")} לחזור ולקבל הודעות.`;
}

/** Returns the result of adding numbers: "נוספו שני מספרים. שלוש הודעות לא יישלחו ויוחזרו למכסה." */
export function addedSentence(
  { added, duplicates, invalid, skipped, recalled, isDamaged }: SuppressionsAdded,
): string {
  return [
    added === 0 ? "לא נוסף אף מספר." : `${oneOrMany(added, "נוסף", "נוספו")} ${countOf(added, "number")}.`,
    duplicates > 0 && `${countOf(duplicates, "number")} כבר ${oneOrMany(duplicates, "היה", "היו")} ברשימה.`,
    invalid > 0 && `${countOf(invalid, "row")} לא ${oneOrMany(invalid, "תקינה", "תקינות")}.`,
    skipped > 0 &&
    `${countOf(skipped, "message")} לא ${oneOrMany(skipped, "תישלח ותוחזר", "יישלחו ויוחזרו")} למכסה.`,
    recalled > 0 &&
    `${countOf(recalled, "message")} כבר ${oneOrMany(recalled, "נמצאת", "נמצאות")} במכשירים ו${
      oneOrMany(recalled, "נקראה", "נקראו")
    } חזרה.`,
    isDamaged && CSV_FILE.damaged,
  ].filter(Boolean).join(" ");
}

/** "מספר אחד הוצא מהרשימה." */
export function removedSentence(count: number): string {
  return count === 0
    ? "המספרים כבר לא היו ברשימה."
    : `${countOf(count, "number")} ${oneOrMany(count, "הוצא", "הוצאו")} מהרשימה.`;
}
