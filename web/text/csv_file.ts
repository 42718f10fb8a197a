import { isolated } from "./isolated.ts";

/** Words shared by all places that accept a CSV file or a workbook. */
export const CSV_FILE = {
  label: "קובץ CSV או אקסל",
  choose: "· לחיצה לבחירה, או גרירה לכאן",
  remove: "הסרת הקובץ",
  refusedTitle: "הקובץ לא נבחר",
  damaged:
    "חלק מהאותיות בקובץ פגומות, ובמקומן מופיע הסימן \ufffd. כדאי לבדוק את מה שנקלט, או לייצא את הקובץ שוב.",
  notCsv: "זה לא קובץ CSV או XLSX. באקסל: שמירה בשם, ואז XLSX או CSV UTF-8.",
  tooLarge: (size: string) =>
    `הקובץ גדול מדי (${isolated(size)}). אפשר להעלות CSV או XLSX עד 10MB; קובץ גדול יותר כדאי לפצל.`,
};
