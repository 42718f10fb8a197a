/**
 * What a person does at a phone before it works: the page beside the desk shows it, and `doctor` says it. Names of
 * menus are those of vendors' manuals and of public reports, of Android 8 to 16. None was seen on a real phone here.
 */

/** The same words in Hebrew and English. */
export interface InBoth {
  he: string;
  en: string;
}

export const MAKERS = ["samsung", "xiaomi", "motorola", "google"] as const;
export type Maker = (typeof MAKERS)[number];

export const MAKER_NAMES: Record<Maker, string> = {
  samsung: "Samsung",
  xiaomi: "Xiaomi",
  motorola: "Motorola",
  google: "Google",
};

/** Returns the maker of `ro.product.manufacturer`, or null for another. Redmi and POCO are Xiaomi's. */
export function makerOf(manufacturer: string): Maker | null {
  const name = manufacturer.trim().slice(0, 40).toLowerCase();
  if (name === "redmi" || name === "poco") return "xiaomi";
  return MAKERS.find((maker) => maker === name) ?? null;
}

export const DESK_GROUPS = {
  screen: { he: "מסך ופקודות", en: "Screen and commands" },
  battery: { he: "סוללה ורקע (Doze)", en: "Battery and background (Doze)" },
  network: { he: "רשת", en: "Network" },
  app: { he: "אפליקציית ההודעות", en: "The messaging app" },
  phone: { he: "הטלפון עצמו", en: "The phone itself" },
} as const satisfies Record<string, InBoth>;
export type DeskGroup = keyof typeof DESK_GROUPS;

interface DeskPointWords {
  group: DeskGroup;
  name: InBoth;
  /** What is wrong when it is not so. */
  wrong: InBoth;
  /** The names of menus from the phone's settings on: those of most phones, and of makers that differ. */
  path?: { any?: readonly InBoth[] } & Partial<Record<Maker, readonly InBoth[]>>;
  /** What to choose there. */
  choose: InBoth & Partial<Record<Maker, InBoth>>;
  /** Phones of other makers do not have it. */
  only?: Maker;
  /** By a command of doctor; by none; or only on some phones. */
  seen: "command" | "hand" | "some";
  /** A phone where it is wrong sends nothing. */
  stops?: true;
}

const both = (he: string, en: string): InBoth => ({ he, en });
const SETTINGS = both("הגדרות", "Settings");
const DEVELOPER = both("אפשרויות למפתחים", "Developer options");
const BATTERY = both("סוללה", "Battery");
const APPS = both("אפליקציות", "Apps");
const WHATSAPP = both("WhatsApp", "WhatsApp");

const DEVELOPER_PATH = {
  any: [SETTINGS, both("מערכת", "System"), DEVELOPER],
  samsung: [SETTINGS, DEVELOPER],
  xiaomi: [SETTINGS, both("הגדרות נוספות", "Additional settings"), DEVELOPER],
};
const WIFI_PATH = {
  any: [SETTINGS, both("רשת ואינטרנט", "Network & internet"), both("אינטרנט", "Internet")],
  samsung: [SETTINGS, both("חיבורים", "Connections"), both("Wi-Fi", "Wi-Fi")],
  xiaomi: [SETTINGS, both("Wi-Fi", "Wi-Fi")],
};

