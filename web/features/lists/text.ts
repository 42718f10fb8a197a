import type { ContactCard, ContactsAdded, FieldFilter } from "shared/lists_api.ts";
import { countOf, oneOrMany } from "../../text/count.ts";
import { formatNumber } from "../../text/format.ts";

/** Words of a client's lists, and of one list. */
export const LISTS = {
  title: "הרשימות שלי · שיגור",
  titleOf: (name: string) => `${name} · שיגור`,
  heading: "הרשימות שלי",
  backToUsers: "חזרה למשתמשים",
  subtitleOf: "המספרים והשדות מוסתרים, עד שמציינים סיבה במסך של הרשימה.",
  loadingOne: "טוען את הרשימה...",
  headingOf: "רשימות של לקוח",
  subtitle: "אנשי הקשר שלכם, עם השדות שלהם. כל קמפיין יכול לקחת מהן את מי שמתאים.",
  back: "חזרה לקמפיינים",
  backToLists: "חזרה לרשימות",
  create: "רשימה חדשה",
  name: "שם הרשימה",
  namePlaceholder: "למשל: לקוחות מועדון",
  nameMissing: "נא לתת שם לרשימה.",
  creating: "יוצר...",
  createFailedTitle: "הרשימה לא נוצרה",
  createFailed: "השרת לא אישר את הפעולה. לא נוצר דבר.",
  all: "כל הרשימות",
  loading: "טוען את הרשימות...",
  failed: "הרשימות לא נטענו",
  empty: "עוד אין לכם רשימות",
  emptyMeaning: "יוצרים רשימה, טוענים אליה קובץ עם שמות ושדות, ומשם לוקחים אנשי קשר לכל קמפיין.",
  emptyOf: "ללקוח הזה אין רשימות",
  people: (count: number) => count === 0 ? "ריקה" : countOf(count, "contact"),
  fields: (names: readonly string[]) => names.length === 0 ? "בלי שדות" : `שדות: ${names.join(", ")}`,
  missing: "הרשימה לא נמצאה",
  missingHint: "אולי היא נמחקה. הרשימות האחרות נמצאות במסך הרשימות.",
  rename: "שינוי שם",
  renameTitle: "שם אחר לרשימה",
  renameConfirm: "שמירת השם",
  saving: "שומר...",
  renameFailedTitle: "השם לא השתנה",
  remove: "מחיקת הרשימה",
  removeTitle: (name: string) => `למחוק את הרשימה ״${name}״?`,
  removeEffect: (count: number) =>
    `${
      count === 0 ? "הרשימה ריקה" : `${countOf(count, "contact")} ${oneOrMany(count, "יוצא", "יוצאו")} ממנה`
    }. מי שלא נמצא ברשימה אחרת יימחק עם השדות שלו. קמפיינים שכבר לקחו מהרשימה לא ישתנו.`,
  removing: "מוחק...",
  removedTitle: "הרשימה נמחקה",
  removeFailedTitle: "הרשימה לא נמחקה",
  changeFailed: "השרת לא אישר את הפעולה. הרשימה לא השתנתה.",
  exportCsv: "ייצוא CSV",
  exportXlsx: "ייצוא Excel",
};

/** Words of the contacts in a list. */
export const CONTACTS = {
  heading: "אנשי קשר",
  region: "אנשי הקשר ברשימה",
  search: "חיפוש לפי מספר או תחילת שדה",
  loading: "טוען אנשי קשר...",
  failed: "אנשי הקשר לא נטענו",
  empty: "עוד אין אנשי קשר ברשימה",
  emptyMeaning: "אפשר לטעון קובץ, להקליד מספרים, או לקחת נמענים של קמפיין שנשלח.",
  more: "הצגת עוד",
  noFields: "בלי שדות",
  open: "הכרטיס של",
  choose: (phone: string) => `בחירה: ${phone}`,
  remove: (count: number) => count === 0 ? "הוצאה מהרשימה" : `הוצאת ${countOf(count, "contact")}`,
  removeTitle: "להוציא מהרשימה?",
  removeEffect: (count: number) =>
    `${countOf(count, "contact")} ${
      oneOrMany(count, "יוצא", "יוצאו")
    } מהרשימה. מי שלא נמצא ברשימה אחרת יימחק עם השדות שלו. מי שביקש הסרה נשאר ברשימת ההסרה.`,
  removing: "מוציא...",
  removedTitle: "הרשימה עודכנה",
  removed: (count: number) => `${countOf(count, "contact")} ${oneOrMany(count, "הוצא", "הוצאו")} מהרשימה.`,
  removeFailedTitle: "אנשי הקשר לא הוצאו",
};

