import { oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

export const ACCOUNT = {
  title: "החשבון שלי · שיגור",
  heading: "החשבון שלי",
  username: "שם משתמש",
  role: "תפקיד",
  roles: { client: "לקוח", admin: "מנהל" },
  quota: "הודעות זמינות",
  toCampaigns: "חזרה לקמפיינים",
  toAdmin: "חזרה לדשבורד הניהול",

  firstPasswordLead: "נדרשת סיסמה חדשה.",
  firstPassword: "הסיסמה הראשונה טובה רק לבחירת סיסמה אחרת: אחרי ההחלפה כאן, שאר המסכים ייפתחו.",

  passwordHeading: "החלפת סיסמה",
  passwordEffect: "אחרי ההחלפה, כל החיבורים האחרים לחשבון ינותקו.",
  current: "הסיסמה הנוכחית",
  next: "סיסמה חדשה",
  nextHint: "לפחות 8 תווים.",
  repeat: "הסיסמה החדשה, שוב",
  missingCurrent: "נא להזין את הסיסמה הנוכחית",
  short: "הסיסמה החדשה קצרה מדי: נא להזין לפחות 8 תווים",
  different: "שתי הסיסמאות אינן זהות",
  same: "הסיסמה החדשה זהה לנוכחית",
  change: "החלפת הסיסמה",
  changing: "מחליף...",
  changedTitle: "הסיסמה הוחלפה",
  changed: "החיבורים האחרים לחשבון נותקו.",
  changeFailedTitle: "הסיסמה לא הוחלפה",
  changeFailed: "השרת לא אישר את ההחלפה. הסיסמה הקודמת נשארה.",

  sessionsHeading: "חיבורים פתוחים",
  sessionsHint: "המכשירים שמחוברים עכשיו לחשבון. חיבור שלא זיהיתם כדאי לנתק, ואז להחליף סיסמה.",
  thisSession: "החיבור הזה",
  since: (moment: string) => `נפתח ${moment}`,
  seen: (age: string) => `פעיל ${age}`,
  onlyThis: "אין חיבורים אחרים.",
  loading: "טוען חיבורים...",
  failed: "החיבורים לא נטענו",
  endOthers: "ניתוק החיבורים האחרים",
  endTitle: "לנתק את החיבורים האחרים?",
  endEffect: (count: number) =>
    `${
      count === 1 ? "חיבור אחד" : count === 2 ? "שני חיבורים" : `${formatNumber(count)} חיבורים`
    } לחשבון שלכם ${oneOrMany(count, "ינותק", "ינותקו")}. החיבור הזה יישאר, וקמפיינים בעבודה ימשיכו.`,
  endConfirm: "ניתוק",
  ending: "מנתק...",
  endedTitle: "החיבורים האחרים נותקו",

  unknownBrowser: "דפדפן לא מזוהה",
  browserOn: (browser: string, system: string) => `${browser} ב־${system}`,
};
