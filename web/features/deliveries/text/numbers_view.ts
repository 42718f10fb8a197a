import { formatTime } from "../../../text/format.ts";

export const NUMBERS_VIEW = {
  show: "הצגת מספרים",
  hide: "הסתרה",
  hiding: "מסתיר...",
  shownUntil: (at: number) => `המספרים גלויים לך עד ${formatTime(at)}.`,
  shownBody: "הצפייה והסיבה נרשמו ביומן הביקורת.",
  title: "הצגת המספרים המלאים",
  effect:
    "המספרים של הקמפיין הזה יוצגו לך בלבד, למשך רבע שעה. מי צפה, מתי ומדוע נרשם ביומן הביקורת ואי אפשר למחוק אותו משם.",
  reason: "הסיבה",
  reasonHint: "למשל: תלונה של נמען שקיבל הודעה כפולה. אין צורך לכתוב את המספר.",
  reasonShort: "נא לכתוב סיבה, במילים אחדות.",
  confirm: "הצגה",
  pending: "מציג...",
  failedTitle: "המספרים נשארו מוסתרים",
  hideFailedTitle: "המספרים עדיין גלויים",
};
