/**
 * The texts of the app's dialogs, in the languages of a site's phones. Ids have priority where they exist. Words decide
 * only the meaning of a dialog, which no id shows.
 */
export type DialogMeaning = "banned" | "logged_out" | "restricted" | "not_on_app" | "share_confirm";

/** Most serious first: a screen with two meanings is taken for the worse one. */
const MEANINGS: readonly { meaning: DialogMeaning; patterns: readonly RegExp[] }[] = [
  {
    meaning: "banned",
    patterns: [
      /not allowed to use whatsapp/i,
      /number (is|has been) banned/i,
      /account has been suspended/i,
      /account (is|has been) banned/i,
      /is banned from using whatsapp/i,
      /אינו מורשה להשתמש ב/,
      /(החשבון|המספר)( שלך)? (נחסם|חסום|הושעה)/,
    ],
  },
  {
    meaning: "logged_out",
    patterns: [
      /verify your phone number/i,
      /enter the 6-digit code/i,
      /you('ve| have) been logged out/i,
      /no longer registered/i,
      /אימות מספר הטלפון/,
      /(נא )?להזין את הקוד בן 6 הספרות/,
      /התנתקת|אינו רשום עוד/,
    ],
  },
  {
    meaning: "restricted",
    patterns: [
      /sending messages too (fast|quickly)/i,
      /temporarily (restricted|banned)/i,
      /account is restricted/i,
      /שולחים? הודעות מהר מדי/,
      /(הוגבל|מוגבל|נחסם) (באופן )?זמני/,
    ],
  },
  {
    meaning: "not_on_app",
    patterns: [
      /is(n't| not) on whatsapp/i,
      /phone number shared via (url|link) is invalid/i,
      /לא (נמצא|רשום|משתמש) ב-?\s?(whatsapp|ווטסאפ|וואטסאפ)/i,
      /מספר הטלפון ששותף .*אינו (תקין|חוקי)/,
    ],
  },
  { meaning: "share_confirm", patterns: [/^(share|send) to .*\?$/i, /^(לשתף|לשלוח) (עם|אל) .*\?$/] },
];

/** Returns the meaning of a dialog's words, or null when they are unknown. */
export function dialogMeaning(text: string): DialogMeaning | null {
  return MEANINGS.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))?.meaning ?? null;
}

/** Newer versions have the pages for the number and for the code in packages of their own. */
const REGISTRATION =
  /\.registration\.(app\.|EULA|(phonenumberentry\.)?RegisterPhone|(verifyphone\.)?VerifyPhoneNumber)/;

/**
 * Returns the meaning of an activity in front, in any language. The question for the default SMS app is a registration
 * activity.
 */
export function activityMeaning(activity: string): DialogMeaning | null {
  if (REGISTRATION.test(activity) || /\.loginfailure\./.test(activity)) return "logged_out";
  return /\.userban\./.test(activity) ? "banned" : null;
}

/** True when a window of Android itself covers the app: a permission, an app that hung or crashed. */
export function isSystemDialog(activity: string): boolean {
  return /^Application (Not Responding|Error): /.test(activity) ||
    /^com\.(google\.)?android\.(permissioncontroller|packageinstaller)\//.test(activity);
}

/** True when the words name a phone number other than `phone` ("+972…"). They may omit its country code. */
export function namesOtherNumber(text: string, phone: string): boolean {
  const named = /\d[\d\s()\-\u2010-\u2015]{5,}\d/.exec(text)?.[0].replace(/\D/g, "").replace(/^0/, "");
  return named !== undefined && !phone.endsWith(named);
}

/** The end of a long message's row, where the app cut it off. */
export const CUT_OFF = /(?<!\s)\s*(?:…|\.\.\.)\s*(?:(?:read more|קראו עוד|קרא עוד|לקריאה נוספת)\s*)?$/i;
