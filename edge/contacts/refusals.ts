/** Why a contact file was refused, in the words shown to its owner. */
import { HttpError } from "../http/http_error.ts";
import type { ContactList } from "./contact_list.ts";

const COLUMNS_NAMED = 8;
const COLUMN_CHARS = 30;

export function noRows(): HttpError {
  return new HttpError("no_valid_contacts", { text: "אין בקובץ שורות אחרי הכותרת." });
}

export function noPhoneColumn(columns: string[]): HttpError {
  const names = columns.map((name) => name.trim()).filter((name) => name !== "").slice(0, COLUMNS_NAMED);
  const named = names.map((name) => name.slice(0, COLUMN_CHARS)).join(", ");
  return new HttpError("no_valid_contacts", {
    text: `לא נמצאה עמודה עם מספרי טלפון. בשורה הראשונה יש: ${named}.`,
  });
}

/** Rows were read, and none has a valid number. */
export function nothingValid(
  { invalid, rejected: [first] }: Pick<ContactList, "invalid" | "rejected">,
): HttpError {
  if (first === undefined) return new HttpError("no_valid_contacts");
  if (first.problem === "excel_exponent") {
    return new HttpError("no_valid_contacts", {
      text: `אקסל קיצר את המספרים, למשל ״${first.text}״ בשורה ${first.row}, ואי אפשר לשחזר אותם. ` +
        "יש לעצב את העמודה כמספר בלי נקודה עשרונית ולשמור שוב.",
    });
  }
  const rows = invalid === 1 ? "בשורה אחת" : invalid === 2 ? "בשתי שורות" : `ב־${invalid} שורות`;
  return new HttpError("no_valid_contacts", {
    text: `${rows} המספר לא תקין, למשל ״${first.text}״ בשורה ${first.row}. לא נוסף דבר.`,
  });
}
