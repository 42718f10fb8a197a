import { siteCalled } from "shared/site_name.ts";
import { countOf, oneOrMany } from "./count.ts";
import { formatNumber } from "./format.ts";

export const SITES = {
  heading: "אתרים",
  subtitle: "אתר הוא מחשב שאליו מחוברים הטלפונים, ועליו רצה תוכנת האתר.",
  loading: "טוען אתרים...",
  failed: "האתרים לא נטענו",
  empty: "עוד אין אתרים",
  emptyTeaching: "נותנים שם לאתר, ומקבלים פקודה להפעלה במחשב שאליו מחוברים הטלפונים.",
  region: "טבלת אתרים",
  columns: {
    name: "אתר",
    state: "מצב",
    devices: "מכשירים",
    version: "גרסה",
    seen: "נראה לאחרונה",
    held: "מחכות אצלו",
    acts: "פעולות",
  },
  states: { connected: "מחובר", away: "מנותק", not_enrolled: "עוד לא חובר", revoked: "נותק לצמיתות" },
  stopped: "נעצר",
  stoppedWhy: {
    journal_doubted:
      "יומן המשלוחים שלו שוחזר או הועתק. יש לוודא שרק מחשב אחד פועל שם, ואז להפעיל מחדש. עד אז לא יקבל הודעות.",
    two_machines:
      "שני מחשבים מתחברים באותו מפתח ומנתקים זה את זה. יש לכבות אחד מהם, ואז להפעיל מחדש. עד אז לא יקבל הודעות.",
    impossible_report:
      "האתר דיווח על שליחה שלא ייתכן שקרתה. יש לבדוק מי מפעיל את המחשב באתר, ואז להפעיל מחדש. עד אז לא יקבל הודעות.",
  },
  unconfirmedRest: "חשבונות מופסקים",
  unconfirmedRestWhy:
    "חשבונות שאיש לא אישר דיווחו על תקלות רבות מדי והופסקו. יש לבדוק את המכשירים ולאשר את החשבונות בדפי המכשירים, להפעיל מחדש, או לנתק את האתר.",
  needsUpdate: "דרוש עדכון",
  needsUpdateWhy: "תוכנת האתר ישנה, והשרת לא מקבל אותה. יש להריץ שם שוב את פקודת ההתקנה.",
  noItemTexts: "בלי נוסח אישי",
  noItemTextsWhy:
    "תוכנת האתר ישנה ולא יודעת לשלוח לכל נמען נוסח משלו, ולכן לא מקבלת קמפיינים אישיים. יש להריץ שם שוב את פקודת ההתקנה.",
  owes: "ממתין לדיווח",
  owesWhy: "אחרי שחזור מסד הנתונים מחכים לדיווח שלו, ועד אז דבר לא נשלח.",
  asksRehearsal: "מבקש חזרה",
  owingWhy: (devices: number) =>
    devices === 1
      ? "טלפון אחד לא ישלח פרסום עד חזרה. הפקודה כתובה בדף שלו."
      : `${formatNumber(devices)} טלפונים לא ישלחו פרסום עד חזרה. הפקודה כתובה בדף של כל אחד.`,
  askRehearsals: "לבקש חזרה לפני פרסום",
  askingRehearsals: "מעדכן...",
  askRehearsalsTitle: (site: string) => `לבקש חזרה לפני פרסום ב${siteCalled(site)}?`,
  askRehearsalsEffect:
    "לאפליקציה בטלפון חדש עלולים להיות מסכים שהמערכת עוד לא ראתה. בחזרה עוברים את כל השלבים עד ההקשה, בלי לשלוח. טלפון שעוד לא עבר חזרה ושלא הוכחה ממנו שליחה לא יקבל פרסום; הודעות שירות ימשיכו.",
  askedRehearsalsTitle: "האתר מבקש חזרה לפני פרסום",
  skipRehearsals: "לא לבקש חזרה",
  skipRehearsalsTitle: (site: string) => `לא לבקש יותר חזרה ב${siteCalled(site)}?`,
  skipRehearsalsEffect:
    "גם טלפונים שעוד לא נוסו יקבלו פרסום. אם המסכים בהם שונים, ההודעות יחזרו לתור ולא יישלחו; אף אחד לא יקבל הודעה פעמיים.",
  skippedRehearsalsTitle: "האתר לא מבקש חזרה",
  rehearsalsFailedTitle: "ההגדרה לא השתנתה",
  draining: "מסיים לפני כיבוי",
  devicesOf: (connected: number, total: number) =>
    total === 0 ? "אין מכשירים" : `${formatNumber(connected)} מתוך ${formatNumber(total)} מחוברים`,
  never: "עוד לא נראה",
  deskPage: "דף להדפסה: הכנת טלפון",
  create: "אתר חדש",
  name: "שם האתר",
  namePlaceholder: "למשל: מחסן חולון",
  missingName: "נא להזין שם לאתר",
  submit: "יצירת אתר",
  creating: "יוצר...",
  createFailedTitle: "האתר לא נוצר",
  actionFailed: "השרת לא אישר את הפעולה. דבר לא השתנה.",
  screens: "לראות את המסכים",
  token: "קוד הצטרפות חדש",
  tokenFailedTitle: "קוד ההצטרפות לא נוצר",
  revoke: "ניתוק לצמיתות",
  revoking: "מנתק...",
  revokeTitle: (site: string) => `לנתק לצמיתות את ${siteCalled(site)}?`,
  revokeEffect: (devices: number, held: number) =>
    `${stopsSending(devices)}, ${goesToReview(held)}. אי אפשר לבטל את הניתוק; אפשר להקים אתר חדש.`,
  revokedTitle: "האתר נותק לצמיתות",
  revokeFailedTitle: "האתר לא נותק",
  start: "הפעלה מחדש",
  starting: "מפעיל...",
  startTitle: (site: string) => `להפעיל מחדש את ${siteCalled(site)}?`,
  startEffect: {
    journal_doubted:
      "האתר נעצר כי יומן המשלוחים שלו מוטל בספק. הודעות שייתכן שיצאו ממנו כבר סומנו ״לא ידוע״ ולא יישלחו שוב בלי החלטה.",
    two_machines:
      "האתר נעצר כי שני מחשבים התחברו באותו מפתח. מפעילים מחדש רק אחרי שאחד מהם כובה; אם שניהם עדיין פועלים, האתר ייעצר שוב.",
    impossible_report:
      "האתר נעצר כי דיווח על שליחה שלא ייתכן שקרתה. מפעילים מחדש רק אחרי שבדקתם את המחשב באתר ואת השעון שלו. ההודעות שעליהן דיווח כך נשארות ״לא ידוע״ ומחכות להחלטה.",
  },
  startUnconfirmedEffect:
    "החשבונות שאיש לא אישר הופסקו כי דיווחו על תקלות רבות מדי. אחרי ההפעלה יישלחו מהם שוב הודעות, ורק מה שידווחו מעכשיו ייבחן.",
  startedTitle: "האתר הופעל מחדש",
  startFailedTitle: "האתר לא הופעל",
  writeOff: "ויתור על הדיווח",
  writingOff: "מוותר...",
  writeOffTitle: (site: string) => `לא לחכות יותר לדיווח של ${siteCalled(site)}?`,
  writeOffEffect:
    "השליחה תתחדש בלי לדעת מה האתר שלח לפני שחזור מסד הנתונים. ייתכן שנמענים שכבר קיבלו ממנו הודעה יקבלו אותה שוב.",
  writtenOffTitle: "השליחה לא מחכה יותר לאתר",
  writeOffFailedTitle: "הפעולה לא בוצעה",
};

