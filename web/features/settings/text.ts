import { countOf } from "../../text/count.ts";
import { formatMoment } from "../../text/format.ts";
import { isolated } from "../../text/isolated.ts";

export const SETTINGS = {
  heading: "הגדרות מערכת",
  subtitle: "השינויים חלים על כל האתרים תוך שניות, גם על קמפיינים שכבר נשלחים.",
  savedBy: (by: string, at: number, now: number) =>
    `נשמר לאחרונה על ידי ${isolated(by)}, ${formatMoment(at, now)}.`,
  loading: "טוען הגדרות...",
  failed: "ההגדרות לא נטענו",
  general: "כללי",
  antiBan: "אנטי-באן",
  enableNotifications: "התראות",
  enableNotificationsHint: "הודעה במסך, ובדפדפן אם אישרתם לו, כשקמפיין נעצר, אתר מתנתק או חשבון נחסם.",
  rateLimit: "מרווח בין הודעות",
  rateLimitHint: "לכל מכשיר בנפרד. מומלץ: 1 עד 5 שניות. קצב מהיר יותר מסכן את החשבון.",
  rateLimitUnit: "שניות",
  maxMessagesPerDay: "תקרה יומית למכשיר",
  maxMessagesPerDayHint: "מומלץ: 250 הודעות. מעבר לכך הסיכון לחסימה עולה.",
  maxMessagesPerDayUnit: "הודעות",
  warmupEnabled: "חימום חשבונות חדשים",
  warmupEnabledHint: "חשבון חדש ששולח הרבה נחסם מהר: הוא מתחיל ב־20 הודעות ביום ועולה בהדרגה.",
  autoFailover: "מעבר אוטומטי לחשבון משני",
  autoFailoverHint:
    "כשחשבון מתנתק או נחסם, ההודעות שטרם נשלחו עוברות לחשבון תקין אחר, כדי שהקמפיין לא ייעצר.",
  stickySender: "לכתוב לכל נמען מאותו חשבון",
  stickySenderHint:
    "ההודעה הבאה של הלקוח יוצאת מהחשבון שכבר כתב לנמען, כדי שאצלו תהיה שיחה אחת. אם החשבון לא פנוי בתוך עשר דקות, היא יוצאת מחשבון אחר.",
  hourlyPercent: "חלק היום שמותר בשעה אחת",
  hourlyPercentHint: "יום שלם בפרץ אחד מסכן את החשבון: ב־25% הוא מתפרס על ארבע שעות לפחות.",
  hourlyPercentUnit: "%",
  clients: "לקוחות",
  maxContactsPerClient: "תקרת אנשי קשר ללקוח",
  maxContactsPerClientHint:
    "בכל הקמפיינים של הלקוח יחד, עד שהמספרים נמחקים. לקוח שכבר מעל התקרה שומר את מה שיש לו, ורק לא מוסיף.",
  maxContactsPerClientUnit: "אנשי קשר",
  approvalFrom: "שליחה באישור: מעל כמה נמענים ביום",
  approvalFromHint:
    "לקוח שעובר את המספר הזה ביום אחד מחכה לאישור של מנהל: רואים את ההודעה והנמענים, ומאשרים. 0 מבטל את האישור.",
  approvalFromUnit: "נמענים",
  unconfirmedPerDay: "תקרה יומית לחשבונות שלא אושרו",
  unconfirmedPerDayHint:
    "לכל החשבונות של אתר אחד שאיש לא אישר, ביחד. חשבון מאשרים בדף המכשיר שלו, ומאז הוא לא נספר כאן.",
  unconfirmedPerDayUnit: "הודעות",
  lawful: "שעות שליחה ותדירות",
  sendingHoursEnforced: "לשלוח דיוור שיווקי רק בשעות השליחה",
  sendingHoursEnforcedHint: "הודעות שיווקיות לא יוצאות בערב, בשבת ובחג. קמפיין ממתין ממשיך מעצמו.",
  serviceHoursEnforced: "לשלוח גם הודעות שירות רק בשעות השליחה",
  serviceHoursEnforcedHint:
    "הודעה בלילה מטרידה גם כשאינה פרסומת. לקמפיין דחוף מנהל יכול לאשר חריגה, והיא נרשמת.",
  sendingOpensAt: "תחילת השליחה, ימים א׳–ו׳",
  sendingOpensAtHint: "הודעה מוקדמת יותר מטרידה. לפי שעון ישראל.",
  sendingOpensAtUnit: "בבוקר",
  sendingClosesAt: "סוף השליחה, ימים א׳–ה׳",
  sendingClosesAtHint: "הודעה שלא יצאה עד השעה הזאת מחכה ליום השליחה הבא.",
  sendingClosesAtUnit: "השעה",
  fridayClosesAt: "סוף השליחה בימי שישי ובערבי חג",
  fridayClosesAtHint: "השעה המאוחרת ביותר האפשרית מוקדמת מכניסת השבת בכל ימות השנה.",
  fridayClosesAtUnit: "השעה",
  frequencyCapDays: "ימים בין הודעות שיווקיות לאותו נמען",
  frequencyCapDaysHint: "מי שמקבל הודעות בתדירות גבוהה מבקש הסרה או חוסם. 0 מבטל את ההגבלה.",
  frequencyCapDaysUnit: "ימים",
  breaker: "עצירה אוטומטית",
  breakerFailedPercent: "עצירה כשיותר מדי הודעות נכשלות",
  breakerFailedPercentHint: "רשימה ישנה או קנויה מסכנת את החשבונות. 100 מבטל את העצירה.",
  breakerFailedPercentUnit: "%",
  breakerUnknownPercent: "עצירה כשיותר מדי הודעות במצב לא ידוע",
  breakerUnknownPercentHint: "כשאין ודאות מה נשלח, עדיף שאדם יבדוק לפני שממשיכים. 100 מבטל את העצירה.",
  breakerUnknownPercentUnit: "%",
  breakerOptOutPercent: "עצירה כשיותר מדי נמענים מבקשים הסרה",
  breakerOptOutPercentHint: "בקשות הסרה רבות הן סימן שהנמענים לא ציפו להודעה. 100 מבטל את העצירה.",
  breakerOptOutPercentUnit: "%",
  privacy: "פרטיות",
  retentionDays: "ימי שמירה של מספרי הנמענים",
  retentionDaysHint: "מה שכבר לא נחוץ לא יכול לדלוף: אחרי סיום הקמפיין נשארות התוצאות, והמספרים נמחקים.",
  retentionDaysUnit: "ימים",
  contactsKeptDays: "ימי שמירה של אנשי קשר שלא בשימוש",
  contactsKeptDaysHint: "איש קשר שלא נטען, לא שונה ולא נלקח לקמפיין במשך הזמן הזה יוסר מהרשימות של הלקוח.",
  contactsKeptDaysUnit: "ימים",
  security: "אבטחה",
  adminsNeedSecondFactor: "חובת אימות דו־שלבי למנהלים",
  adminsNeedSecondFactorHint:
    "סיסמה שדלפה לא תספיק לכניסת מנהל: מי שלא הפעיל את האימות ינותק, ויגיע רק לחשבון שלו עד שיפעיל. אפשרי אחרי שהאימות פועל אצלכם.",
  /** The default value and the allowed range. */
  range: (standard: string, least: string, most: string) =>
    `ברירת המחדל: ${standard}. אפשר מ־${least} עד ${most}.`,
  standard: (value: string) => `ברירת המחדל: ${value}.`,
  changed: "שונה, היה",
  tenfold: "פי 10 מהמומלץ ויותר: ערך מסוכן.",
  tenth: "עשירית מהמומלץ או פחות: ערך מסוכן.",
  hoursOff: "כבוי: הודעות שיווק נשלחות גם בלילה, בשבת ובחג.",
  on: "פועל",
  off: "כבוי",
  wholeNumber: (least: string, most: string) => `נא להזין מספר שלם מ־${least} עד ${most}`,
  decimalNumber: (least: string, most: string) =>
    `נא להזין מספר מ־${least} עד ${most}, עד ספרה אחת אחרי הנקודה`,
  unsaved: (count: number) =>
    count === 1 ? "יש שינוי אחד שלא נשמר" : `יש ${countOf(count, "change")} שלא נשמרו`,
  noChanges: "אין שינויים שלא נשמרו",
  save: "שמור שינויים",
  saving: "שומר...",
  cancel: "ביטול",
  savedTitle: "ההגדרות נשמרו",
  saved: "הן חלות על כל האתרים תוך שניות.",
  saveFailedTitle: "ההגדרות לא נשמרו",
  saveFailed: "השרת לא אישר את השינוי. ההגדרות הקודמות נשארו.",
  invalidTitle: "ההגדרות לא נשמרו",
  invalid: "יש ערך לא תקין. נא לתקן ולשמור שוב.",
};