const POINTS = {
  stay_awake: {
    group: "screen",
    name: both("להישאר ער בטעינה", "Stay awake while charging"),
    wrong: both("המסך נכבה גם כשהטלפון בטעינה", "the screen goes dark while it charges"),
    path: DEVELOPER_PATH,
    choose: both("להפעיל ׳להישאר ער׳", "switch on 'Stay awake'"),
    seen: "command",
  },
  screen_lock: {
    group: "screen",
    name: both("בלי נעילת מסך", "No screen lock"),
    wrong: both("המסך ננעל בקוד, ואז לא יוצאת ממנו הודעה", "it locks with a PIN, and then sends nothing"),
    path: {
      any: [SETTINGS, both("אבטחה ופרטיות", "Security & privacy"), both("נעילת מסך", "Screen lock")],
      samsung: [SETTINGS, both("מסך נעילה", "Lock screen"), both("סוג נעילת מסך", "Screen lock type")],
      xiaomi: [SETTINGS, both("סיסמאות ואבטחה", "Passwords & security"), both("נעילת מסך", "Screen lock")],
    },
    choose: both("לבחור ׳ללא׳", "choose 'None'"),
    seen: "command",
    stops: true,
  },
  usb_input: {
    group: "screen",
    name: both("לחיצות דרך הכבל", "Taps over the cable"),
    wrong: both("הטלפון לא מקבל לחיצות דרך הכבל", "it refuses taps over the cable"),
    path: DEVELOPER_PATH,
    choose: both(
      "להפעיל ׳ניפוי באגים ב־USB (הגדרות אבטחה)׳ ולאשר; ייתכן שיבקש כרטיס SIM וחשבון Xiaomi. אחר כך להפעיל מחדש",
      "switch on 'USB debugging (Security settings)' and agree; it may ask for a SIM card and a Xiaomi account. Then restart it",
    ),
    only: "xiaomi",
    seen: "command",
    stops: true,
  },
  auto_blocker: {
    group: "screen",
    name: both("Auto Blocker כבוי", "Auto Blocker off"),
    wrong: both("Auto Blocker חוסם פקודות דרך הכבל", "Auto Blocker blocks commands over the cable"),
    path: {
      any: [SETTINGS, both("אבטחה ופרטיות", "Security and privacy"), both("Auto Blocker", "Auto Blocker")],
    },
    choose: both(
      "לכבות, ולבדוק אחרי שעה שלא חזר מעצמו",
      "switch it off, and look again after an hour",
    ),
    only: "samsung",
    seen: "hand",
  },
  animations: {
    group: "screen",
    name: both("בלי אנימציות", "No animations"),
    wrong: both(
      "האנימציות דולקות, ולכן קריאת המסך נכשלת לפעמים",
      "animations are on, so reading its screen sometimes fails",
    ),
    path: DEVELOPER_PATH,
    choose: both(
      "שלוש שורות ׳קנה מידה׳ של אנימציה (חלון, מעבר, Animator): ׳כבוי׳",
      "three lines, 'Window animation scale', 'Transition animation scale', 'Animator duration scale': off",
    ),
    seen: "command",
  },
  battery_saver: {
    group: "battery",
    name: both("חיסכון בסוללה כבוי", "Battery saver off"),
    wrong: both("חיסכון בסוללה דולק", "battery saver is on"),
    path: {
      any: [SETTINGS, BATTERY, both("חיסכון בסוללה", "Battery Saver")],
      samsung: [SETTINGS, BATTERY, both("חיסכון בחשמל", "Power saving")],
    },
    choose: both("לכבות, וגם את ההפעלה האוטומטית", "off, and its schedule too"),
    seen: "command",
  },
  app_battery: {
    group: "battery",
    name: both("האפליקציה בלי הגבלת סוללה", "No battery limit for the app"),
    wrong: both("הטלפון מגביל את האפליקציה ברקע", "the phone limits the app in the background"),
    path: {
      any: [SETTINGS, APPS, WHATSAPP, both("שימוש בסוללה", "App battery usage")],
      samsung: [SETTINGS, APPS, WHATSAPP, BATTERY],
      xiaomi: [
        SETTINGS,
        APPS,
        both("ניהול אפליקציות", "Manage apps"),
        WHATSAPP,
        both("חיסכון בסוללה", "Battery saver"),
      ],
    },
    choose: {
      ...both("לבחור ׳ללא הגבלה׳", "choose 'Unrestricted'"),
      xiaomi: both("לבחור ׳ללא הגבלות׳", "choose 'No restrictions'"),
    },
    seen: "command",
  },
  unused_apps: {
    group: "battery",
    name: both("לא להשהות אפליקציה שלא בשימוש", "Do not pause an unused app"),
    wrong: both(
      "הטלפון ישהה את האפליקציה אם לא יגעו בה",
      "the phone will pause the app when nobody touches it",
    ),
    path: { any: [SETTINGS, APPS, WHATSAPP] },
    choose: both(
      "לכבות ׳השהיית הפעילות באפליקציה אם היא לא בשימוש׳",
      "switch off 'Pause app activity if unused' ('Manage app if unused' on newer phones)",
    ),
    seen: "command",
  },
  sleeping_apps: {
    group: "battery",
    name: both("האפליקציה לא ברשימת השינה", "The app is not put to sleep"),
    wrong: both("Samsung מרדימה את האפליקציה", "Samsung puts the app to sleep"),
    path: { any: [SETTINGS, BATTERY, both("מגבלות שימוש ברקע", "Background usage limits")] },
    choose: both(
      "לכבות ׳העברת אפליקציות שלא בשימוש למצב שינה׳, ולהוסיף את WhatsApp ל׳אפליקציות שלעולם לא ישנות׳",
      "switch off 'Put unused apps to sleep', and add WhatsApp to 'Never auto sleeping apps'",
    ),
    only: "samsung",
    seen: "hand",
  },
  autostart: {
    group: "battery",
    name: both("הפעלה אוטומטית לאפליקציה", "Autostart for the app"),
    wrong: both("האפליקציה לא עולה מעצמה", "the app does not start by itself"),
    path: {
      any: [
        SETTINGS,
        APPS,
        both("הרשאות", "Permissions"),
        both("הפעלה אוטומטית ברקע", "Background autostart"),
      ],
    },
    choose: both("להפעיל ל־WhatsApp", "switch it on for WhatsApp"),
    only: "xiaomi",
    seen: "hand",
  },
  charge_limit: {
    group: "battery",
    name: both("טעינה עד 80%", "Charge to 80 %"),
    wrong: both("הסוללה מתנפחת עם הזמן", "a battery that is always full swells in time"),
    path: {
      samsung: [SETTINGS, BATTERY, both("הגנה על הסוללה", "Battery protection")],
      xiaomi: [SETTINGS, BATTERY, both("הגנה על הסוללה", "Battery protection")],
      motorola: [SETTINGS, BATTERY, both("הגנה מפני טעינת יתר", "Overcharge protection")],
      google: [SETTINGS, BATTERY, both("אופטימיזציה של הטעינה", "Charging optimization")],
    },
    choose: both("אם הטלפון מציע: להגביל ל־80%", "if the phone offers it: limit to 80 %"),
    seen: "hand",
  },
  network: {
    group: "network",
    name: both("מחובר לאינטרנט", "Connected to the internet"),
    wrong: both("הטלפון לא מחובר לשום רשת", "the phone has no network"),
    path: WIFI_PATH,
    choose: both(
      "לבחור את הרשת של האתר, ולכבות מצב טיסה",
      "choose the site's network, and switch airplane mode off",
    ),
    seen: "command",
    stops: true,
  },
  wifi_sleep: {
    group: "network",
    name: both("Wi-Fi נשאר דולק (Android 8 עד 10)", "Wi-Fi stays on (Android 8 to 10)"),
    wrong: both("ה־Wi-Fi נכבה כשהמסך כבה", "Wi-Fi goes off with the screen"),
    path: {
      any: [...WIFI_PATH.any.slice(0, 2), both("Wi-Fi", "Wi-Fi"), both("מתקדם", "Advanced")],
      samsung: [...WIFI_PATH.samsung, both("מתקדם", "Advanced")],
      xiaomi: [...WIFI_PATH.xiaomi, both("הגדרות נוספות", "Additional settings")],
    },
    choose: both("׳Wi-Fi פועל במצב שינה׳: תמיד", "'Keep Wi-Fi on during sleep': always"),
    seen: "some",
  },
  data_saver: {
    group: "network",
    name: both("חוסך הנתונים כבוי", "Data saver off"),
    wrong: both("חוסך הנתונים עוצר את האפליקציה ברקע", "data saver stops the app in the background"),
    path: {
      any: [SETTINGS, both("רשת ואינטרנט", "Network & internet"), both("חוסך הנתונים", "Data Saver")],
      samsung: [
        SETTINGS,
        both("חיבורים", "Connections"),
        both("שימוש בנתונים", "Data usage"),
        both("חוסך הנתונים", "Data saver"),
      ],
      xiaomi: [SETTINGS, both("חיפוש: חוסך הנתונים", "search for: Data saver")],
    },
    choose: both(
      "לכבות; ובמסך הנתונים של WhatsApp להתיר נתונים ברקע",
      "off; and on WhatsApp's own data screen allow background data",
    ),
    seen: "command",
  },
  notifications: {
    group: "app",
    name: both("התראות מותרות", "Notifications allowed"),
    wrong: both(
      "ההתראות של האפליקציה חסומות, ולכן תשובות ובקשות הסרה לא נקראות",
      "the app's notifications are blocked, so replies and requests to be removed are not read",
    ),
    path: { any: [SETTINGS, APPS, WHATSAPP, both("התראות", "Notifications")] },
    choose: both(
      "להתיר את כולן. לתוכנת האתר לא צריך לתת גישה להתראות",
      "allow all. The agent itself needs no access to notifications",
    ),
    seen: "command",
  },
  two_apps: {
    group: "app",
    name: both("כל חשבון נגיש", "Every account is within reach"),
    wrong: both(
      "יש בטלפון משתמש או פרופיל שלא פועל עכשיו, והחשבון שבו לא ישלח",
      "a user or profile of the phone is not in use now, and an account in it sends nothing",
    ),
    path: { any: [SETTINGS, both("מערכת", "System"), both("משתמשים", "Users")] },
    choose: both(
      "להפעיל את פרופיל העבודה או העותק השני של האפליקציה, או לעבור למשתמש",
      "switch on the work profile or the app's second copy, or switch users",
    ),
    seen: "command",
  },
  app_updates: {
    group: "app",
    name: both("בלי עדכון אוטומטי של אפליקציות", "No automatic app updates"),
    wrong: both("האפליקציה מתעדכנת באמצע עבודה", "the app updates itself at work"),
    path: {
      any: [
        both("Google Play", "Google Play"),
        both("תמונת הפרופיל", "profile picture"),
        SETTINGS,
        both("העדפות רשת", "Network preferences"),
        both("עדכון אוטומטי", "Auto-update apps"),
      ],
    },
    choose: both(
      "לבחור ׳אין לעדכן׳, ולעדכן ביד פעם בשבוע, טלפון אחד קודם",
      "choose 'Don't auto-update', and update by hand once a week, one phone first",
    ),
    seen: "hand",
  },
  app_backup: {
    group: "app",
    name: both("בלי גיבוי צ׳אטים", "No chat backups"),
    wrong: both("האפליקציה מציעה גיבוי באמצע עבודה", "the app offers a backup at work"),
    path: {
      any: [WHATSAPP, SETTINGS, both("צ׳אטים", "Chats"), both("גיבוי צ׳אטים", "Chat backup")],
    },
    choose: both("לכבות גיבוי אוטומטי (׳אף פעם׳)", "switch automatic backups off ('Never')"),
    seen: "hand",
  },
  system_updates: {
    group: "phone",
    name: both("בלי עדכון מערכת אוטומטי", "No automatic system update"),
    wrong: both("הטלפון יפעיל את עצמו מחדש כדי להתעדכן", "it restarts by itself for a system update"),
    path: {
      ...DEVELOPER_PATH,
      samsung: [SETTINGS, both("עדכון תוכנה", "Software update")],
      xiaomi: [
        SETTINGS,
        both("מידע על הטלפון", "About phone"),
        both("עדכון מערכת", "System update"),
        both("⋮", "⋮"),
      ],
    },
    choose: {
      ...both("לכבות ׳עדכוני מערכת אוטומטיים׳", "switch off 'Automatic system updates'"),
      samsung: both("לכבות ׳הורדה אוטומטית ב־Wi-Fi׳", "switch off 'Auto download over Wi-Fi'"),
      xiaomi: both("לכבות הורדה אוטומטית ועדכון בלילה", "switch off automatic download and updates at night"),
    },
    seen: "some",
  },
  clock: {
    group: "phone",
    name: both("תאריך ושעה אוטומטיים", "Automatic date and time"),
    wrong: both("השעון של הטלפון לא נכון או לא אוטומטי", "its clock is wrong or not automatic"),
    path: {
      any: [SETTINGS, both("מערכת", "System"), both("תאריך ושעה", "Date & time")],
      samsung: [SETTINGS, both("ניהול כללי", "General management"), both("תאריך ושעה", "Date and time")],
      xiaomi: [SETTINGS, both("הגדרות נוספות", "Additional settings"), both("תאריך ושעה", "Date & time")],
    },
    choose: both("להפעיל ׳הגדרת השעה באופן אוטומטי׳", "switch on 'Set time automatically'"),
    seen: "command",
  },
  language: {
    group: "phone",
    name: both("עברית, אנגלית, ערבית או רוסית", "Hebrew, English, Arabic or Russian"),
    wrong: both(
      "שפת הטלפון אינה עברית, אנגלית, ערבית או רוסית",
      "its language is none of Hebrew, English, Arabic and Russian",
    ),
    path: {
      any: [SETTINGS, both("מערכת", "System"), both("שפות", "Languages")],
      samsung: [SETTINGS, both("ניהול כללי", "General management"), both("שפה", "Language")],
      xiaomi: [
        SETTINGS,
        both("הגדרות נוספות", "Additional settings"),
        both("שפות וקלט", "Languages & input"),
      ],
    },
    choose: both(
      "אחת מהן ראשונה ברשימה; עברית ואנגלית נבדקו יותר",
      "one of them first in the list; Hebrew and English were tried most",
    ),
    seen: "command",
  },
  memory: {
    group: "phone",
    name: both("זיכרון פנוי", "Free memory"),
    wrong: both(
      "כמעט אין זיכרון פנוי, והאפליקציה תיסגר באמצע",
      "almost no free memory: the app will be closed at work",
    ),
    choose: both(
      "להסיר אפליקציות שלא צריך, ולהפעיל את הטלפון מחדש",
      "Remove apps that are not needed, and restart the phone",
    ),
    seen: "command",
  },
} as const satisfies Record<string, DeskPointWords>;

