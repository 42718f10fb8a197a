/** What the fields of a campaign's contacts hold that was not added to it. */
export type NotAdded = "nothing" | "numbers" | "file" | "both";

const SENTENCES: Record<NotAdded, string> = {
  nothing: "",
  numbers: "יש מספרים שעוד לא נוספו לקמפיין.",
  file: "הקובץ שנבחר עוד לא הועלה לקמפיין.",
  both: "הקובץ שנבחר והמספרים שהוקלדו עוד לא נוספו לקמפיין.",
};

/** Returns what is held in the fields and would be missing in a send; "" when nothing is. */
export function notAddedSentence(held: NotAdded): string {
  return SENTENCES[held];
}
