import { countOf } from "./count.ts";
import { formatNumber } from "./format.ts";

export const CLIENT_HOME = {
  title: "הקמפיינים שלי · שיגור",
  greeting: (username: string) => `ברוך הבא, ${username}`,
  subtitle: "מערכת שליחת הודעות WhatsApp",
  available: "הודעות זמינות",
  quotaHistory: "היסטוריית המכסה",
  jump: (parts: string) => `הקמפיינים שלי: ${parts}`,
  listTitle: "הקמפיינים שלי",
  updated: (age: string) => `עודכן ${age}`,
  empty: "עדיין לא יצרת קמפיינים",
  emptyTeaching: "כותבים הודעה, מצרפים רשימת מספרים ולוחצים ״שלח״. הטיוטה נשמרת בכל שלב.",
  toFirst: "לקמפיין הראשון",
  loading: "טוען קמפיינים...",
  failed: "הקמפיינים לא נטענו",
  search: "חיפוש קמפיין",
  noMatch: (query: string) => `אין תוצאות ל״${query}״.`,
  more: "הצגת עוד",
  addContacts: "להוספת אנשי קשר",
};

export const CREATE = {
  heading: "קמפיין חדש",
  another: "התחלת קמפיין נוסף",
  stepMessage: "ההודעה",
  stepContacts: "אנשי קשר",
  stepSend: "שליחה",
  edit: "עריכה",
  save: "שמירה",
  saving: "שומר...",
  name: "שם הקמפיין",
  namePlaceholder: "למשל: קמפיין סתיו 2024",
  message: "תוכן ההודעה",
  chars: (count: number, limit: number) => `${formatNumber(count)} מתוך ${formatNumber(limit)} תווים`,
  chooseImage: "בחירת תמונה",
  changeImage: "החלפת התמונה",
  removeImage: "הסרת התמונה",
  imageHint: "לא חובה. JPG, PNG או WebP, עד 5 MB",
  imageRefusedTitle: "התמונה לא צורפה",
  imageRefused: (type: string, size: string) =>
    `אפשר לצרף תמונת JPG, PNG או WebP עד 5MB. הקובץ שנבחר: ${type}, ${size}.`,
  imagePreview: "התמונה שצורפה",
  preview: "כך ההודעה תיראה",
  previewEmpty: "כאן תופיע ההודעה כפי שהנמענים יראו אותה.",
  create: "צור קמפיין",
  creating: "יוצר...",
  missingTitle: "שדות חסרים",
  missing: "נא למלא שם קמפיין והודעה",
  missingName: "נא למלא שם קמפיין",
  missingMessage: "נא למלא הודעה",
  failedTitle: "הקמפיין לא נוצר",
  failedFallback: "Failed to create campaign",
  saveFailedTitle: "השינוי לא נשמר",
  saveFailed: "השרת לא אישר את השינוי. הנוסח הקודם נשאר.",
  sendNotYet: "אפשר לשלוח אחרי שנוסף לקמפיין לפחות מספר תקין אחד.",
};

export const QUOTA = {
  heading: "תנועות במכסה",
  columns: { when: "מתי", what: "על מה", change: "שינוי", balance: "יתרה" },
  kinds: {
    grant: "טעינת הודעות",
    taken: "הפחתת הודעות",
    reserve: "שליחה",
    refund: "זיכוי על הודעות שלא יצאו",
    charge: "חיוב על הודעה שהתברר שיצאה",
    cover: "כיסוי על חשבון המערכת",
  },
  empty: "עוד אין תנועות. טעינות, שליחות וזיכויים יופיעו כאן.",
  failed: "תנועות המכסה לא נטענו",
  more: "הצגת עוד",
  loading: "טוען תנועות...",
  exhausted: "המכסה נגמרה. אפשר להכין קמפיינים כבר עכשיו, ולשלוח אחרי טעינת הודעות.",
};

/** "אחד בעבודה, אחד מושהה": what the jump bar says about the list below. */
export function jumpSummary(running: number, paused: number, total: number): string {
  const parts = [];
  if (running) parts.push(`${wordFor(running)} בעבודה`);
  if (paused) parts.push(`${wordFor(paused)} ${paused === 1 ? "מושהה" : "מושהים"}`);
  return parts.join(", ") || countOf(total, "campaign");
}

function wordFor(count: number): string {
  if (count === 1) return "אחד";
  if (count === 2) return "שניים";
  return formatNumber(count);
}
