import { countOf } from "./count.ts";
import { formatNumber } from "./format.ts";

export const CONTACTS = {
  file: "קובץ CSV",
  chooseEarly: "· אפשר לבחור כבר עכשיו",
  choose: "· לחיצה לבחירה, או גרירה לכאן",
  removeFile: "הסרת הקובץ",
  upload: "העלה קובץ CSV",
  uploading: "מעלה...",
  manual: "או מספרים, אחד בכל שורה",
  manualPlaceholder: "054-1234567",
  manualHint: "המערכת מחלצת רק מספרים ומסירה כפילויות.",
  addManual: "הוסף מספרים ידניים",
  adding: "מוסיף...",
  uploaded: "הועלה",
  added: "מספרים נוספו",
  duplicates: "כפולים",
  invalid: "לא תקינים",
  suppressed: "ביקשו הסרה",
  addedTitle: "המספרים נוספו",
  problems: "השורות הראשונות שנדחו",
  problemRow: (row: number, text: string) => `שורה ${formatNumber(row)}: ״${text}״`,
  missingFileTitle: "קובץ חסר",
  missingFile: "נא להעלות קובץ CSV",
  notCsv: "זה לא קובץ CSV. באקסל: שמירה בשם, ואז CSV UTF-8.",
  tooLarge: (size: string) => `הקובץ גדול מדי (${size}). אפשר להעלות CSV עד 10MB; קובץ גדול יותר כדאי לפצל.`,
  fileRefusedTitle: "הקובץ לא נבחר",
  failedTitle: "המספרים לא נוספו",
  failedFallback: "Upload failed",
  missingFileOrCampaign: "Missing file or campaign",
  missingNumbersOrCampaign: "Missing numbers or campaign",
};

interface UploadCounts {
  total: number;
  duplicatesRemoved: number;
  invalid: number;
  suppressed: number;
}

/** What an upload came to, in one sentence. */
export function uploadSentence({ total, duplicatesRemoved, invalid, suppressed }: UploadCounts): string {
  if (total === 0 && duplicatesRemoved > 0 && invalid + suppressed === 0) {
    return `כל ${formatNumber(duplicatesRemoved)} המספרים כבר נמצאים בקמפיין. לא נוסף דבר.`;
  }
  const rest = [
    part(duplicatesRemoved, "אחד חזר על עצמו", "חזרו על עצמם"),
    part(invalid, "אחד לא תקין", "לא תקינים"),
    part(suppressed, "אחד ביקש הסרה", "ביקשו הסרה"),
  ].filter((words) => words !== "");
  const added = total === 1 ? "נוסף מספר אחד" : `נוספו ${countOf(total, "number")}`;
  return rest.length === 0 ? `${added}.` : `${added}. ${rest.join(", ")}.`;
}

function part(count: number, one: string, many: string): string {
  if (count === 0) return "";
  return count === 1 ? one : `${formatNumber(count)} ${many}`;
}
