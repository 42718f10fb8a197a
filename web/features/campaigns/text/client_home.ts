import { countOf } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";
import { isolated } from "../../../text/isolated.ts";

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
  noMatch: (query: string) => query ? `אין תוצאות ל״${query}״.` : "אין קמפיינים במצב הזה.",
  noMatchInNewest: (query: string, newest: number) =>
    `אין תוצאות ל״${query}״ ב־${formatNumber(newest)} הקמפיינים האחרונים.`,
  more: "הצגת עוד",
  older: "הצגת קמפיינים ישנים יותר",
  addContacts: "להוספת אנשי קשר",
};

export const CREATE = {
  heading: "קמפיין חדש",
  another: "התחלת קמפיין נוסף",
  stepMessage: "ההודעה",
  stepContacts: "אנשי קשר",
  stepSend: "שליחה",
  edit: "עריכה",
  name: "שם הקמפיין",
  namePlaceholder: "למשל: קמפיין סתיו 2024",
  message: "תוכן ההודעה",
  chars: (count: number, limit: number) => `${formatNumber(count)} מתוך ${formatNumber(limit)} תווים`,
  chooseImage: "בחירת תמונה",
  changeImage: "החלפת התמונה",
  removeImage: "הסרת התמונה",
  imageHint: "לא חובה. JPG, PNG או WebP, עד 5MB",
  imageRefusedTitle: "התמונה לא צורפה",
  imageRefused: (type: string, size: string) =>
    `אפשר לצרף תמונת JPG, PNG או WebP עד 5MB. הקובץ שנבחר: ${isolated(type)}, ${isolated(size)}.`,
  imagePreview: "התמונה שצורפה",
  personalHint: "לפנייה אישית כותבים {{שם}}, כמו כותרת העמודה בקובץ, או {{שם|לקוחות יקרים}} אם אין שם לכולם.",
  preview: "כך ההודעה תיראה",
  previewOfFirst: "כך ההודעה תיראה לנמען הראשון",
  previewEmpty: "כאן תופיע ההודעה כפי שהנמענים יראו אותה.",
  create: "צור קמפיין",
  creating: "יוצר...",
  missingTitle: "שדות חסרים",
  missing: "נא למלא שם קמפיין והודעה",
  missingName: "נא למלא שם קמפיין",
  missingMessage: "נא למלא הודעה",
  failedTitle: "הקמפיין לא נוצר",
  failedFallback: "השרת לא אישר את הקמפיין (Failed to create campaign)",
  sendNotYet: "אפשר לשלוח אחרי שנוסף לקמפיין לפחות מספר תקין אחד.",
};

/** Returns the jump bar's summary of the list below: "אחד בעבודה, אחד מושהה". */
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
