import { countOf } from "../../text/count.ts";
import { formatNumber } from "../../text/format.ts";

/** Names of each table's rows for people. */
const TABLES: Record<string, string> = {
  deliveries: "נמענים בקמפיינים",
  attempts: "ניסיונות שליחה",
  resends: "שליחות חוזרות",
  suppressions: "רשימת ההסרה",
  recipients: "זיכרון תדירות",
  consents: "הסכמות",
  unconsented: "מספרים בלי הסכמה",
  replies: "תשובות",
  events: "אירועים",
  activity: "שורות ביומן הפעילות",
  commands: "פקודות למכשירים",
  accounts: "מספרים של חשבונות",
  import_chunks: "קבצים שנשמרו",
  contacts: "אנשי קשר ברשימות",
  list_members: "מקומות ברשימות",
};

export const PRIVACY = {
  heading: "מחיקת מספר",
  subtitle: "מוציאים מספר אחד מכל המערכת, ונשארת תעודה של מה שנמחק.",
  phone: "מספר הטלפון",
  phoneHint: "המספר עצמו לא נשמר: בתעודה וביומן הביקורת נשאר סימן מוצפן בלבד.",
  phoneMissing: "נא להזין מספר טלפון.",
  reason: "הסיבה",
  reasonHint: "למשל: בקשה של בעל המספר מיום 21.11. אין צורך לכתוב את המספר.",
  reasonShort: "נא לכתוב סיבה, במילים אחדות.",
  block: "לא לשלוח למספר הזה לעולם",
  blockHint: "גם אם יועלה שוב ברשימה של לקוח. מי שביקש הסרה בעבר נשאר חסום בכל מקרה.",
  erase: "מחיקה מכל המערכת",
  erasing: "מוחק...",
  confirmTitle: "למחוק את המספר מכל המערכת?",
  touches: (campaigns: number, waiting: number) =>
    campaigns === 0
      ? "המספר לא נמצא באף קמפיין."
      : `המספר נמצא ב${campaigns > 2 ? "־" : ""}${countOf(campaigns, "campaign")}. ${
        waiting === 0
          ? "אין הודעות שמחכות לו."
          : waiting === 1
          ? "הודעה אחת מחכה לו ולא תישלח."
          : `${countOf(waiting, "message")} מחכות לו ולא יישלחו.`
      }`,
  touchesLoading: "בודק בכמה קמפיינים המספר נמצא...",
  touchesUnknown: (why: string) => `לא ידוע בכמה קמפיינים המספר נמצא. ${why}`,
  confirmBody:
    "הודעות שמחכות למספר הזה לא יישלחו, והוא יימחק מהקמפיינים, מהרשימות, מהקבצים שנשמרו ומהיומנים של האתרים. התוצאות והחיובים נשארים. אי אפשר לשחזר.",
  confirm: "מחיקה",
  doneTitle: "המחיקה התחילה",
  done: "התעודה מתעדכנת כאן עד שהאתר האחרון יאשר.",
  failedTitle: "המספר לא נמחק",
  list: "תעודות מחיקה",
  empty: "עוד לא נמחק אף מספר.",
  loading: "טוען תעודות...",
  loadFailed: "התעודות לא נטענו",
  complete: "נמחק מכל המערכת",
  waitingRows: "ממתין להודעות שנמצאות אצל אתר",
  waitingFile: "נמחק מהטבלאות, קובץ מסד הנתונים נכתב מחדש",
  waitingSites: (count: number) => `ממתין ל${count > 2 ? "־" : ""}${countOf(count, "site")}`,
  certificate: (id: number) => `תעודה ${id}`,
  by: "בידי",
  mark: "סימן",
  blocked: "חסום לשליחה",
  removed: "נמחק",
  nothing: "המספר לא נמצא באף טבלה.",
  rows: (table: string, count: number) => `${TABLES[table] ?? table}: ${formatNumber(count)}`,
  sites: "אתרים",
  siteErased: (count: number) => count === 0 ? "לא נמצא ביומן" : `נמחק מהיומן: ${countOf(count, "row")}`,
  siteWaiting: "עוד לא אישר",
  siteRevoked: "נותק לצמיתות, היומן שלו אינו בשליטתנו",
};