/** Words of the ways to add contacts. */
export const ADD = {
  heading: "הוספת אנשי קשר",
  ways: "דרך ההוספה",
  file: "קובץ",
  one: "אחד",
  numbers: "מספרים",
  campaign: "מקמפיין",
  fileHint: "עמודת המספרים נמצאת מעצמה. כל עמודה אחרת עם כותרת נשמרת כשדה, עד 20 שדות.",
  chooseColumns: "בחירת גיליון ועמודות",
  fileSubmit: "טעינת הקובץ לרשימה",
  fileMissing: "נא לבחור קובץ.",
  phone: "מספר טלפון",
  phoneMissing: "נא להזין מספר טלפון.",
  field: "שדה",
  fieldName: "שם השדה",
  fieldValue: "ערך",
  moreField: "שדה נוסף",
  removeField: (name: string) => `הסרת השדה ${name}`,
  oneSubmit: "הוספת איש הקשר",
  typed: "מספרים, אחד בכל שורה",
  typedHint: "המערכת מחלצת רק מספרים ומסירה כפילויות.",
  typedSubmit: "הוספת המספרים",
  typedMissing: "נא להזין לפחות מספר אחד.",
  fromCampaign: "קמפיין",
  chooseCampaign: "בחירת קמפיין",
  campaignMissing: "נא לבחור קמפיין.",
  states: "נמענים במצב",
  statesMissing: "נא לבחור לפחות מצב אחד.",
  stateNames: { sent: "נשלח", failed: "נכשל", unknown: "לא ידוע", skipped: "דולג", cancelled: "בוטל" },
  campaignSubmit: "הוספת הנמענים",
  consent: "לאנשים האלה יש הסכמה לדיוור, ואפשר להצהיר עליה עכשיו",
  consentHint: "ההצהרה נשמרת אצל כל איש קשר, וקמפיין שיווקי יוכל לקחת אותו בלי הצהרה נוספת.",
  adding: "מוסיף...",
  failedTitle: "לא נוסף דבר",
  failed: "השרת לא קלט את אנשי הקשר.",
  notTaken: "שורות שלא נקלטו",
  row: "שורה",
  nothing: "(ריק)",
};

/** Words of a contact's card. */
export const CARD = {
  title: (phone: string) => `הכרטיס של ${phone}`,
  loading: "טוען את הכרטיס...",
  failed: "הכרטיס לא נטען",
  fields: "שדות",
  noFields: "אין שדות.",
  edit: "עריכה",
  save: "שמירה",
  saving: "שומר...",
  saveFailedTitle: "השדות לא נשמרו",
  saveFailed: "השרת לא אישר את השינוי.",
  lists: "רשימות",
  messages: "מה נשלח",
  noMessages: "עוד לא נשלחה הודעה.",
  consents: "הסכמה לדיוור",
  noConsents: "לא הוצהרה הסכמה.",
  bases: { opt_in: "הסכמה מראש", existing_customer: "לקוחות קיימים" },
  declaredBy: (by: string, moment: string) => `הצהרה של ${by}, ${moment}`,
  obtained: (day: string) => `ניתנה ב־${day}`,
  removal: "הסרה",
  noRemoval: "לא ברשימת ההסרה.",
  removals: {
    reply: "ביקש הסרה בתשובה",
    manual: "הוסף לרשימת ההסרה ביד",
    file: "הוסף לרשימת ההסרה מקובץ",
    house: "ברשימת ההסרה של המערכת",
  } satisfies Record<NonNullable<ContactCard["removal"]>["source"], string>,
  sources: { file: "מקובץ", typed: "הוקלד", campaign: "מקמפיין" },
  since: (moment: string, source: string) => `נוסף ${moment}, ${source}`,
  close: "סגירה",
};

