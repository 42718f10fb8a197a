import { countOf } from "../../text/count.ts";
import { formatTime } from "../../text/format.ts";

export const LOOKS = {
  openMany: (count: number) => count === 1 ? "לראות את המסך" : `לראות ${countOf(count, "screen")}`,
  screenOf: (device: string) => `המסך של ${device}`,
  takingFirst: "מצלם את המסך...",
  until: (at: number) => `אפשר לראות עד ${formatTime(at)}. הצפייה והסיבה נרשמו ביומן הביקורת.`,
  close: "סיום הצפייה",
  over: "הצפייה נגמרה אחרי חמש דקות. כדי להמשיך צריך לומר שוב למה.",
  overShort: "הצפייה נגמרה",
  black: "המסך כבוי או נעול, או שהאפליקציה לא מרשה לצלם אותו.",
  failed: "לא התקבלה תמונה של המסך. מנסים שוב.",
  offline: "אין חיבור לשרת. מנסים שוב.",
  elsewhere: "האתר מחובר דרך שרת אחר, ומכאן אי אפשר לראות את המסך. ממשיכים לנסות.",
  beginFailed: "אי אפשר לראות את המסך",
};

/** Words of the question before a look. */
export const LOOK_REASON = {
  title: "למה לראות את המסך?",
  effect:
    "במסך אפשר לראות הודעות של לקוחות ושל נמענים. מי צפה, באיזה מכשיר, מתי ומדוע נרשם ביומן הביקורת ואי אפשר למחוק אותו משם. הצפייה נמשכת חמש דקות, והתמונות לא נשמרות.",
  reason: "הסיבה",
  reasonHint: "למשל: המכשיר לא שולח כבר שעה. אין צורך לכתוב מספרי טלפון.",
  reasonShort: "נא לכתוב סיבה, במילים אחדות.",
  confirm: "לראות את המסך",
  pending: "פותח...",
};

export const SITE_SCREENS = {
  heading: "מסכי האתר",
  back: "לכל האתרים",
  of: (site: string, count: number) => `${site} · ${countOf(count, "device")}`,
  empty: "אין מכשירים באתר הזה.",
  emptyHint: "ייתכן שהאתר נותק לצמיתות, או שעוד לא חוברו אליו טלפונים.",
  loading: "טוען מכשירים...",
  failed: "המכשירים לא נטענו",
  group: "אילו מכשירים",
  groupOf: (from: number, to: number) => from === to ? `מכשיר ${from}` : `מכשירים ${from} עד ${to}`,
  region: "מסכי המכשירים",
  teaching: "רואים עד 12 מסכים זה לצד זה, לצפייה בלבד. התמונות לא נשמרות בשום מקום.",
};
