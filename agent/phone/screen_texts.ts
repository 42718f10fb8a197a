/**
 * What the app's dialogs say, in the languages phones of a site are set to. Ids come first wherever there are any;
 * words decide only what ids cannot: the meaning of a dialog.
 */
export type DialogMeaning = "banned" | "logged_out" | "restricted" | "not_on_app" | "share_confirm";

/** Most serious first: a screen that says two things is taken for the worse. */
const MEANINGS: readonly { meaning: DialogMeaning; says: readonly RegExp[] }[] = [
  {
    meaning: "banned",
    says: [
      /not allowed to use whatsapp/i,
      /number (is|has been) banned/i,
      /account has been suspended/i,
      /account (is|has been) banned/i,
      /אינו מורשה להשתמש ב/,
      /(החשבון|המספר)( שלך)? (נחסם|חסום|הושעה)/,
    ],
  },
  {
    meaning: "logged_out",
    says: [
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
    says: [
      /sending messages too (fast|quickly)/i,
      /temporarily (restricted|banned)/i,
      /account is restricted/i,
      /שולחים? הודעות מהר מדי/,
      /(הוגבל|מוגבל|נחסם) (באופן )?זמני/,
    ],
  },
  {
    meaning: "not_on_app",
    says: [
      /is(n't| not) on whatsapp/i,
      /phone number shared via (url|link) is invalid/i,
      /לא (נמצא|רשום|משתמש) ב-?\s?(whatsapp|ווטסאפ|וואטסאפ)/i,
      /מספר הטלפון ששותף .*אינו (תקין|חוקי)/,
    ],
  },
  { meaning: "share_confirm", says: [/^(share|send) to .*\?$/i, /^(לשתף|לשלוח) (עם|אל) .*\?$/] },
];

/** What a dialog's words mean, or null when they are none we know. */
export function dialogMeaning(text: string): DialogMeaning | null {
  return MEANINGS.find(({ says }) => says.some((pattern) => pattern.test(text)))?.meaning ?? null;
}

/** What an activity in front means, in any language; a question for the default SMS app is among the registrations. */
export function activityMeaning(activity: string): DialogMeaning | null {
  if (/\.registration\.(app\.|EULA|RegisterPhone|VerifyPhoneNumber)/.test(activity)) return "logged_out";
  return /\.userban\./.test(activity) ? "banned" : null;
}

/** True where Android itself is before the app, by the window in front: a permission, an app that hung or crashed. */
export function isSystemDialog(activity: string): boolean {
  return /^Application (Not Responding|Error): /.test(activity) ||
    /^com\.(google\.)?android\.(permissioncontroller|packageinstaller)\//.test(activity);
}

/** True when words name a phone number and it is not `phone` ("+972…"); they may leave its country out. */
export function namesOtherNumber(text: string, phone: string): boolean {
  const named = /\d[\d\s()\-\u2010-\u2015]{5,}\d/.exec(text)?.[0].replace(/\D/g, "").replace(/^0/, "");
  return named !== undefined && !phone.endsWith(named);
}

/** Ends of a long message's row, where the app cut it off. */
export const CUT_OFF = /(?<!\s)\s*(?:…|\.\.\.)\s*(?:(?:read more|קראו עוד|קרא עוד|לקריאה נוספת)\s*)?$/i;
