import type { InBoth } from "shared/desk_guide.ts";

interface DeskWords {
  title: string;
  heading: string;
  pitch: string;
  otherLanguage: string;
  print: string;
  maker: string;
  anyMaker: string;
  steps: string;
  press: string;
  shows: string;
  computerShows: string;
  points: string;
  /** Above the points of all makers. */
  noMaker: string;
  pointsHint: string;
  seenBy: { command: string; hand: string; some: string };
  notSeen: string;
}

/** The words of the page beside the phones, in each language. */
export const DESK: Record<keyof InBoth, DeskWords> = {
  he: {
    title: "הכנת טלפון · שיגור",
    heading: "ליד הטלפונים",
    pitch: "מה לחבר, מה הטלפון מראה ומה ללחוץ. לכל טלפון פעם אחת, מלמעלה למטה.",
    otherLanguage: "English",
    print: "הדפסה",
    maker: "יצרן הטלפון",
    anyMaker: "כל היצרנים",
    steps: "לחבר",
    press: "מה לעשות",
    shows: "הטלפון מראה:",
    computerShows: "המחשב מראה:",
    points: "לקבוע",
    noMaker: "שורה בלי שם של יצרן היא גם ל־Motorola ול־Google.",
    pointsHint:
      "לא מוצאים שורה? מקלידים את שמה בתיבת החיפוש של ההגדרות. במקום WhatsApp אפשר שיהיה WhatsApp Business.",
    seenBy: { command: "נבדק ב־doctor", hand: "לבדוק בעין", some: "נבדק בחלק מהטלפונים" },
    notSeen:
      "שמות התפריטים לקוחים ממדריכי היצרנים וממקורות ציבוריים, Android 8 עד 16. הם עוד לא נראו כאן בטלפון אמיתי, ולכן ייתכן שבטלפון כתוב אחרת.",
  },
  en: {
    title: "Preparing a phone · Shigur",
    heading: "Beside the phones",
    pitch: "What to plug in, what the phone shows, what to press. Once for each phone, from the top down.",
    otherLanguage: "עברית",
    print: "Print",
    maker: "Maker of the phone",
    anyMaker: "All makers",
    steps: "Plug in",
    press: "What to do",
    shows: "The phone shows:",
    computerShows: "The computer shows:",
    points: "Set",
    noMaker: "A line without a maker's name is for Motorola and Google too.",
    pointsHint:
      "A line is not there? Type its name into the search box of Settings. WhatsApp Business may stand for WhatsApp.",
    seenBy: { command: "checked by doctor", hand: "look yourself", some: "checked on some phones" },
    notSeen:
      "Names of menus are from makers' manuals and public reports, Android 8 to 16. Nobody has seen them here on a real phone, so a phone may say it differently.",
  },
};
