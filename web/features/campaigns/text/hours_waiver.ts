import { formatMoment } from "../../../text/format.ts";
import { isolated } from "../../../text/isolated.ts";

export const HOURS_WAIVER = {
  waive: "אישור שליחה מחוץ לשעות",
  title: "שליחה מחוץ לשעות השליחה",
  effect:
    "ההודעות של הקמפיין הזה בלבד יוכלו לצאת בכל שעה, גם בערב, בשבת ובחג, עד שהקמפיין יסתיים או שהחריגה תבוטל. הלקוח יראה שאושרה חריגה. מי אישר, מתי ומדוע נרשם ביומן הביקורת ואי אפשר למחוק את זה משם.",
  reason: "הסיבה",
  reasonHint: "למשל: הודעה דחופה על ביטול תור מחר בבוקר. אין צורך לכתוב מספרי טלפון.",
  reasonShort: "נא לכתוב סיבה, במילים אחדות.",
  confirm: "אישור החריגה",
  pending: "מאשר...",
  failedTitle: "החריגה לא אושרה",
  waived: (by: string, at: number, now: number) =>
    `שליחה מחוץ לשעות השליחה אושרה${by === "" ? "" : ` על ידי ${isolated(by)}`}, ${formatMoment(at, now)}.`,
  why: (reason: string, kept: boolean) =>
    `הסיבה: ${reason.replace(/[\s.]+$/, "")}.${kept ? "" : " כרגע הודעות שירות אינן מוגבלות לשעות השליחה."}`,
  restore: "ביטול החריגה",
  restoring: "מבטל...",
  restoredTitle: "החריגה בוטלה",
  restored: "מעכשיו ההודעות יוצאות רק בשעות השליחה. מה שכבר הועבר לטלפונים עשוי לצאת עוד עשר דקות לכל היותר.",
  restoreFailedTitle: "החריגה לא בוטלה",
};
