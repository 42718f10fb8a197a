/** Hebrew words for a delivery's states and reasons, used by the screens and the exported file. */
import {
  type DeliveryReason,
  type DeliveryState,
  type DeliveryStepName,
  MOVED_BY,
  type MovedBy,
} from "./delivery.ts";
import { siteCalled, stationCalled } from "./site_name.ts";

/** The state of one recipient's delivery. */
export const DELIVERY_STATE_LABELS: Record<DeliveryState, string> = {
  queued: "בתור",
  leased: "במכשיר",
  sent: "נשלח",
  failed: "נכשל",
  unknown: "לא ידוע",
  skipped: "דולג",
  cancelled: "בוטל",
};

/** The reason for a delivery's present state, worded for its sender. */
export const DELIVERY_REASON_TEXT: Record<DeliveryReason, string> = {
  not_on_app: "אין חשבון במספר הזה",
  chat_not_opened: "השיחה לא נפתחה במכשיר",
  chat_titled_by_name: "המספר שמור באנשי הקשר של המכשיר, ואי אפשר לוודא שהשיחה שלו",
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
  offer_expired: "האתר לא אישר בזמן שקיבל את ההודעה, והיא חזרה לתור",
  offer_not_confirmed: "הקשר עם האתר נותק לפני שאישר שקיבל את ההודעה, והיא חזרה לתור",
  campaign_paused: "הקמפיין הושהה לפני שההודעה יצאה",
  site_silent: "האתר לא דיווח במשך 24 שעות",
  site_revoked: "האתר נותק לצמיתות",
  site_away_at_end: "האתר לא חזר עד סיום הקמפיין",
  journal_lost: "רישומי האתר אבדו",
  journal_doubted: "רישומי האתר לא ודאיים",
  earlier_attempt_open: "ניסיון קודם עדיין לא הוכרע",
  impossible_report: "דיווח האתר לא ייתכן",
  opted_out: "ביקשו הסרה",
  frequency_cap: "קיבלו הודעה בימים האחרונים",
  reached_meanwhile: "ההודעה הגיעה אליהם בינתיים בקמפיין אחר",
  value_missing: "חסר להם ערך שההודעה צריכה",
  cancelled_by_client: "בוטל לפני השליחה",
  cancelled_by_admin: "בוטל על ידי מנהל המערכת לפני השליחה",
  queues_cleared: "בוטל באיפוס התורים",
  resolved_by_person: "הוכרע בידי אדם",
};

/** Where a client's words differ: a client knows a site as 'עמדת שליחה'. */
const CLIENT_REASONS: Partial<Record<DeliveryReason, string>> = {
  agent_restarted: "תוכנת עמדת השליחה הופעלה מחדש ברגע השליחה",
  draining: "עמדת השליחה נעצרה לפני שההודעה יצאה",
  offer_expired: "עמדת השליחה לא אישרה בזמן שקיבלה את ההודעה, והיא חזרה לתור",
  offer_not_confirmed: "הקשר עם עמדת השליחה נותק לפני שאישרה שקיבלה את ההודעה, והיא חזרה לתור",
  site_silent: "עמדת השליחה לא דיווחה במשך 24 שעות",
  site_revoked: "עמדת השליחה נותקה לצמיתות",
  site_away_at_end: "עמדת השליחה לא חזרה עד סיום הקמפיין",
  journal_lost: "רישומי עמדת השליחה אבדו",
  journal_doubted: "רישומי עמדת השליחה לא ודאיים",
  impossible_report: "דיווח עמדת השליחה לא ייתכן",
};

