/** States and reasons of a delivery in Hebrew, for the screens and for the exported file. */
import type { DeliveryReason, DeliveryState } from "./delivery.ts";

/** One recipient's state. */
export const DELIVERY_STATE_LABELS: Record<DeliveryState, string> = {
  queued: "בתור",
  leased: "במכשיר",
  sent: "נשלח",
  failed: "נכשל",
  unknown: "לא ידוע",
  skipped: "דולג",
  cancelled: "בוטל",
};

/** Why a delivery rests where it does, as its sender reads it. */
export const DELIVERY_REASON_TEXT: Record<DeliveryReason, string> = {
  not_on_app: "אין חשבון במספר הזה",
  chat_not_opened: "השיחה לא נפתחה במכשיר",
  draft_mismatch: "הנוסח שעל המסך לא היה זהה לנוסח הקמפיין",
  caption_not_shown: "הטקסט לא הופיע לצד התמונה",
  image_unavailable: "התמונה לא הגיעה למכשיר",
  device_offline: "המכשיר התנתק",
  account_banned: "החשבון השולח נחסם",
  account_restricted: "החשבון השולח הוגבל",
  account_logged_out: "החשבון השולח נותק במכשיר",
  account_unavailable: "החשבון השולח לא היה זמין",
  phone_screen_blocked: "מסך המכשיר היה חסום",
  tap_too_late: "חלף הזמן שהוקצב לשליחה",
  send_not_verified: "החיבור נותק ברגע השליחה",
  agent_restarted: "תוכנת האתר הופעלה מחדש ברגע השליחה",
  no_go: "לא התקבל אישור לשליחה, וההודעה לא יצאה",
  recalled: "ההודעה נקראה בחזרה לפני שיצאה",
  validity_over: "חלף הזמן שהוקצב להודעה",
  draining: "האתר נעצר לפני שההודעה יצאה",
  retries_exhausted: "כל הניסיונות נכשלו",
  site_silent: "האתר לא דיווח במשך 24 שעות",
  site_revoked: "האתר נותק לצמיתות",
  site_away_at_end: "האתר לא חזר עד סיום הקמפיין",
  journal_lost: "רישומי האתר אבדו",
  journal_doubted: "רישומי האתר לא ודאיים",
  earlier_attempt_open: "ניסיון קודם עדיין לא הוכרע",
  opted_out: "ביקשו הסרה",
  frequency_cap: "קיבלו הודעה בימים האחרונים",
  cancelled_by_client: "בוטל לפני השליחה",
  cancelled_by_admin: "בוטל על ידי מנהל המערכת לפני השליחה",
  queues_cleared: "בוטל באיפוס התורים",
  resolved_by_person: "הוכרע בידי אדם",
};