export type DeskPoint = keyof typeof POINTS;
export const DESK_POINTS: Readonly<Record<DeskPoint, DeskPointWords>> = POINTS;
export const DESK_POINT_IDS = Object.keys(POINTS) as DeskPoint[];

/** Returns the points of a maker's phones, in the order of the page; null = another maker. */
export function pointsOf(maker: Maker | null): DeskPoint[] {
  return DESK_POINT_IDS.filter((point) => {
    const { only } = DESK_POINTS[point];
    return only === undefined || only === maker;
  });
}

/** Returns the menus to open for a point on a maker's phone, and what to choose there. */
export function pressOf(point: DeskPoint, maker: Maker | null): { path: readonly InBoth[]; choose: InBoth } {
  const { path, choose } = DESK_POINTS[point];
  return {
    path: (maker === null ? undefined : path?.[maker]) ?? path?.any ?? [],
    choose: (maker === null ? undefined : choose[maker]) ?? choose,
  };
}

/** Returns what to press as one sentence. Menus are separated by an arrow in reading direction. */
export function pressSentence(point: DeskPoint, maker: Maker | null): InBoth {
  const { path, choose } = pressOf(point, maker);
  const of = (language: keyof InBoth, arrow: string) => {
    const menus = path.map((menu) => menu[language]).join(arrow);
    return menus === "" ? choose[language] : `${menus}: ${choose[language]}`;
  };
  return { he: of("he", " ← "), en: of("en", " > ") };
}

