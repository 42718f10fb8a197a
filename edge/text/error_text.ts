/** Error code → the Hebrew sentence for people: what happened, then what to do. */
import type { ErrorCode } from "shared/error_code.ts";

const TEXT: Record<ErrorCode, string> = {
  invalid_input: "הבקשה לא תקינה. נא לבדוק את השדות ולנסות שוב.",
  no_valid_contacts: "לא נמצאו מספרי טלפון תקינים. לא נוסף דבר.",
  file_infected: "בקובץ נמצאה תוכנה זדונית, והוא לא נקלט. נא לבדוק את המחשב שממנו הגיע, ולהעלות קובץ אחר.",
  quota_needs_client: "מכסת הודעות שייכת ללקוחות בלבד.",
  not_logged_in: "תוקף הכניסה פג. נא להתחבר שוב.",
  wrong_credentials: "שם משתמש או סיסמה שגויים",
  second_factor_needed: "נא להזין קוד אימות מהאפליקציה.",
  wrong_code: "קוד האימות שגוי, פג תוקפו או שכבר נוצל. נא להזין את הקוד שמופיע עכשיו באפליקציה.",
  agent_not_authorized: "האתר לא מזוהה.",
  quota_short: "המכסה לא מספיקה לקמפיין הזה. נא לפנות למנהל המערכת לטעינת הודעות.",
  not_allowed: "אין הרשאה לפעולה הזאת.",
  second_factor_required: "מנהלי המערכת חייבים באימות דו־שלבי. נא להפעיל אותו בעמוד החשבון שלי.",
  new_password_required: "הסיסמה הראשונה טובה רק לבחירת סיסמה אחרת. נא להחליף אותה בעמוד החשבון שלי.",
  // The administrator of a new server has no other administrator to ask.
  first_password_over: "תוקף הסיסמה הראשונה פג. סיסמה חדשה מקבלים ממנהל המערכת, או ממי שמפעיל את השרת.",
  proof_needed: "לפעולה הזאת צריך להזין שוב את הסיסמה. אם לא נפתחה שאלה, נא לרענן את העמוד.",
  foreign_origin: "הבקשה הגיעה מאתר אחר ולא בוצעה.",
  not_found: "לא נמצא.",
  campaign_not_ready: "אפשר לשלוח רק קמפיין במצב מוכן. ייתכן שהקמפיין כבר נשלח.",
  campaign_not_editable: "הקמפיין כבר נשלח, ואי אפשר לשנות אותו.",
  campaign_state: "אי אפשר לבצע את הפעולה במצב הנוכחי של הקמפיין.",
  advertiser_missing: "הודעה שיווקית חייבת לומר מי המפרסם. נא למלא את פרטי המפרסם בעמוד החשבון, ואז לשלוח.",
  advertising_keeps_hours: "דיוור שיווקי יוצא רק בשעות השליחה, ואי אפשר לאשר לו חריגה.",
  kind_needs_no_contacts:
    "כדי להפוך את הקמפיין לשיווקי צריך להסיר קודם את אנשי הקשר, ואז להוסיף אותם שוב עם הבסיס להסכמה.",
  reason_not_confirmed: "ההשהיה הייתה אוטומטית. כדי להמשיך צריך לראות את הסיבה ולאשר אותה.",
  reached_in_lost_time:
    "המערכת שוחזרה מגיבוי, וחלק מאנשי הקשר כבר קיבלו הודעה בינתיים. אפשר להשמיט אותם, או לשלוח לכולם.",
  import_running: "רשימת אנשי הקשר עדיין נטענת. אפשר לשלוח כשהטעינה תסתיים.",
  contacts_full:
    "הרשימה הזאת עוברת את התקרה של אנשי הקשר בכל הקמפיינים יחד, ולכן לא נוסף דבר. אפשר למחוק קמפיינים שלא נשלחו, או לפנות למנהל המערכת להגדלת התקרה.",
  quota_changed: "היתרה השתנתה בינתיים. נא לבדוק את היתרה החדשה ולנסות שוב.",
  username_taken: "שם המשתמש כבר תפוס.",
  second_factor_state: "מצב האימות הדו־שלבי השתנה בינתיים. נא לרענן את העמוד.",
  join_token_invalid: "קוד ההצטרפות אינו תקף. נא להפיק קוד חדש.",
  body_too_large: "הקובץ גדול מדי.",
  unsupported_media: "סוג הקובץ לא נתמך.",
  upgrade_required: "גרסת הפרוטוקול לא נתמכת. נא לעדכן.",
  too_many_attempts: "יותר מדי ניסיונות. אפשר לנסות שוב בעוד זמן קצר.",
  internal: "אירעה תקלה בשרת. שום דבר שנשלח לא אבד; אפשר לנסות שוב.",
  not_ready: "השרת לא זמין כרגע. אפשר לנסות שוב בעוד רגע.",
};

/** Returns the sentence of a code. */
export function errorSentence(code: ErrorCode): string {
  return TEXT[code];
}
