/** The sentences of a rehearsal, in Hebrew and in English, for the person beside the phones. */
import type { Refusal, Report, Sight, Step, StepName } from "./rehearsal.ts";

export interface Words {
  he: string;
  en: string;
}

const words = (he: string, en: string): Words => ({ he, en });

/** What each step looks for. */
export const LOOKED_FOR: Record<StepName, Words> = {
  phone: words("הטלפון עונה, ער ומוכן", "the phone answers, is awake and ready"),
  account: words(
    "יש בו אפליקציית הודעות, במשתמש שעל המסך",
    "it has a messaging app, in the user on its screen",
  ),
  confirm: words(
    "מי שליד הטלפון מקליד את הקוד שעל המסך",
    "a person at the phone types the code on its screen",
  ),
  fence: words("שום פקודה קודמת לא נוגעת בטלפון", "no earlier command touches the phone"),
  chat: words(
    "צ'אט עם המספר הזה, ובכותרת המספר עצמו",
    "the chat with this number, and the number in its title",
  ),
  draft: words(
    "הטיוטה בדיוק כמו שנכתבה, ולידה כפתור שליחה",
    "the draft exactly as written, and the send button",
  ),
  again: words("אותו מסך גם בקריאה שלפני ההקשה", "the same screen in the reading just before the tap"),
  guard: words(
    "הטלפון עצמו מסרב להקשה מאוחרת, או אחרי הפעלה מחדש",
    "the phone itself refuses a tap that is late, or after a restart",
  ),
  clear: words("הטיוטה נמחקה, והצ'אט נפתח בלעדיה", "the draft is deleted, and the chat opens without it"),
  picture: words(
    "מסך תמונה עם הכיתוב וכפתור שליחה",
    "the picture's screen, with its caption and the send button",
  ),
  picture_again: words("אותה תמונה גם בקריאה נוספת", "the same picture in another reading"),
  leave_picture: words(
    "התמונה לא נשלחה, ואין טיוטה בצ'אט",
    "the picture was not sent, and the chat has no draft",
  ),
  intent: words("הכוונה כתובה בדיסק לפני ההקשה", "the intent is on disk before the tap"),
  tap: words("הקשה אחת על שליחה", "one tap on send"),
  proof: words("שורה חדשה בצ'אט עם הנוסח", "a new row in the chat with the text"),
  look_back: words("אותה שורה גם בפתיחה חדשה של הצ'אט", "the same row when the chat is opened once more"),
  clear_message: words(
    "ההודעה שלא נשלחה לא נשארה כטיוטה",
    "the message that was not sent is no longer a draft",
  ),
  home: words("הטלפון חזר למסך הבית", "the phone is back at its home screen"),
};

export const SEEN: Record<Sight, Words> = {
  nothing: words("לא נבדק", "not looked at"),
  phone_ready: words("הטלפון מוכן", "the phone is ready"),
  phone_unwell: words("הטלפון לא מוכן", "the phone is not ready"),
  phone_lost: words("הטלפון לא ענה, או סירב לפקודה", "the phone did not answer, or refused a command"),
  phone_busy: words("פקודה קודמת עדיין רצה בטלפון", "an earlier command still runs on the phone"),
  account_found: words("נמצא חשבון", "an account"),
  account_missing: words("לא נמצא החשבון", "no such account"),
  account_banned: words("האפליקציה אומרת שהחשבון נחסם", "the app says that the account is banned"),
  account_restricted: words("האפליקציה הגבילה את החשבון", "the app restricted the account"),
  account_logged_out: words("החשבון לא מחובר באפליקציה", "the account is logged out"),
  code_right: words("הקוד נכון", "the right code"),
  code_wrong: words("הקוד שגוי שלוש פעמים", "a wrong code three times"),
  code_missing: words("לא הוקלד קוד", "no code was typed"),
  page_not_shown: words(
    "הטלפון לא הראה את הקוד: יש לפתוח את הנעילה",
    "the phone did not show the code: unlock it",
  ),
  fence_taken: words("הטלפון פנוי", "the phone is free"),
  chat_with_number: words("הצ'אט נפתח, עם המספר בכותרת", "the chat, with the number in its title"),
  chat_titled_by_name: words(
    "בכותרת שם ולא מספר: המספר שמור באנשי הקשר",
    "a name in the title instead of the number: it is a saved contact",
  ),
  chat_not_opened: words("הצ'אט לא נפתח, או שהמסך לא מוכר", "no chat, or an unknown screen"),
  number_not_on_app: words("האפליקציה אומרת שהמספר לא נמצא בה", "the app says that the number is not on it"),
  phone_screen_blocked: words("חלון או נעילה מסתירים את המסך", "a dialog or a lock is in the way"),
  unknown_screen: words("מסך של האפליקציה שאף קובץ לא מכיר", "a screen of the app that no file knows"),
  draft_exact: words("הטיוטה מדויקת, ויש כפתור שליחה", "the exact draft, and the send button"),
  draft_mismatch: words("הטיוטה שונה ממה שנכתב", "another draft than the written one"),
  screen_unchanged: words("המסך לא השתנה", "the same screen"),
  guard_holds: words("הטלפון שומר על המועד", "the phone keeps the deadline"),
  guard_open: words("הטלפון לא שומר על המועד", "the phone does not keep the deadline"),
  draft_gone: words("אין טיוטה", "no draft"),
  draft_left: words(
    "לא הוכח שהטיוטה נמחקה: יש להסתכל בטלפון",
    "nothing proves that the draft is gone: look at the phone",
  ),
  no_draft_written: words("לא נכתבה טיוטה", "no draft was written"),
  picture_ready: words(
    "התמונה עם הכיתוב, ויש כפתור שליחה",
    "the picture with its caption, and the send button",
  ),
  picture_left: words("התמונה לא נשלחה", "the picture was not sent"),
  caption_not_shown: words("התמונה נפתחה בלי הכיתוב", "the picture without its caption"),
  image_unavailable: words("הטלפון לא שמר את התמונה", "the phone did not keep the picture"),
  intent_written: words("הכוונה כתובה", "the intent is written"),
  taken_back: words("לא הוקש, ושום דבר לא נשלח", "no tap, and nothing was sent"),
  tap_made: words("הוקש פעם אחת", "one tap"),
  tap_too_late: words("ההקשה איחרה, והטלפון סירב לה", "the tap was late, and the phone refused it"),
  row_seen: words("ההודעה נראית בצ'אט", "the message is in the chat"),
  row_not_seen: words("ההודעה לא נשלחה", "the message was not sent"),
  row_seen_again: words("ההודעה נראית גם בפתיחה חדשה", "the message is there again"),
  result_unknown: words(
    "לא ידוע אם נשלחה. ההקשה לא תחזור: יש להסתכל בטלפון",
    "not known whether it was sent. The tap is not repeated: look at the phone",
  ),
  too_many_messages: words(
    "מהטלפון הזה כבר נשלחו היום שלוש הודעות ניסיון",
    "this phone has sent its three test messages of a day",
  ),
  launcher_in_front: words("מסך הבית", "the home screen"),
  launcher_not_in_front: words("האפליקציה עדיין מוצגת", "the app is still in front"),
};

