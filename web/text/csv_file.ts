import { isolated } from "./isolated.ts";

/** Words shared by all places that accept a CSV file. */
export const CSV_FILE = {
  label: "קובץ CSV",
  choose: "· לחיצה לבחירה, או גרירה לכאן",
  remove: "הסרת הקובץ",
  refusedTitle: "הקובץ לא נבחר",
  notCsv: "זה לא קובץ CSV. באקסל: שמירה בשם, ואז CSV UTF-8.",
  tooLarge: (size: string) =>
    `הקובץ גדול מדי (${isolated(size)}). אפשר להעלות CSV עד 10MB; קובץ גדול יותר כדאי לפצל.`,
};
