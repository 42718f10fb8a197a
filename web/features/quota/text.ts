/** Words of quota changes. */
export const QUOTA = {
  heading: "תנועות במכסה",
  columns: { when: "מתי", what: "על מה", change: "שינוי", balance: "יתרה" },
  actors: { client: "הלקוח", admin: "מנהל המערכת", system: "המערכת" },
  self: "אתם",
  reason: (reason: string) => `הסיבה: ${reason}`,
  csv: "ייצוא לקובץ",
  csvName: "shigur-quota.csv",
  empty: "עוד אין תנועות. טעינות, שליחות וזיכויים יופיעו כאן.",
  failed: "תנועות המכסה לא נטענו",
  more: "הצגת עוד",
  loading: "טוען תנועות...",
};
