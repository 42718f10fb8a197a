/** Why a spreadsheet file cannot be read: a closed set, each with the Hebrew sentence that people see. */

export const TABLE_PROBLEMS = [
  "not_a_table",
  "encrypted",
  "old_excel",
  "binary_excel",
  "open_document",
  "macros_only",
  "broken_file",
  "too_large_inside",
  "too_many_columns",
  "empty_sheet",
  "no_such_sheet",
] as const;
export type TableProblem = (typeof TABLE_PROBLEMS)[number];

/** Columns that a sheet may have. */
export const MAX_TABLE_COLUMNS = 500;

export const TABLE_PROBLEM_TEXT: Record<TableProblem, string> = {
  not_a_table: "זה לא קובץ CSV או XLSX. באקסל: שמירה בשם, ואז XLSX או CSV UTF-8.",
  encrypted: "הקובץ נעול בסיסמה. באקסל: קובץ, מידע, הגנה על חוברת העבודה, הסרת הסיסמה, ושמירה.",
  old_excel: "זה קובץ אקסל בתבנית הישנה (XLS). באקסל: שמירה בשם, ואז חוברת עבודה של Excel ‏(XLSX).",
  binary_excel: "זה קובץ אקסל בינארי (XLSB). באקסל: שמירה בשם, ואז חוברת עבודה של Excel ‏(XLSX).",
  open_document: "זה לא קובץ אקסל. בתוכנה שבה הוא נוצר: שמירה בשם, ואז XLSX או CSV.",
  macros_only: "בקובץ יש רק פקודות מאקרו, ואין בו גיליון עם שורות.",
  broken_file: "הקובץ פגום או לא שלם. כדאי לפתוח אותו באקסל, לשמור אותו שוב ולנסות שוב.",
  too_large_inside:
    "הקובץ גדול מדי אחרי פתיחתו. כדאי לפצל אותו לכמה קבצים, או להשאיר בו רק את העמודות הדרושות.",
  too_many_columns:
    `בגיליון יש יותר מ־${MAX_TABLE_COLUMNS} עמודות. כדאי להשאיר בו רק את העמודות הדרושות ולנסות שוב.`,
  empty_sheet: "בגיליון אין שורות.",
  no_such_sheet: "הגיליון שנבחר לא נמצא בקובץ. כדאי להעלות את הקובץ שוב.",
};