export const VERDICT_WORDS: Record<Step["verdict"], Words> = {
  ok: words("תקין", "ok"),
  failed: words("נכשל", "failed"),
  not_seen: words("לא נראה", "not seen"),
  not_done: words("לא בוצע", "not done"),
};

export const RESULT_WORDS: Record<Report["result"], Words> = {
  passed: words(
    "הטלפון עבר את החזרה: כל השלבים עד ההקשה נראו.",
    "The phone passed: every step up to the tap was seen.",
  ),
  partly: words(
    "החזרה לא הושלמה. המספר לא שייך לאיש ולכן הצ'אט שלו לא נפתח, והשלבים שבתוכו לא נראו. כדי לראות אותם: --to עם מספר שלכם.",
    "Not complete. The number belongs to nobody, so its chat does not open and the steps inside it were not seen. To see them: --to with a number of your own.",
  ),
  failed: words(
    "החזרה נכשלה. השלב הראשון שנכשל אומר מה לתקן.",
    "The rehearsal failed. Its first failed step says what to mend.",
  ),
  unconfirmed: words(
    "אף אחד לא אישר את המספר בטלפון. שום דבר לא נפתח ולא נשלח.",
    "Nobody confirmed the number at the phone. Nothing was opened or sent.",
  ),
};

export const MESSAGE_WORDS: Record<NonNullable<Report["message"]>, Words> = {
  sent: words("ההודעה נשלחה ונראית בצ'אט.", "The message was sent, and is visible in the chat."),
  not_sent: words("ההודעה לא נשלחה.", "The message was not sent."),
  unknown: words(
    "לא ידוע אם ההודעה נשלחה. ההקשה לא תחזור: יש להסתכל בטלפון.",
    "It is not known whether the message was sent. The tap is not repeated: look at the phone.",
  ),
  left_to_agent: words(
    "הטלפון לא ענה אחרי ההקשה. תוכנת האתר תבדוק, וההקשה לא תחזור.",
    "The phone did not answer after the tap. The agent checks it; the tap is not repeated.",
  ),
};

export const REFUSAL_WORDS: Record<Refusal, Words> = {
  no_such_phone: words(
    "אין טלפון כזה, או שהוא לא עונה",
    'there is no such phone, or it does not answer; see "devices" and "doctor"',
  ),
  phone_stopped: words("מנהל המערכת עצר את הטלפון", "an administrator stopped the phone"),
  tap_in_doubt: words(
    "להקשה קודמת עוד אין תוצאה, ותוכנת האתר בודקת אותה",
    "an earlier tap has no outcome yet; the agent checks it",
  ),
  busy: words("יש חזרה אחרת בטלפון הזה", "another rehearsal has this phone"),
  too_many: words(
    "כבר פועלות באתר ארבע חזרות. לנסות שוב כשאחת מהן תסתיים",
    "the agent serves four rehearsals at once, and has four: try again when one has ended",
  ),
  bad_order: words("תוכנת האתר לא הבינה את הבקשה", "the agent did not understand the request"),
  ending: words("תוכנת האתר נעצרת", "the agent is ending"),
  not_done: words("החזרה לא בוצעה; הסיבה ביומן של תוכנת האתר", "it was not done; the agent's log says why"),
};

/** Returns the words of a step: what was looked for, what was seen, and the verdict. */
export function wordsOf({ name, seen, verdict, detail }: Step) {
  const more = detail === null ? "" : ` (${detail})`;
  return {
    lookedFor: LOOKED_FOR[name],
    saw: words(`${SEEN[seen].he}${more}`, `${SEEN[seen].en}${more}`),
    verdict: VERDICT_WORDS[verdict],
  };
}