/** Words about a value far beyond the recommended one. */
export const DANGER = {
  title: "לשמור ערך מסוכן?",
  confirm: "שמירה בכל זאת",
  tenfold: (label: string, value: string, usual: string, danger: string) =>
    `${label}: ${value}, כשהמומלץ הוא ${usual}. ${danger}`,
  bans: "חשבונות עלולים להיחסם.",
  /** The danger of those that are not about bans. */
  dangers: {
    frequencyCapDays: "אותו נמען עלול לקבל דיוור שוב ושוב ולבקש הסרה.",
    breakerFailedPercent: "קמפיין עם רשימה גרועה כמעט לא ייעצר מעצמו, וחשבונות עלולים להיחסם.",
    breakerUnknownPercent: "קמפיין שתוצאותיו לא ידועות כמעט לא ייעצר מעצמו.",
    breakerOptOutPercent: "קמפיין שנמענים מבקשים ממנו הסרה כמעט לא ייעצר מעצמו, וחשבונות עלולים להיחסם.",
    retentionDays: "מספרי הנמענים יישמרו הרבה אחרי שכבר לא יהיו נחוצים.",
    maxContactsPerClient: "לקוח אחד יוכל למלא את מסד הנתונים.",
  } as Readonly<Record<string, string>>,
  hoursOff: "הודעות שיווק יישלחו בכל שעה, גם בלילה, בשבת ובחג. השליחה הזאת אסורה, והנמענים יבקשו הסרה.",
};

export const LEAVE = {
  title: "לצאת בלי לשמור?",
  body: (count: number) => `${SETTINGS.unsaved(count)}.`,
  leave: "יציאה בלי לשמור",
  stay: "חזרה להגדרות",
};
