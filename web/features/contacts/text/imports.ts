import type { CampaignImport } from "shared/http_api.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

/** Words of the list of a campaign's imports. */
export const IMPORTS = {
  heading: "מה נטען",
  inCampaign: (count: number) => oneOrMany(count, "איש קשר בקמפיין", "אנשי קשר בקמפיין"),
  typed: "מספרים שהוקלדו",
  lists: "מהרשימות שלי",
  copy: "הועתקו מקמפיין אחר",
  processing: "נטען עכשיו",
  queued: "ממתין לטעינה",
  added: (count: number) => count === 0 ? "לא נוסף דבר" : oneOrMany(count, "מספר נוסף", "מספרים נוספו"),
  rejected: "השורות שנדחו",
  remove: "הסרה",
  removeOf: (name: string) => `הסרה: ${name}`,
  removeTitle: "להסיר את מה שנטען?",
  removeConfirm: "הסרה מהקמפיין",
  removing: "מסיר...",
  failedTitle: "לא הוסר דבר",
  failed: "השרת לא אישר את הפעולה.",
  loadFailed: "רשימת הטעינות לא נטענה",
  loading: "טוען את רשימת הטעינות...",
  more: "הצגת עוד",
};

/** Returns "העמודה שנקראה: טלפון (B)"; without a heading its letter alone. */
export function columnSentence({ no, name }: NonNullable<CampaignImport["column"]>): string {
  const letter = columnLetters(no);
  return `העמודה שנקראה: ${name === null ? `${letter}, בלי כותרת` : `״${name}״ (${letter})`}`;
}

/** Returns a column's letters as spreadsheets name it: A to Z, then AA. */
export function columnLetters(no: number): string {
  const rest = (no - 1) % 26;
  const letter = String.fromCharCode(65 + rest);
  return no > 26 ? columnLetters((no - 1 - rest) / 26) + letter : letter;
}

/** Returns what did not come in, in one line: "3 חזרו על עצמם · 2 לא תקינים"; "" when everything did. */
export function leftOutLine(
  { duplicates, invalid, suppressed, withoutConsent }: Pick<
    CampaignImport,
    "duplicates" | "invalid" | "suppressed" | "withoutConsent"
  >,
): string {
  return [
    counted(duplicates, "חזר על עצמו", "חזרו על עצמם"),
    counted(invalid, "לא תקין", "לא תקינים"),
    counted(suppressed, "ביקש הסרה", "ביקשו הסרה"),
    counted(withoutConsent, "בלי בסיס להסכמה", "בלי בסיס להסכמה"),
  ].filter(Boolean).join(" · ");
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? "" : `${formatNumber(count)} ${oneOrMany(count, one, many)}`;
}

/** Returns the effect of taking one import out, with its number of contacts. */
export function removeEffect(name: string, added: number): string {
  if (added === 0) return `״${name}״ לא הוסיפה אנשי קשר. היא תרד מהרשימה הזאת.`;
  return `${countOf(added, "contact")} ${oneOrMany(added, "שנוסף", "שנוספו")} ב״${name}״ ${
    oneOrMany(added, "יוסר", "יוסרו")
  } מהקמפיין. מספר שהופיע גם ברשימה מאוחרת יותר נספר כאן, ויוסר גם הוא.`;
}
