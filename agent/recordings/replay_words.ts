/** The sentences of `recording replay`, in Hebrew and English. */
import type { AppScreen } from "../phone/app_screen.ts";
import type { Asked, Recording, Verdict } from "./recording.ts";
import type { ReplayedStep } from "./replay.ts";

interface Sentence {
  he: string;
  en: string;
}
type Language = keyof Sentence;

const ASKED_WORDS: Record<Asked, Sentence> = {
  fence: { he: "לקיחת הטלפון", en: "take the phone" },
  open_chat: { he: "פתיחת השיחה", en: "open the chat" },
  open_picture: { he: "פתיחת התמונה", en: "open the picture" },
  read: { he: "קריאת המסך", en: "read the screen" },
  wake: { he: "הערת המסך", en: "light the screen" },
  home: { he: "מעבר למסך הבית", en: "go to the home screen" },
  back: { he: "מקש חזרה", en: "back key" },
  press: { he: "לחיצה על כפתור של חלון", en: "press a dialog's button" },
  tap: { he: "לחיצת שליחה (לא נשלחה)", en: "tap send (goes nowhere)" },
  clear_draft: { he: "מחיקת הטיוטה", en: "delete the draft" },
  stop_app: { he: "סגירת האפליקציה", en: "end the app" },
  uptime: { he: "קריאת שעון הטלפון", en: "read the phone's clock" },
  date: { he: "קריאת הדקה", en: "read the minute" },
  place_image: { he: "העברת התמונה", en: "place the image" },
  other: { he: "פקודה אחרת", en: "another command" },
};

const STANDING_WORDS: Record<Recording["standing"], Sentence> = {
  recorded: { he: "הוקלט בטלפון", en: "recorded on a phone" },
  documented: {
    he: "נבנה לפי תיעוד, לא נראה אצלנו בטלפון",
    en: "rebuilt from documented facts, not seen on a phone of ours",
  },
  unseen: { he: "איש עוד לא ראה מסך כזה", en: "nobody is known to have seen it" },
};

const VERDICT_WORDS: Record<Exclude<Verdict["kind"], "lost" | "not_ready">, Sentence> = {
  ready: { he: "מוכן לשליחה", en: "ready to send" },
  sent: { he: "נשלחה והוכחה", en: "sent and proven" },
  doubt: { he: "לא ברור אם נשלחה", en: "not known whether it was sent" },
  not_on_app: { he: "המספר לא באפליקציה", en: "the number is not on the app" },
  unknown_screen: { he: "מסך שאף קובץ לא מכיר", en: "a screen that no file knows" },
  lost_phone: { he: "הטלפון לא ענה", en: "the phone did not answer" },
};

/** Returns one line for a step: what was done, and what the flows saw. */
export function stepLine(step: ReplayedStep, at: number, language: Language): string {
  const tapped = step.tapped ? ` (${step.tapped.x}, ${step.tapped.y})` : "";
  const readsScreen = step.asked === "open_chat" || step.asked === "open_picture" || step.asked === "read";
  const saw = readsScreen ? `: ${screenWords(step.saw)[language]}` : "";
  return `${at + 1}. ${ASKED_WORDS[step.asked][language]}${tapped}${saw}`;
}

/** Returns what the flows take a screen for. */
export function screenWords(screen: AppScreen | null): Sentence {
  if (screen === null) return { he: "אין צילום של המסך", en: "no dump of the screen" };
  switch (screen.kind) {
    case "chat": {
      const number = screen.number === "" ? null : `+${screen.number}`;
      const draft = screen.draft.length;
      const rows = screen.outgoing.length;
      return {
        he: `שיחה עם ${number ?? "שם ולא מספר"}, טיוטה של ${draft} תווים, ${
          screen.send ? "יש כפתור שליחה" : "אין כפתור שליחה"
        }, ${rows} הודעות יוצאות`,
        en: `a chat with ${number ?? "a name, not a number"}, a draft of ${draft} characters, ${
          screen.send ? "a send button" : "no send button"
        }, ${rows} outgoing rows`,
      };
    }
    case "picture":
      return {
        he: `תמונה, כיתוב של ${screen.caption.length} תווים, ${
          screen.send ? "יש כפתור שליחה" : "אין כפתור שליחה"
        }`,
        en: `a picture, a caption of ${screen.caption.length} characters, ${
          screen.send ? "a send button" : "no send button"
        }`,
      };
    case "dialog":
      return screen.meaning === null
        ? { he: `חלון לא מוכר: "${screen.text}"`, en: `an unknown dialog: "${screen.text}"` }
        : {
          he: `חלון (${screen.meaning}): "${screen.text}"`,
          en: `a dialog (${screen.meaning}): "${screen.text}"`,
        };
    case "locked":
      return { he: "מסך נעול", en: "a locked screen" };
    case "other":
      return { he: "מסך לא מוכר", en: "an unknown screen" };
  }
}

/** Returns how a replay ended. */
export function verdictWords(verdict: Verdict): Sentence {
  if (verdict.kind === "lost") {
    return {
      he: `החשבון לא יכול לשלוח (${verdict.state})`,
      en: `the account cannot send (${verdict.state})`,
    };
  }
  if (verdict.kind === "not_ready") {
    return { he: `לא נשלחה (${verdict.reason})`, en: `not sent (${verdict.reason})` };
  }
  return VERDICT_WORDS[verdict.kind];
}

/** Returns how a recording came to be. */
export function standingWords(standing: Recording["standing"]): Sentence {
  return STANDING_WORDS[standing];
}
