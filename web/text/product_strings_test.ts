import assert from "node:assert/strict";
import { join } from "node:path";
import { ADMIN_SHELL } from "./admin_shell.ts";
import { LOAD, USERS } from "../features/users/text.ts";
import { CAMPAIGN } from "../features/campaigns/text/campaign.ts";
import { CLIENT_HOME } from "../features/campaigns/text/client_home.ts";
import { estimateWords } from "../features/campaigns/text/estimate.ts";
import { LOGIN } from "../features/session/text/login.ts";

/** Texts required verbatim by the product's specification. */
const VERBATIM = [
  "ברוך הבא",
  "מערכת שליחת הודעות WhatsApp",
  "למשל: קמפיין סתיו 2024",
  "צור קמפיין",
  "העלה קובץ CSV",
  "הוסף מספרים ידניים",
  "הקמפיינים שלי",
  "עדיין לא יצרת קמפיינים",
  "הושלם",
  "קמפיין לא נמצא",
  "הקמפיין הושלם בהצלחה",
  "שלח",
  "חזרה לקמפיינים",
  "404 Page Not Found",
  "דף הבית",
  "v1.0.0",
  "טיוטה",
  "מוכן",
  "בעבודה",
  "סיים",
  "נכשל",
  "קמפיין החל",
  "קמפיין הושלם!",
  "הקמפיין הסתיים בהצלחה",
  "שדות חסרים",
  "נא למלא שם קמפיין והודעה",
  "קובץ חסר",
  "נא להעלות קובץ CSV",
  "Missing file or campaign",
  "Missing numbers or campaign",
  "שגיאה בהתחברות",
  "שם משתמש או סיסמה שגויים",
  "התחברת בהצלחה",
  "שגיאה בשליחת קמפיין",
  "שגיאה",
  "אירעה שגיאה בשליחת הקמפיין",
  "הקמפיין נשלח",
  "ההודעות נשלחות כעת למערכת",
  "בקרוב...",
  "דשבורד ניהול",
  "פעילות אחרונה",
  "לייב",
  "איפוס כל התורים?",
  "אישור איפוס",
  "מנקה...",
  "התורים נוקו בהצלחה",
  "לא ניתן לנקות את התורים",
  "ניהול מכשירים",
  "טוען מכשירים...",
  "לא נמצאו מכשירים",
  "אין חשבונות WhatsApp רשומים למכשיר זה",
  "ניטור אנטי-באן",
  "תור קבצים",
  "גרור קובץ CSV לכאן או לחץ לבחירה",
  "CSV עד 10MB",
  "שגיאה בעיבוד - בדוק פורמט הקובץ",
  "הגדרות מערכת",
  "שמור שינויים",
  "ניהול משתמשים",
  "יצירה וניהול של המשתמשים במערכת",
  "לקוח",
  "מנהל",
  "צור משתמש",
  "יוצר...",
  "טוען...",
  "אין משתמשים במערכת",
  "טען הודעות",
  "כמות הודעות לטעינה",
  "100",
  "פעיל",
  "מעבד",
  "סרק",
  "חסום",
  "בתור",
  "הושלם",
  "שגיאה",
  "נא למלא את כל השדות",
  "נא להזין כמות הודעות תקינה",
  "שגיאה ביצירת משתמש",
  "משתמש נוצר בהצלחה",
  "שגיאה בטעינת הודעות",
  "הודעות נטענו בהצלחה",
  "לא מחובר בזמן אמת",
];

/** Texts specified in English, which support asks for; the client reads a Hebrew explanation before each. */
const WITH_HEBREW = {
  "Failed to fetch campaigns": "השרת לא מסר את הקמפיינים",
  "Failed to fetch campaign": "השרת לא מסר את הקמפיין",
  "Failed to create campaign": "השרת לא אישר את הקמפיין",
  "Upload failed": "השרת לא קלט את המספרים",
  "Failed to send campaign": "הקמפיין לא נשלח",
  "Failed to fetch users": "השרת לא מסר את המשתמשים",
  "Failed to create user": "המשתמש לא נוצר",
  "Failed to load messages": "ההודעות לא נטענו",
};

Deno.test("every specified string is in the screens' words, letter by letter", async () => {
  let text = "";
  for await (const path of wordFiles(join(import.meta.dirname!, ".."))) text += await Deno.readTextFile(path);
  const missing = VERBATIM.filter((words) => !text.includes(`"${words}"`) && !text.includes(`\`${words}`));
  const unread = Object.entries(WITH_HEBREW).filter(([words, hebrew]) =>
    !text.includes(`"${hebrew} (${words})"`)
  );
  assert.deepEqual([...missing, ...unread], []);
});

Deno.test("strings with a value in them come out as specified", () => {
  assert.equal(CLIENT_HOME.greeting("dana"), "ברוך הבא, dana");
  assert.equal(LOGIN.succeeded("dana"), "ברוך הבא, dana");
  assert.equal(CAMPAIGN.started(12), "שליחה החלה - 12 אנשי קשר");
  assert.equal(CAMPAIGN.completedAgo("לפני שעה"), "הושלם לפני שעה");
  assert.equal(estimateWords({ endsAt: 120_000 }, 40, 0).value, "~2 דקות");
  assert.equal(USERS.registered(7), "7 משתמשים רשומים");
  assert.equal(`12 ${USERS.available}`, "12 הודעות זמינות");
  assert.equal(USERS.created("dana"), "המשתמש dana נוסף למערכת");
  assert.equal(LOAD.title("dana"), "טען הודעות ל-dana");
  assert.equal(LOAD.hint(10), "הלקוח יוכל לשלוח עד 10 הודעות");
  assert.equal(LOAD.done(1500), 'סה"כ כעת: 1,500 הודעות זמינות');
  assert.equal(ADMIN_SHELL.version, "v1.0.0");
});

/** Yields the files of words: files in a folder `text`, and `text.ts` files beside their parts. */
async function* wordFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* wordFiles(path);
    else if (/(\/text\/[^/]+|[/_]text)\.ts$/.test(path) && !path.endsWith("_test.ts")) yield path;
  }
}
