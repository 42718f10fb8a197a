import assert from "node:assert/strict";
import { join } from "node:path";
import { CAMPAIGN } from "./campaign.ts";
import { CLIENT_HOME } from "./client_home.ts";
import { estimateText } from "./estimate.ts";
import { LOGIN } from "./login.ts";

/** The words the product is specified with, for the screens that exist. */
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
  "Failed to fetch campaigns",
  "Failed to create campaign",
  "Failed to fetch campaign",
  "Upload failed",
  "Failed to send campaign",
  "שגיאה בהתחברות",
  "שם משתמש או סיסמה שגויים",
  "התחברת בהצלחה",
  "שגיאה בשליחת קמפיין",
  "שגיאה",
  "אירעה שגיאה בשליחת הקמפיין",
  "הקמפיין נשלח",
  "ההודעות נשלחות כעת למערכת",
  "בקרוב...",
];

Deno.test("every specified string stands in web/text word for word", async () => {
  let text = "";
  for await (const { name } of Deno.readDir(import.meta.dirname!)) {
    if (!name.endsWith("_test.ts")) text += await Deno.readTextFile(join(import.meta.dirname!, name));
  }
  const missing = VERBATIM.filter((words) => !text.includes(`"${words}"`) && !text.includes(`\`${words}`));
  assert.deepEqual(missing, []);
});

Deno.test("strings with a value in them come out as specified", () => {
  assert.equal(CLIENT_HOME.greeting("dana"), "ברוך הבא, dana");
  assert.equal(LOGIN.succeeded("dana"), "ברוך הבא, dana");
  assert.equal(CAMPAIGN.started(12), "שליחה החלה - 12 אנשי קשר");
  assert.equal(CAMPAIGN.completedAgo("לפני שעה"), "הושלם לפני שעה");
  assert.equal(estimateText(40, 0), "~2 דקות");
});