/** Words of an administrator's view of a list. */
export const MASKED = {
  show: "הצגת מספרים ושדות",
  title: "להציג את המספרים והשדות?",
  effect: "המספרים והשדות של הרשימה יוצגו לכם לרבע שעה. הסיבה תירשם ביומן הביקורת.",
  reason: "הסיבה",
  reasonHint: "למשל: בדיקה של תלונה.",
  reasonShort: "נא לכתוב סיבה, במילים אחדות.",
  confirm: "הצגה",
  pending: "מציג...",
  hide: "הסתרה",
  hiding: "מסתיר...",
  shown: "המספרים והשדות מוצגים",
  shownBody: "הם יוסתרו מעצמם בתוך רבע שעה.",
  failedTitle: "המספרים לא הוצגו",
  failed: "השרת לא אישר את הפעולה.",
};

/** Words of taking people of lists into a campaign. */
export const TAKE = {
  open: "הוספה מהרשימות שלי",
  title: "הוספה מהרשימות שלי",
  lists: "מאילו רשימות",
  none: "עוד אין רשימות.",
  toLists: "לרשימות שלי",
  filters: "רק מי שמתאים לכל התנאים",
  addFilter: "הוספת תנאי",
  removeFilter: "הסרת התנאי",
  field: "שדה",
  kind: "תנאי",
  value: "ערך",
  kinds: {
    is: "שווה ל",
    is_not: "שונה מ",
    is_empty: "ריק",
    is_filled: "לא ריק",
    contains: "מכיל",
  } satisfies Record<FieldFilter["kind"], string>,
  lately: "בלי מי שקיבל הודעה בימים האחרונים",
  latelyDays: "מספר הימים",
  except: "חוץ מהאנשים האלה",
  exceptLists: "מי שנמצא ברשימה",
  exceptCampaigns: "מי שקיבל את הקמפיין, או שעוד ממתין בו",
  noException: "בלי חריגים",
  howMany: "כמה",
  everybody: "כולם",
  first: "הראשונים, לפי סדר המספרים",
  random: "באקראי",
  count: "מספר אנשי קשר",
  counting: "סופר...",
  countFailed: "הספירה לא הצליחה",
  chooseFirst: "נא לבחור רשימה.",
  nobody: "אין מי שמתאים לבחירה.",
  submit: (count: number) => `הוספת ${countOf(count, "contact")}`,
  submitNone: "הוספה",
  taking: "מוסיף...",
  failedTitle: "לא נוסף דבר",
  failed: "השרת לא אישר את הפעולה. הקמפיין לא השתנה.",
  doneTitle: "נוספו אנשי קשר",
  done: (count: number) => `${countOf(count, "contact")} ${oneOrMany(count, "נוסף", "נוספו")} לקמפיין.`,
  willAdd: (count: number) => oneOrMany(count, "איש קשר יתווסף", "אנשי קשר יתווספו"),
  of: (fitting: number, total: number) =>
    `${formatNumber(fitting)} מתוך ${formatNumber(total)} ברשימות מתאימים לתנאים.`,
  reasons: {
    removed: "ביקשו הסרה",
    noConsent: "בלי הסכמה לדיוור",
    alreadyHere: "כבר בקמפיין",
    reached: "קיבלו דיוור לאחרונה, וידולגו אם לא יעבור די זמן עד השליחה",
  },
};

/** Returns what an addition changed: "12 אנשי קשר נוספו. 3 שורות לא תקינות." */
export function addedSentence(
  { added, known, duplicates, invalid, blocked, ignoredColumns }: ContactsAdded,
): string {
  return [
    added === 0
      ? "לא נוסף איש קשר חדש."
      : `${countOf(added, "contact")} ${oneOrMany(added, "נוסף", "נוספו")}.`,
    known > 0 &&
    `${countOf(known, "contact")} כבר ${oneOrMany(known, "היה", "היו")} ברשימה, והשדות החדשים נשמרו.`,
    duplicates > 0 && `${countOf(duplicates, "row")} ${oneOrMany(duplicates, "חזרה", "חזרו")} על מספר קודם.`,
    invalid > 0 && `${countOf(invalid, "row")} לא ${oneOrMany(invalid, "תקינה", "תקינות")}.`,
    blocked > 0 &&
    `${countOf(blocked, "number")} ${oneOrMany(blocked, "נמחק", "נמחקו")} לבקשת בעליהם ולא נוספו.`,
    ignoredColumns.length > 0 && `העמודות שלא נקראו, כי יש מקום ל־20: ${ignoredColumns.join(", ")}.`,
  ].filter(Boolean).join(" ");
}
