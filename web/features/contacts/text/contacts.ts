import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

export const CONTACTS = {
  chooseEarly: "· אפשר לבחור כבר עכשיו",
  upload: "העלה קובץ CSV",
  uploadWorkbook: "העלה קובץ אקסל",
  preview: "תצוגה מקדימה ובחירת עמודות",
  uploading: "מעלה...",
  manual: "או מספרים, אחד בכל שורה",
  manualPlaceholder: "054-1234567",
  manualHint: "המערכת מחלצת רק מספרים ומסירה כפילויות.",
  addManual: "הוסף מספרים ידניים",
  adding: "מוסיף...",
  missingFileTitle: "קובץ חסר",
  missingFile: "נא להעלות קובץ CSV",
  failedTitle: "המספרים לא נוספו",
  failedFallback: "השרת לא קלט את המספרים (Upload failed)",
  missingFileOrCampaign: "Missing file or campaign",
  missingNumbersOrCampaign: "Missing numbers or campaign",
};

interface UploadCounts {
  total: number;
  duplicatesRemoved: number;
  invalid: number;
  suppressed: number;
  withoutConsent: number;
}

/** Returns the result of an upload in one sentence. */
export function uploadSentence(
  { total, duplicatesRemoved, invalid, suppressed, withoutConsent }: UploadCounts,
): string {
  if (total === 0 && duplicatesRemoved > 0 && invalid + suppressed + withoutConsent === 0) {
    const all = duplicatesRemoved === 2 ? "שני" : `כל ${formatNumber(duplicatesRemoved)}`;
    return `${
      oneOrMany(duplicatesRemoved, "המספר כבר נמצא", `${all} המספרים כבר נמצאים`)
    } בקמפיין. לא נוסף דבר.`;
  }
  const rest = [
    part(duplicatesRemoved, "אחד חזר על עצמו", "חזרו על עצמם"),
    part(invalid, "אחד לא תקין", "לא תקינים"),
    part(suppressed, "אחד ביקש הסרה", "ביקשו הסרה"),
    part(withoutConsent, "אחד בלי בסיס להסכמה", "בלי בסיס להסכמה"),
  ].filter((words) => words !== "");
  const added = total === 0
    ? "לא נוסף דבר"
    : total === 1
    ? "נוסף מספר אחד"
    : `נוספו ${countOf(total, "number")}`;
  return rest.length === 0 ? `${added}.` : `${added}. ${rest.join(", ")}.`;
}

function part(count: number, one: string, many: string): string {
  if (count === 0) return "";
  return count === 1 ? one : `${count === 2 ? "שניים" : formatNumber(count)} ${many}`;
}