export const TOKEN = {
  title: (site: string) => `חיבור ${siteCalled(site)}`,
  how:
    "מדביקים את הפקודה במסוף של מחשב Linux שאליו מחוברים הטלפונים. היא מתקינה את תוכנת האתר ומחברת אותה. הקוד שבתוכה מוצג פעם אחת בלבד ותקף לחיבור אחד.",
  command: "פקודת ההתקנה",
  token: "קוד ההצטרפות לבדו",
  expires: (time: string) => `בתוקף עד ${time}`,
  copy: "העתקה",
  copied: "הועתק",
  copyFailed: "לא ניתן להעתיק. אפשר לסמן את הטקסט ולהעתיק ידנית.",
  done: "סיום",
};

function stopsSending(devices: number): string {
  if (devices === 0) return "אין לאתר מכשירים";
  return `${countOf(devices, "device")} ${oneOrMany(devices, "יפסיק", "יפסיקו")} לשלוח`;
}

/** Hebrew "and" attaches directly to a word, and with a maqaf to a digit. */
function goesToReview(held: number): string {
  if (held === 0) return "ואין אצלו הודעות שמחכות";
  if (held === 1) return "והודעה אחת שאצלו תעבור לבדיקה";
  return held === 2 ? "ושתי הודעות שאצלו יעברו לבדיקה" : `ו־${countOf(held, "message")} שאצלו יעברו לבדיקה`;
}
