import { siteCalled } from "shared/site_name.ts";
import type { AccountState, DeviceState, UnknownScreenNotice } from "shared/agent_protocol.ts";
import type { DeviceStanding } from "shared/standing.ts";
import { countOf, oneOrMany } from "./count.ts";
import { formatAge } from "./format.ts";

export type { DeviceState };

export const DEVICES = {
  heading: "ניהול מכשירים",
  checked: (age: string) => `נבדק ${age} · בדיקה נוספת כל 5 שניות`,
  notCheckedYet: "בדיקה כל 5 שניות",
  add: "הוספת מכשיר",
  summary: "סיכום",
  total: "מכשירי ADB רשומים",
  online: "מחוברים",
  offline: "מנותקים",
  search: "חיפוש לפי שם, כתובת, חשבון או אתר",
  segments: { all: "הכול", online: "מחוברים", offline: "מנותקים", risk: "בסיכון" },
  loading: "טוען מכשירים...",
  empty: "לא נמצאו מכשירים",
  emptyTeaching: "מפעילים את תוכנת האתר במחשב שאליו מחוברים הטלפונים. פקודת ההתקנה נמצאת תחת ״הוספת מכשיר״.",
  noneOfKind: "אין מכשירים במצב הזה.",
  noneFiltered: "אין מכשירים שמתאימים לסינון.",
  clearFilter: "ניקוי הסינון",
  site: "אתר",
  allSites: "כל האתרים",
  state: "מצב",
  allStates: "כל המצבים",
  states: {
    online: "מחובר",
    offline: "מנותק",
    unauthorized: "לא מורשה",
    booting: "עולה",
    locked: "נעול",
    low_battery: "סוללה חלשה",
    hot: "חם מדי",
    low_storage: "אחסון מלא",
    not_answering: "לא עונה",
    stopped: "נעצר",
  } satisfies Record<DeviceState | "stopped", string>,
  inState: (state: DeviceState | "stopped"): string => `מצב: ${DEVICES.states[state]}`,
  standing: (standing: DeviceStanding): string => `מצב: ${DEVICES.standings[standing]}`,
  anyBattery: "כל סוללה",
  batteryUpTo: (percent: number) => `סוללה עד ${percent}%`,
  sort: "סדר",
  sorts: {
    site: "לפי אתר",
    name: "לפי שם",
    state: "לפי מצב",
    risk: "לפי סיכון",
    battery: "לפי סוללה",
    today: "לפי הודעות היום",
    proof: "לפי אות חיים",
    activity: "לפי פעילות",
  },
  reverse: "היפוך הסדר",
  select: (device: string) => `בחירת ${device}`,
  selectAll: "בחירת כל המוצגים",
  selected: (count: number) => `${oneOrMany(count, "נבחר", "נבחרו")} ${countOf(count, "device")}`,
  clearSelection: "ביטול הבחירה",
  bulkActs: "פעולות על הנבחרים",
  failed: "המכשירים לא נטענו",
  region: "טבלת מכשירים",
  columns: {
    device: "מכשיר",
    state: "מצב",
    proof: "אות חיים",
    accounts: "חשבונות",
    today: "היום",
    risk: "סיכון",
    version: "גרסה",
    activity: "פעילות אחרונה",
    battery: "סוללה",
    select: "בחירה",
    act: "פעולות",
  },
  siteConnected: "האתר מחובר",
  siteAway: "האתר מנותק",
  siteFacts: (devices: number, waiting: number) =>
    waiting === 0
      ? countOf(devices, "device")
      : `${countOf(devices, "device")} · ${countOf(waiting, "message")} ${
        waiting === 1 ? "ממתינה לאתר" : "ממתינות לאתר"
      }`,
  /** The state that leads a phone, in one or two words. */
  standings: {
    offline: "מנותק",
    stopped: "נעצר",
    unfit: "דורש טיפול",
    site_stopped: "האתר נעצר",
    no_account: "אין חשבון",
    banned: "חסום",
    restricted: "מוגבל",
    logged_out: "חשבון נותק",
    unknown_screen: "מסך לא מוכר",
    rested: "הופסק אוטומטית",
    unconfirmed_rested: "הופסק אוטומטית",
    app_missing: "אין אפליקציה",
    unreachable: "חשבון לא זמין",
    gave_back: "החזיר יותר מדי",
    unconfirmed_full: "מחכה לאישור",
    day_full: "הגיע לתקרה",
    hour_full: "ימשיך בשעה הבאה",
    ready: "מחובר",
  } satisfies Record<DeviceStanding, string>,
  leftToday: (left: number) =>
    left === 0 ? "לא נותרו היום" : left === 1 ? "נותרה אחת היום" : `נותרו ${left} היום`,
  marks: {
    online: "מחובר",
    stopped: "נעצר",
    waitsForStop: "ממתין לעצירה",
    waitsForStart: "ממתין לחידוש",
  },
  accountMarks: { active: "פעיל", processing: "מעבד", idle: "סרק", banned: "חסום" },
  noAccounts: "אין חשבונות WhatsApp רשומים למכשיר זה",
  messagesToday: (count: number) => count === 0 ? "אין הודעות היום" : `${countOf(count, "message")} היום`,
  usedOfCap: (used: number, cap: number) => `${used} מתוך ${cap} הודעות היום`,
  risk: "סיכון",
  neverActive: "עוד לא שלח",
  lastSent: (at: number | null, now: number): string =>
    at === null ? DEVICES.neverActive : `שלח ${formatAge(now - at)}`,
  battery: "סוללה",
  proof: (age: string) => `אות חיים ${age}`,
  lastSeen: (age: string) => `נראה לאחרונה ${age}`,
  neverSeen: "עוד לא נראה",
};