/** Path of the page on the server. */
export const DESK_PATH = "/desk";

/** Returns the search of the page's address for a maker and a language. */
export function deskSearch(maker: Maker | null, language: keyof InBoth): string {
  return `?lang=${language}${maker === null ? "" : `&maker=${maker}`}`;
}

export interface DeskStep {
  /** What to do. */
  press: InBoth;
  /** What the phone shows then. */
  shows: InBoth;
  /** A line to type on the computer. */
  command?: InBoth;
  /** Where a maker's phones differ. */
  makers?: Partial<Record<Maker, InBoth>>;
}

/** The first minutes with a phone, before doctor can see it. */
export const DESK_STEPS: readonly DeskStep[] = [
  {
    press: both(
      "לאפס את הטלפון אם היה בשימוש. להתקין WhatsApp, להיכנס לחשבון, ולסרב לגישה לאנשי הקשר",
      "Reset a used phone. Install WhatsApp, log in, and refuse it access to contacts",
    ),
    shows: both(
      "רשימת צ׳אטים ריקה. באפליקציית אנשי הקשר אין אף שם",
      "An empty list of chats. No name in the contacts app",
    ),
  },
  {
    press: both(
      "הגדרות ← מידע על הטלפון: להקיש 7 פעמים על ׳מספר Build׳",
      "Settings > About phone: tap 'Build number' 7 times",
    ),
    shows: both("׳מצב המפתח מופעל׳", "'You are now a developer!'"),
    makers: {
      samsung: both("המספר נמצא תחת ׳מידע על התוכנה׳", "the number is under 'Software information'"),
      xiaomi: both("להקיש על ׳גרסת MIUI׳ או ׳גרסת OS׳", "tap 'MIUI version' or 'OS version'"),
    },
  },
  {
    press: both(
      "באפשרויות למפתחים להפעיל ׳ניפוי באגים ב־USB׳",
      "In Developer options switch on 'USB debugging'",
    ),
    shows: both("המתג דולק", "The switch is on"),
    makers: {
      samsung: both(
        "אם המתג אפור: לכבות קודם Auto Blocker",
        "if the switch is grey: first switch Auto Blocker off",
      ),
      xiaomi: both(
        "להפעיל גם ׳ניפוי באגים ב־USB (הגדרות אבטחה)׳",
        "switch on 'USB debugging (Security settings)' too",
      ),
    },
  },
  {
    press: both(
      "לחבר בכבל נתונים למחשב או לרכזת עם ספק כוח, ולפתוח את המסך",
      "Plug it into the computer or a powered hub with a data cable, and open its screen",
    ),
    shows: both(
      "׳לאפשר ניפוי באגים ב־USB?׳. אם אין חלון: כבל אחר, או לנתק ולחבר",
      "'Allow USB debugging?'. No window: another cable, or replug it",
    ),
  },
  {
    press: both(
      "לסמן ׳לאפשר תמיד מהמחשב הזה׳ וללחוץ ׳אישור׳",
      "Tick 'Always allow from this computer' and press 'Allow'",
    ),
    shows: both("החלון נסגר. סימן הטעינה מופיע", "The window closes. The charging sign is there"),
  },
  {
    press: both("במחשב להריץ את הבדיקה", "On the computer run the check"),
    command: both("sudo shigur-agent doctor --lang he", "sudo shigur-agent doctor --lang en"),
    shows: both(
      "✗ ו־! לתיקון, ? לבדיקה בטלפון. מתקנים ומריצים שוב, עד שאין ✗ ואין !",
      "✗ and ! to correct, ? to look at on the phone. Correct and run it again, until no ✗ and no ! is left",
    ),
  },
];
