import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";
import { isolated } from "../../../text/isolated.ts";

/** Words of the preview of a personal message, and of the choice to leave recipients out. */
export const PERSONAL = {
  loading: "טוען את ההודעה של כל נמען...",
  failed: "ההודעות של הנמענים לא נטענו",
  importing: "הרשימה עדיין נטענת. כשהטעינה תסתיים, כאן תופיע ההודעה של כל נמען.",
  noRows: "אחרי שמוסיפים נמענים, כאן תופיע ההודעה של כל אחד מהם.",
  faulty: "בהודעה יש שגיאה, ולכן אין מה להציג:",
  choices: "איזה נמען להציג",
  first: "הראשון",
  longest: "הארוך",
  emptiest: "החסר",
  search: "חיפוש נמען לפי מספר או ערך",
  searching: "מחפש...",
  searchFailed: "החיפוש נכשל",
  noMatch: (q: string) => `אין נמען עם ״${isolated(q)}״.`,
  lookedSoFar: "בחלק שנבדק אין נמען כזה.",
  more: "המשך החיפוש",
  previous: "הנמען הקודם",
  next: "הנמען הבא",
  stepFailed: "הנמענים שלפני ואחרי לא נטענו. לנסות שוב",
  place: (at: number, of: number) => `${formatNumber(at)} מתוך ${formatNumber(of)}`,
  bubble: "ההודעה לנמען הזה",
  values: "הערכים של הנמען",
  noValues: "לנמען הזה אין ערכים.",
  missing: "חסר",
  fallback: (text: string) => `ריק, ויופיע ״${isolated(text)}״`,
  empty: "ריק",
  lacks: (names: readonly string[]) =>
    `לנמען הזה חסר: ${names.map(isolated).join(", ")}. בלי הערך או נוסח חלופי לא תישלח אליו הודעה.`,
  rowTooLong: (chars: number, limit: number) =>
    `ההודעה לנמען הזה ארוכה מדי: ${formatNumber(chars)} תווים, ואפשר עד ${formatNumber(limit)}.`,
  tooLong: (count: number, longest: number, limit: number) =>
    `${count === 1 ? "ההודעה של נמען אחד ארוכה" : `ההודעות של ${countOf(count, "recipient")} ארוכות`} מדי: ` +
    `הארוכה ביותר ${formatNumber(longest)} תווים, ואפשר עד ${formatNumber(limit)}. צריך לקצר את הנוסח.`,
  allLack: "לכל הנמענים חסר ערך שההודעה צריכה. אפשר להוסיף לשדה נוסח חלופי, למשל {{שם|לקוחות יקרים}}.",
  checking: "בודק כל נמען...",
  toEdit: "לעריכת ההודעה",
  leaveOut: (count: number) =>
    `להשמיט ${countOf(count, "recipient")} ש${oneOrMany(count, "חסר לו", "חסר להם")} ערך`,
  leaveOutWhy: (count: number) =>
    `${oneOrMany(count, "הוא לא יקבל", "הם לא יקבלו")} את ההודעה. אפשר במקום זה להוסיף לשדה נוסח חלופי, ` +
    "למשל {{שם|לקוחות יקרים}}.",
  chooseFirst: (count: number) =>
    `צריך לבחור: לסמן שמשמיטים ${oneOrMany(count, "אותו", "אותם")}, או להוסיף נוסח חלופי.`,
  confirmLeaving: (people: number, left: number) =>
    `לשלוח ל${people > 2 ? "־" : ""}${countOf(people, "recipient")} ולהשמיט ${formatNumber(left)}`,
  cost: (cost: number, returned: number) =>
    `${countOf(cost, "message")} ייגבו עם השליחה, ו${returned > 2 ? "־" : ""}${
      countOf(returned, "message")
    } ` +
    `${oneOrMany(returned, "תחזור", "יחזרו")} למכסה כשהנמענים יושמטו`,
};