/** A phone's problem and the next step for a person beside it; online has neither. */
export const DEVICE_STATE_TEXT: Record<Exclude<DeviceState, "online">, { what: string; step: string }> = {
  offline: {
    what: "הטלפון לא מחובר למחשב של האתר.",
    step: "יש לבדוק שהוא דולק ושהכבל תקוע היטב בשני הקצוות, ואז לנסות כבל או שקע אחר.",
  },
  unauthorized: {
    what: "הטלפון לא אישר את המחשב.",
    step:
      "על המסך שלו מופיע חלון ״לאפשר ניפוי באגים ב־USB?״. יש לסמן ״לאפשר תמיד מהמחשב הזה״ ולאשר. אם אין חלון, יש לנתק את הכבל ולחבר שוב.",
  },
  booting: {
    what: "הטלפון עולה.",
    step: "זה נמשך כדקה. אם הוא נתקע, יש להחזיק את לחצן ההפעלה עד שייכבה, ולהדליק שוב.",
  },
  locked: {
    what: "הטלפון נעול בקוד.",
    step: "יש לפתוח אותו, ובהגדרות האבטחה לקבוע נעילת מסך ״ללא״, כדי שלא יינעל שוב.",
  },
  low_battery: {
    what: "הסוללה חלשה.",
    step: "יש לוודא שסמל הטעינה מופיע על המסך; אם לא, להחליף כבל או שקע. השליחה תתחדש אחרי טעינה.",
  },
  hot: {
    what: "הטלפון חם מדי.",
    step: "יש להרחיק אותו משמש ומטלפונים אחרים, ולהסיר כיסוי. השליחה תתחדש כשיתקרר.",
  },
  low_storage: {
    what: "כמעט לא נשאר מקום בטלפון.",
    step: "יש למחוק תמונות, סרטונים ואפליקציות שאין בהם צורך.",
  },
  not_answering: {
    what: "הטלפון מחובר אבל לא עונה.",
    step: "יש לנתק את הכבל ולחבר שוב. אם זה לא עוזר, להפעיל את הטלפון מחדש.",
  },
};

