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

/** Words for a client without messages. */
export const NO_QUOTA = {
  neverLoaded: {
    lead: "עוד לא נטענו הודעות.",
    body: "אפשר להכין קמפיינים כבר עכשיו, ולשלוח אחרי שמנהל המערכת יטען הודעות.",
  },
  exhausted: {
    lead: "המכסה נגמרה.",
    body: "אפשר להכין קמפיינים כבר עכשיו, ולשלוח אחרי טעינת הודעות.",
  },
};