/** The actor of a delivery's present state, worded for its sender. */
export const MOVED_BY_TEXT: Record<MovedBy, string> = {
  [MOVED_BY.edge]: "לפי כללי המערכת",
  [MOVED_BY.site]: "לפי דיווח האתר",
  [MOVED_BY.person]: "לפי החלטת בעל הקמפיין",
  [MOVED_BY.clockOrRevoked]: "האתר לא השיב עוד",
  [MOVED_BY.journalLost]: "האתר חזר בלי הרישום של ההודעה",
  [MOVED_BY.earlierDoubt]: "ניסיון קודם לאותו נמען עדיין פתוח",
  [MOVED_BY.journalDoubted]: "הרישומים באתר שוחזרו או הועתקו",
};

const CLIENT_MOVED_BY: Partial<Record<MovedBy, string>> = {
  [MOVED_BY.site]: "לפי דיווח עמדת השליחה",
  [MOVED_BY.clockOrRevoked]: "עמדת השליחה לא השיבה עוד",
  [MOVED_BY.journalLost]: "עמדת השליחה חזרה בלי הרישום של ההודעה",
  [MOVED_BY.journalDoubted]: "הרישומים בעמדת השליחה שוחזרו או הועתקו",
};

/** The steps of a delivery's history, one line each. */
export const DELIVERY_STEP_TEXT: Record<DeliveryStepName, string> = {
  queued: "ההודעה חזרה לתור",
  leased: "ההודעה הוצעה לאתר",
  acked: "האתר אישר שקיבל את ההודעה",
  void: "האתר ויתר על ההודעה לפני שיצאה",
  sent: "ההודעה נשלחה",
  failed: "ההודעה לא נשלחה",
  unknown: "לא ידוע אם ההודעה נשלחה",
  skipped: "הנמען דולג",
  cancelled: "ההודעה בוטלה",
};

const CLIENT_STEPS: Partial<Record<DeliveryStepName, string>> = {
  leased: "ההודעה הוצעה לעמדת שליחה",
  acked: "עמדת השליחה אישרה שקיבלה את ההודעה",
  void: "עמדת השליחה ויתרה על ההודעה לפני שיצאה",
};

/** The results of a site's report, other than plain acceptance. */
export const REPORT_RESULT_TEXT = {
  known: "הדיווח לא שינה דבר",
  stale: "הדיווח נשמר ולא התקבל, כי הניסיון כבר אינו של האתר",
} as const;

/** The reader of a sentence: a client has no word for sites, phones' serials and the like. */
export type Audience = "client" | "admin";

export interface DeliveryWords {
  reasons: Record<DeliveryReason, string>;
  movedBy: Record<MovedBy, string>;
  steps: Record<DeliveryStepName, string>;
  results: Record<keyof typeof REPORT_RESULT_TEXT, string>;
  /** Returns the name of the site in a sentence. */
  siteCalled: (name: string) => string;
}

/** The words about a delivery, for each reader. */
export const DELIVERY_WORDS: Record<Audience, DeliveryWords> = {
  admin: {
    reasons: DELIVERY_REASON_TEXT,
    movedBy: MOVED_BY_TEXT,
    steps: DELIVERY_STEP_TEXT,
    results: REPORT_RESULT_TEXT,
    siteCalled,
  },
  client: {
    reasons: { ...DELIVERY_REASON_TEXT, ...CLIENT_REASONS },
    movedBy: { ...MOVED_BY_TEXT, ...CLIENT_MOVED_BY },
    steps: { ...DELIVERY_STEP_TEXT, ...CLIENT_STEPS },
    results: {
      ...REPORT_RESULT_TEXT,
      stale: "הדיווח נשמר ולא התקבל, כי הניסיון כבר אינו של עמדת השליחה",
    },
    siteCalled: stationCalled,
  },
};

/**
 * Returns the word for a delivery's state. Before the send nothing waits in a queue, so a contact of a draft is
 * 'טרם נשלח'.
 */
export function stateLabel(state: DeliveryState, isUnsent: boolean): string {
  return isUnsent && state === "queued" ? NOT_SENT_YET : DELIVERY_STATE_LABELS[state];
}

const NOT_SENT_YET = "טרם נשלח";