/** Next step for an account that cannot send; the problem is shown before it. */
export const ACCOUNT_STATE_STEPS: Record<Exclude<AccountState, "ok">, string> = {
  banned:
    "יש לפתוח את האפליקציה בטלפון ולקרוא את ההודעה שעל המסך. אפשר לבקש שם בדיקה חוזרת; אין להירשם שוב באותו מספר לפני שהיא נענית.",
  restricted: "יש לפתוח את האפליקציה בטלפון ולקרוא עד מתי ההגבלה. עד אז החשבון לא ישלח, ואין צורך לעשות דבר.",
  logged_out: "יש לפתוח את האפליקציה בטלפון ולהיכנס שוב במספר של החשבון.",
  app_missing: "יש להתקין את האפליקציה בטלפון ולהיכנס לחשבון.",
  unreachable: "המצב יתעדכן כשהטלפון יענה. אם הטלפון מחובר, יש לפתוח בו את האפליקציה ולראות שהיא עולה.",
};

/** Next step for an account whose app shows a screen that its site does not know, by the kind of screen. */
export const UNKNOWN_SCREEN = {
  steps: {
    dialog:
      "יש לפתוח את האפליקציה בטלפון. הודעה שאפשר לסגור סוגרים, ואז לוחצים ״חידוש השליחה״. אם היא חוזרת, מוסיפים באתר קובץ מסכים שמכיר אותה.",
    screen:
      "בדרך כלל האפליקציה עודכנה. מוסיפים באתר קובץ מסכים לגרסה הזאת, והשליחה תתחדש מעצמה. אם על הטלפון מופיע משהו שאפשר לסגור, סוגרים ולוחצים ״חידוש השליחה״.",
    row:
      "הודעה אחת נשלחה אולי, ואי אפשר לראות זאת בשיחה. מוסיפים באתר קובץ מסכים לגרסה הזאת, והשליחה תתחדש מעצמה.",
  } satisfies Record<UnknownScreenNotice["kind"], string>,
  commands: ["sudo shigur-agent screens seen", "sudo shigur-agent screens add <file>"],
  hidden: "id_1 ו־name הם שמות שאינם יוצאים מהאתר. הפקודה הראשונה מראה אותם שם.",
  details: "מה נראה על המסך",
  window: "חלון",
  ids: "מזהים חדשים",
  version: "גרסת האפליקציה",
  fingerprint: "סימן המסך",
};

export const DEVICE_ACTS = {
  details: "צפייה בפרטים",
  restart: "הפעלה מחדש",
  stop: "עצירה",
  start: "חידוש השליחה",
  identify: "זיהוי המכשיר",
  working: {
    restart: "מפעיל מחדש...",
    stop: "עוצר...",
    start: "מחדש...",
    identify: "מזהה...",
  },
  done: {
    restart: "המכשיר הופעל מחדש ועונה",
    stop: "המכשיר נעצר",
    start: "המכשיר חזר לשלוח",
    identify: "מסך המכשיר מואר",
  },
  failed: "הפקודה לא בוצעה",
  refused: "השרת לא אישר את הפקודה. דבר לא השתנה.",
  timedOut: "האתר לא ענה בזמן.",
  siteFailed: "האתר דיווח שהפקודה לא הצליחה.",
  restartTitle: (device: string) => `להפעיל מחדש את ${device}?`,
  stopTitle: (device: string) => `לעצור את ${device}?`,
  restartEffect: (held: number) => `הטלפון יכבה ויעלה שוב, בערך דקה.${movesAway(held)}`,
  stopEffect: (held: number) => `המכשיר לא יקבל הודעות עד שיופעל שוב.${movesAway(held)}`,
};

/** Words of an act on several phones at once. */
export const BULK = {
  title: {
    restart: (devices: number) => `להפעיל מחדש ${countOf(devices, "device")}?`,
    stop: (devices: number) => `לעצור ${countOf(devices, "device")}?`,
    start: (devices: number) => `לחדש את השליחה מ${devices > 2 ? "־" : ""}${countOf(devices, "device")}?`,
  },
  effect: {
    restart: (held: number) => `הטלפונים יכבו ויעלו שוב, בערך דקה.${movesAway(held)}`,
    stop: (held: number) => `הם לא יקבלו הודעות עד שיופעלו שוב.${movesAway(held)}`,
    start: () => "הם יחזרו לקבל הודעות, לפי התקרות שלהם.",
  },
  working: (done: number, of: number) => `${done} מתוך ${of}...`,
  doneTitle: "הפעולה הסתיימה",
  done: (count: number) => `בוצעה ב${count > 2 ? "־" : ""}${countOf(count, "device")}.`,
  partTitle: "חלק מהפקודות לא בוצעו",
  part: (done: number, failed: number) =>
    `בוצעו: ${done}. לא בוצעו: ${failed}. המכשירים שלא בוצעה בהם הפקודה נשארו מסומנים.`,
};

