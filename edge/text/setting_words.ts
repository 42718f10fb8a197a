/** The settings and their values in Hebrew. */
import type { Settings } from "shared/settings.ts";

export const LABELS: Record<keyof Settings, string> = {
  maxMessagesPerDay: "תקרה יומית למכשיר",
  rateLimit: "מרווח בין הודעות",
  warmupEnabled: "חימום חשבונות חדשים",
  autoFailover: "מעבר אוטומטי לחשבון משני",
  stickySender: "אותו שולח לכל נמען",
  enableNotifications: "התראות",
  hourlyPercent: "חלק היום שמותר בשעה",
  unconfirmedPerDay: "תקרה יומית לחשבונות שלא אושרו",
  sendingHoursEnforced: "שעות שליחה לדיוור שיווקי",
  serviceHoursEnforced: "שעות שליחה להודעות שירות",
  sendingOpensAt: "תחילת השליחה",
  sendingClosesAt: "סוף השליחה",
  fridayClosesAt: "סוף השליחה בימי שישי וערבי חג",
  frequencyCapDays: "ימים בין הודעות שיווקיות לנמען",
  breakerFailedPercent: "סף עצירה: כישלונות",
  breakerUnknownPercent: "סף עצירה: מצב לא ידוע",
  breakerOptOutPercent: "סף עצירה: בקשות הסרה",
  retentionDays: "ימי שמירה של מספרים",
  contactsKeptDays: "ימי שמירה של אנשי קשר ברשימות",
  maxContactsPerClient: "תקרת אנשי קשר ללקוח",
  approvalFrom: "שליחה באישור מנהל מעל נמענים ביום",
  adminsNeedSecondFactor: "חובת אימות דו־שלבי למנהלים",
};

/** Returns a setting's value as it appears in a sentence: "פעיל", "כבוי", "5,000,000". */
export function valueText(value: unknown): string {
  if (typeof value === "boolean") return value ? "פעיל" : "כבוי";
  return typeof value === "number" ? value.toLocaleString("en-US") : String(value);
}