/** The offer to see a phone's screen; the screen's own words are in features/looks. */
export const DEVICE_SCREEN = {
  heading: "המסך",
  teaching: "תמונה של המסך כמו שהוא עכשיו, לצפייה בלבד. היא לא נשמרת בשום מקום.",
  open: "לראות את המסך",
  allOfSite: "כל המסכים של האתר",
};

/** Words of the question that comes before a new phone: at which site it is. */
export const ADD_DEVICE = {
  title: "לאיזה אתר מתחבר המכשיר?",
  hint: "טלפון מתחבר בכבל למחשב של אתר. בוחרים את האתר, ואז מחברים.",
  newSite: "אתר חדש",
  away: "לא מחובר כרגע",
  notEnrolled: "עוד לא הותקן",
  loading: "טוען אתרים...",
  failed: "האתרים לא נטענו",
  none: "עוד אין אתרים. קודם מוסיפים אתר ומתקינים בו את התוכנה.",
  stepsTitle: (site: string) => `חיבור מכשיר אל ${siteCalled(site)}`,
  steps: [
    "בטלפון: מפעילים אפשרויות מפתח, ובתוכן ניפוי באגים ב־USB.",
    "מחברים את הטלפון בכבל למחשב של האתר.",
    "על מסך הטלפון מסמנים ״לאפשר תמיד מהמחשב הזה״ ומאשרים.",
    "תוך כדקה הטלפון מופיע כאן.",
  ],
  awayNotice: "המחשב של האתר לא מחובר כרגע: הטלפון יופיע אחרי שיחזור.",
  enrolNotice: "התוכנה עוד לא הותקנה באתר הזה. מפיקים לו קוד הצטרפות במסך האתרים.",
  toSites: "למסך האתרים",
  back: "לבחירת אתר אחר",
  done: "סגירה",
};

/** Every state of a phone; the shared list would bring the schemas of the protocol along. */
export const DEVICE_STATES = Object.keys(DEVICES.states).filter((state) =>
  state !== "stopped"
) as DeviceState[];

/** Returns what happens to the messages that a device holds. */
function movesAway(held: number): string {
  if (held === 0) return "";
  return held === 1
    ? " הודעה אחת שטרם נשלחה תעבור למכשיר אחר."
    : ` ${countOf(held, "message")} שטרם נשלחו יעברו למכשירים אחרים.`;
}

export const DEVICE = {
  advice: "מה יוריד את הסיכון",
  release: "ראיתי את הסיבה, להחזיר לעבודה",
  releasing: "מחזיר...",
  releasedTitle: "החשבון חזר לעבודה",
  released: "הספירה מתחילה מחדש מהשעה הבאה.",
  releaseFailedTitle: "החשבון לא הוחזר",
  releaseFailed: "השרת לא אישר את הפעולה. החשבון עדיין לא שולח.",
  missing: "המכשיר לא נמצא",
  missingHint: "ייתכן שהאתר שלו נותק לצמיתות.",
  back: "לכל המכשירים",
  loading: "טוען מכשיר...",
  failed: "המכשיר לא נטען",
  today: "הודעות היום",
  ofCap: (cap: string) => `מתוך ${cap}`,
  held: "מחכות במכשיר",
  riskNow: "סיכון",
  facts: "פרטי המכשיר",
  serial: "מספר סידורי",
  address: "כתובת",
  otherAddresses: "כתובות נוספות",
  stateDetail: "הודעת adb",
  model: "דגם",
  android: "Android",
  battery: "סוללה",
  firstSeen: "נראה לראשונה",
  proofAt: "אות חיים אחרון",
  inState: (span: string) => `זה המצב כבר ${span}.`,
  site: "אתר",
  stoppedNotice: "המכשיר נעצר על ידי מנהל.",
  stoppedMeaning: "הוא לא מקבל הודעות עד שיופעל שוב.",
  waitsForStop: "ביקשו לעצור את המכשיר, והאתר שלו עוד לא אישר.",
  waitsForStopMeaning: "הוא לא מקבל הודעות חדשות, אבל מה שכבר קיבל אולי עוד יישלח.",
  waitsForStart: "ביקשו לחדש את השליחה מהמכשיר, אבל באתר שלו הוא עדיין עצור.",
  waitsForStartMeaning:
    "השליחה תתחדש מעצמה כשהאתר יתחבר שוב. אם זה נמשך, אפשר לעצור את המכשיר ולחדש את השליחה מכאן.",
  owesRehearsal: "הטלפון עוד לא עבר חזרה, ולכן לא יקבל פרסום.",
  owesRehearsalMeaning:
    "מריצים באתר את הפקודה שלמטה; עם \u2066--to\u2069 ומספר שלכם נשלחת גם הודעה אמיתית אחת. איך מכינים את הטלפון כתוב בדף שליד הטלפונים. הודעות שירות נשלחות כרגיל.",
  rehearsalCommand: "פקודת החזרה",
  leftDraft: "ייתכן שבאחד הצ'אטים בטלפון נשארה הודעה שלנו שעוד לא נשלחה.",
  leftDraftMeaning:
    "לא לשלוח אותה משם: ההודעה כבר עברה לטלפון אחר, והנמען יקבל אותה פעמיים. ברגע שהמסך יהיה מוכר והטלפון מחובר, האתר ימחק אותה בעצמו.",
  siteAway: (site: string, span: string | undefined) =>
    span === undefined ? `${siteCalled(site)} לא מחובר.` : `${siteCalled(site)} לא מחובר כבר ${span}.`,
  siteAwayMeaning: "הנתונים כאן הם מהדיווח האחרון שלו.",
  accounts: "חשבונות",
  userKinds: { owner: "המשתמש הראשי", work: "פרופיל עבודה", secondary: "משתמש נוסף בטלפון" },
  installed: (day: string) => `הותקן ב־${day}`,
  captions: (works: boolean) => works ? "תמונה נפתחת עם הכיתוב" : "תמונה נפתחת בלי הכיתוב",
  screensUnseen: "המסכים של הגרסה הזו עוד לא נראו באף טלפון של האתר",
  confirmed: "מאושר",
  notConfirmed: "עוד לא אושר",
  confirm: "אישור החשבון",
  unconfirm: "ביטול האישור",
  confirming: "שומר...",
  label: "שינוי שם",
  labelTitle: (account: string) => `איך לקרוא לחשבון ${account}?`,
  labelField: "שם החשבון",
  labelHint: "עד 60 תווים, למשל: מכירות דרום. שדה ריק מחזיר את השם הרגיל.",
  labelSave: "שמירת השם",
  labelled: "שם החשבון נשמר",
  confirmedTitle: "החשבון אושר",
  unconfirmedTitle: "אישור החשבון בוטל",
  editFailed: "החשבון לא השתנה",
  outcomes: (sent: number, failed: number, unknown: number) =>
    `ב־24 השעות האחרונות: נשלחו ${sent}, נכשלו ${failed}, לא ידוע ${unknown}`,
  deliveries: "50 ההודעות האחרונות",
  noDeliveries: "עוד לא נשלחו הודעות מהמכשיר הזה.",
  deliveryColumns: { phone: "מספר", state: "מצב", campaign: "קמפיין", time: "שעה", reason: "סיבה" },
  deliveryRegion: "טבלת ההודעות האחרונות",
  commands: "פקודות אחרונות",
  noCommands: "עוד לא נשלחו פקודות למכשיר הזה.",
  commandStatuses: { waiting: "ממתינה לאתר", done: "בוצעה", failed: "נכשלה", timed_out: "לא התקבלה תשובה" },
};

/** Returns the app's short name, with a number for further Android users: "com.whatsapp.w4b/0" → "WA Business". */
export function appName(account: string): string {
  const [app, androidUser = "0"] = account.split("/");
  const name = app === "com.whatsapp" ? "WhatsApp" : app === "com.whatsapp.w4b" ? "WA Business" : app;
  return androidUser === "0" ? name : `${name} · ${androidUser}`;
}
