/** The page's words in both languages; code in them stands between backquotes. */
import type { CLIENT_SCOPES } from "shared/api_key.ts";
import { CALL_BOUND, KEY_BOUNDS } from "shared/call_limits.ts";
import type { CampaignStatus } from "shared/campaign.ts";
import type { DeliveryState } from "shared/delivery.ts";

export const PAGE_LANGUAGES = ["he", "en"] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];
type Scope = Exclude<(typeof CLIENT_SCOPES)[number], "webhooks">;

export interface Words {
  title: string;
  description: string;
  wordmark: string;
  home: string;
  other: { name: string; path: string };
  heading: string;
  lead: string;
  contents: string;
  steps: {
    heading: string;
    chooser: string;
    titles: readonly [string, string, string];
    texts: readonly string[];
  };
  after: string;
  keys: { heading: string; texts: readonly string[]; scope: string; opens: string };
  scopes: Record<Scope, string>;
  events: {
    heading: string;
    texts: readonly string[];
    campaign: string;
    message: string;
    state: string;
    means: string;
  };
  statuses: Record<CampaignStatus, string>;
  states: Record<DeliveryState, string>;
  repeats: { heading: string; texts: readonly string[] };
  errors: { heading: string; texts: readonly string[]; status: string; code: string; means: string };
  limits: { heading: string; texts: readonly string[] };
  reference: {
    heading: string;
    texts: readonly string[];
    scopes: string;
    anyKey: string;
    noKey: string;
    open: string;
    once: string;
    parameters: string;
    body: string;
    answer: string;
    refusals: string;
    required: string;
  };
}

const { key, client } = KEY_BOUNDS;

export const WORDS: Record<PageLanguage, Words> = {
  he: {
    title: "למפתחים · שיגור",
    description: "שליחת הודעות מתוך תוכנה: מפתח, טיוטה, שליחה. דוגמאות, שגיאות, הגבלות וכל הקריאות.",
    wordmark: "שיגור",
    home: "לדף הבית",
    other: { name: "English", path: "/developers/en" },
    heading: "ההודעה הראשונה, בשלושה צעדים",
    lead:
      "תוכנה שלכם מכינה קמפיין, מוסיפה מספרים ושולחת, באותן קריאות שהמסכים משתמשים בהן. כל הודעה יוצאת פעם אחת בלבד, גם כשתשובה אובדת בדרך.",
    contents: "בעמוד הזה",
    steps: {
      heading: "שלושה צעדים",
      chooser: "שפת הדוגמאות",
      titles: ["מפתח וכתובת", "טיוטה ומספר", "שליחה ומעקב"],
      texts: [
        "במסך 'מפתחות API' בעלי החשבון יוצרים מפתח עם ההרשאות `campaigns:read`, `campaigns:write`, `campaigns:send` ו־`contacts`. הוא מוצג פעם אחת. שמרו אותו, ואת כתובת המערכת, במשתני סביבה.",
        "טיוטה חדשה עם הטקסט, ואליה המספרים: אחד או אלפים, כל מספר בשורה משלו. `kind` הוא `service` להודעת שירות או `marketing` לפרסומת. לפרסומת נדרשים גם פרטי מפרסם והצהרת הסכמה (`consent`).",
        "השליחה מורידה מהמכסה הודעה לכל נמען, ומוסרת את הקמפיין לטלפונים. מכאן `status` ו־`counts` אומרים איפה הוא עומד.",
      ],
    },
    after:
      "הודעה אחת, כמו אישור או תזכורת, אינה צריכה קמפיין: `POST /api/messages` עם `to`, `text` ו־`kind` (הרשאה `messages:send`) מחזיר 202 ו־`id`, ו־`GET /api/messages/{id}` אומר מה עלה בגורלה. `sendAfter` ו־`expiresAt` קובעים ממתי ועד מתי, ו־`reference` הוא המזהה שלכם. לניסיון בלי שליחה: מפתח ניסיון (`shg_test_`) קורא, משנה טיוטות ומוסר הודעות שלא מגיעות לשום טלפון ולא יורדות מהמכסה (`mode` הוא `test`). המספר קובע את התוצאה: ‎+12025550111 נשלחה, ‎+12025550122 נכשלה, ‎+12025550133 לא ידועה, ‎+12025550144 אין חשבון; כל מספר אחר: נשלחה.",
    keys: {
      heading: "כניסה ומפתחות",
      texts: [
        "מפתח נשלח בכותרת `Authorization: Bearer shg_live_...`. אז העוגייה לא נקראת, ו־`Origin` לא נדרש. מפתח שגוי, שבוטל או שפג תוקפו מקבל 401 `key_invalid`.",
        "דפדפן נכנס אחרת: `POST /api/auth/login` מחזיר עוגייה, וכל קריאה שמשנה משהו נושאת גם `Origin` של המערכת עצמה.",
        "מפתח פועל בשם החשבון שלו, ורק במה שהוגדר לו. תוקף, כתובות מותרות והגבלה ליום נקבעים כשיוצרים אותו. ביטול נכנס לתוקף מיד. כל מפתח מתחיל ב־`shg_live_` או `shg_test_`, כך שאפשר למצוא בקוד מפתח שדלף.",
        "לעולם לא במפתח: סיסמאות, כניסות, קוד אימות, מפתחות ואנשים, מחיקות של מספר, חשיפת מספרים, ביטול של הסרה, והגדרות.",
      ],
      scope: "הרשאה",
      opens: "מה היא פותחת",
    },
    scopes: {
      "campaigns:read": "קמפיינים ומצבם, בלי מספרי הנמענים",
      "campaigns:write": "יצירה, שינוי ומחיקה של טיוטות",
      "campaigns:send": "שליחה, השהיה, המשך וביטול",
      contacts: "נמענים של טיוטות, קבצים ורשימות",
      "messages:send": "הודעות בודדות: מסירה, מצב וביטול",
      reports: "נמענים, תוצאות, הסכמות ותנועות מכסה",
      opt_outs: "רשימת ההסרה: קריאה והוספה",
    },
    events: {
      heading: "מה קורה לקמפיין ולהודעה",
      texts: [
        "קוראים את `GET /api/campaigns/{id}`, ואת הנמענים ב־`GET /api/campaigns/{id}/deliveries`. ברשימת הקמפיינים, `If-None-Match` עם ה־`ETag` האחרון מחזיר 304 כשלא זז דבר; אין טעם לשאול יותר מפעם בכמה שניות.",
        "הרשימות האלה פתוחות: מצב שהתוכנה לא מכירה הוא מצב שעדיין בדרך. `unknown` הוא סופי עד שאדם מחליט: ייתכן שההודעה יצאה, ולכן היא לא נשלחת שוב מעצמה.",
      ],
      campaign: "מצבי קמפיין",
      message: "מצבי הודעה",
      state: "מצב",
      means: "משמעות",
    },
    statuses: {
      draft: "טיוטה, עוד אין נמענים",
      ready: "מוכן לשליחה",
      processing: "נשלח, ומחכה לטלפון",
      active: "טלפונים שולחים",
      paused: "מושהה, בידי אדם או מעצמו; `notices` אומר למה",
      completed: "כל ההודעות הגיעו לסוף",
      completed_with_errors: "הסתיים, וחלק מההודעות נכשלו או לא ידועות",
      failed: "הסתיים, ושום הודעה לא יצאה",
      cancelled: "בוטל; מה שלא יצא הוחזר למכסה",
    },
    states: {
      queued: "בתור",
      leased: "אצל טלפון",
      sent: "נשלחה",
      failed: "נכשלה; הוחזרה למכסה",
      unknown: "לא ידוע אם יצאה",
      skipped: "דולגה, למשל מספר שביקש הסרה; הוחזרה למכסה",
      cancelled: "בוטלה; הוחזרה למכסה",
    },
    repeats: {
      heading: "פעם אחת, גם כשתשובה אובדת",
      texts: [
        "קריאה שיוצרת, שולחת, מוסיפה או טוענת מקבלת `Idempotency-Key`: כל מחרוזת שהתוכנה בוחרת לפעולה אחת, למשל מספר ההזמנה. אותה קריאה עם אותו מפתח, בתוך 24 שעות, לא עושה דבר שוב ומקבלת אותה תשובה, עם `Idempotency-Replayed: true`.",
        "אותו מפתח עם גוף אחר: 422 `call_key_reused`. הראשונה עדיין רצה: 409 `call_running`, ושואלים שוב. קריאה שנדחתה לא משאירה סימן, ואפשר לתקן ולשלוח אותה עם אותו מפתח.",
        "לכן, אחרי תקלת רשת או תשובה של 500 ומעלה: אותה קריאה שוב, עם אותו מפתח, בהמתנה שהולכת וגדלה.",
      ],
    },
    errors: {
      heading: "שגיאות",
      texts: [
        "תשובה של 400 ומעלה היא תמיד JSON: `error` הוא משפט בעברית לאדם, ו־`code` הוא לתוכנה. קוד שהתוכנה לא מכירה מטופל לפי הסטטוס.",
      ],
      status: "סטטוס",
      code: "קוד",
      means: "המשפט",
    },
    limits: {
      heading: "הגבלות",
      texts: [
        `למפתח ${
          key.burst.toLocaleString("en")
        } קריאות בבת אחת ואז ${key.perSecond} בשנייה; לכל מפתחות החשבון יחד ${
          client.burst.toLocaleString("en")
        } ו־${client.perSecond}. לאנשים במסכים יש מכסה משלהם (${CALL_BOUND.perSecond} בשנייה), כך שתוכנה לא עוצרת אותם.`,
        "כל תשובה למפתח נושאת `RateLimit-Limit`, `RateLimit-Remaining` ו־`RateLimit-Reset` (שניות). מעבר לזה: 429 `too_many_attempts`, ו־`Retry-After` אומר כמה שניות להמתין. מעבר להגבלה היומית של המפתח: 429 `key_day_over`.",
        "ההודעות עצמן יוצאות בקצב של הטלפונים ובשעות השליחה; הקריאות רק מוסרות אותן.",
      ],
    },
    reference: {
      heading: "כל הקריאות",
      texts: [
        "המסמך המלא, OpenAPI 3.1, נמצא ב־`/api/openapi.json`. הוא רק גדל: שדות ומצבים נוספים, ודבר לא נעלם.",
      ],
      scopes: "הרשאה למפתח:",
      anyKey: "כל מפתח",
      noKey: "לאנשים בלבד, לא במפתח",
      open: "בלי כניסה",
      once: "מקבלת `Idempotency-Key`",
      parameters: "פרמטרים",
      body: "גוף",
      answer: "תשובה",
      refusals: "סירובים",
      required: "חובה",
    },
  },
  en: {
    title: "Developers · Shigur",
    description:
      "Send messages from software: a key, a draft, a send. Samples, errors, limits and every call.",
    wordmark: "Shigur",
    home: "Home",
    other: { name: "עברית", path: "/developers" },
    heading: "The first message, in three steps",
    lead:
      "Your software prepares a campaign, adds numbers and sends it, by the calls that the screens use. Each message goes out once, even when an answer gets lost.",
    contents: "On this page",
    steps: {
      heading: "Three steps",
      chooser: "Language of the samples",
      titles: ["A key and an address", "A draft and a number", "Send and watch"],
      texts: [
        "On the screen 'מפתחות API' the account's owner makes a key with the scopes `campaigns:read`, `campaigns:write`, `campaigns:send` and `contacts`. It is shown once. Keep it, and the server's address, in the environment.",
        "A new draft with the text, and the numbers for it: one or thousands, each on a line of its own. `kind` is `service`, or `marketing` for an advertisement. That also needs the advertiser's details and a declaration of consent (`consent`).",
        "Sending takes one message per recipient from the quota and hands the campaign to the phones. From then on `status` and `counts` say where it stands.",
      ],
    },
    after:
      "One message, such as a confirmation or a reminder, needs no campaign: `POST /api/messages` with `to`, `text` and `kind` (scope `messages:send`) answers 202 and an `id`, and `GET /api/messages/{id}` says what became of it. `sendAfter` and `expiresAt` say from when and until when, and `reference` is your own name for it. To try without sending: a test key (`shg_test_`) reads, changes drafts, and hands over messages that reach no phone and take nothing from the quota (`mode` is `test`). The number decides the outcome: +12025550111 sent, +12025550122 failed, +12025550133 unknown, +12025550144 has no account; any other number: sent.",
    keys: {
      heading: "Logging in, and keys",
      texts: [
        "A key goes in `Authorization: Bearer shg_live_...`. Then the cookie is not read, and `Origin` is not needed. A wrong, revoked or expired key is 401 `key_invalid`.",
        "A browser logs in differently: `POST /api/auth/login` sets a cookie, and each call that changes something also carries the server's own `Origin`.",
        "A key acts for its account, within its scopes. Expiry, allowed addresses and a daily limit are chosen when it is made. Revoking works at once. Every key begins with `shg_live_` or `shg_test_`, so a leaked one can be found in code.",
        "Never by key: passwords, sessions, second factors, keys and people, erasures of a number, unmasked numbers, undone removals, and settings.",
      ],
      scope: "Scope",
      opens: "What it opens",
    },
    scopes: {
      "campaigns:read": "campaigns and their state, without recipients' numbers",
      "campaigns:write": "making, changing and deleting drafts",
      "campaigns:send": "sending, pausing, resuming and cancelling",
      contacts: "recipients of drafts, files and lists",
      "messages:send": "Single messages: hand over, state, cancel",
      reports: "recipients, outcomes, consents and the quota's ledger",
      opt_outs: "the removal list: reading and adding",
    },
    events: {
      heading: "What happens to a campaign and a message",
      texts: [
        "Read `GET /api/campaigns/{id}`, and the recipients at `GET /api/campaigns/{id}/deliveries`. On the list of campaigns, `If-None-Match` with the last `ETag` gets 304 while nothing moves; there is no point in asking more than every few seconds.",
        "These sets are open: a state that your program does not know is in progress. `unknown` is final until a person decides: the message may have gone out, so it is not sent again by itself.",
      ],
      campaign: "States of a campaign",
      message: "States of a message",
      state: "State",
      means: "Meaning",
    },
    statuses: {
      draft: "a draft without recipients",
      ready: "ready to be sent",
      processing: "sent, and waiting for a phone",
      active: "phones are sending",
      paused: "paused, by a person or by itself; `notices` says why",
      completed: "every message has reached its end",
      completed_with_errors: "ended; some messages failed or are unknown",
      failed: "ended; no message went out",
      cancelled: "cancelled; what had not gone out returned to the quota",
    },
    states: {
      queued: "waiting",
      leased: "with a phone",
      sent: "sent",
      failed: "failed; returned to the quota",
      unknown: "nobody knows whether it went out",
      skipped: "skipped, such as a number that asked for removal; returned to the quota",
      cancelled: "cancelled; returned to the quota",
    },
    repeats: {
      heading: "Once, even when an answer is lost",
      texts: [
        "A call that makes, sends, adds or loads takes an `Idempotency-Key`: any string that your program chooses for one act, such as an order's number. The same call with the same key within 24 hours does nothing again and gets the same answer, with `Idempotency-Replayed: true`.",
        "The same key with another body: 422 `call_key_reused`. While the first still runs: 409 `call_running`, so ask again. A refused call leaves no trace; correct it and send it with the same key.",
        "So after a network fault or an answer of 500 and above: the same call again, with the same key, after growing waits.",
      ],
    },
    errors: {
      heading: "Errors",
      texts: [
        "An answer of 400 and above is always JSON: `error` is a Hebrew sentence for people, `code` is for programs. Treat a code that your program does not know by its status.",
      ],
      status: "Status",
      code: "Code",
      means: "Meaning",
    },
    limits: {
      heading: "Limits",
      texts: [
        `A key may make ${
          key.burst.toLocaleString("en")
        } calls at once, then ${key.perSecond} a second; all keys of an account together ${
          client.burst.toLocaleString("en")
        } and ${client.perSecond}. People on the screens have a budget of their own (${CALL_BOUND.perSecond} a second), so software cannot stop them.`,
        "Each answer to a key has `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds). Beyond it: 429 `too_many_attempts`, and `Retry-After` says how many seconds to wait. Beyond the key's daily limit: 429 `key_day_over`.",
        "The messages themselves go out at the phones' pace and in the sending hours; calls only hand them over.",
      ],
    },
    reference: {
      heading: "Every call",
      texts: [
        "The whole document, OpenAPI 3.1, is at `/api/openapi.json`. It only grows: more fields and states, and nothing goes away.",
      ],
      scopes: "Scope of a key:",
      anyKey: "any key",
      noKey: "people only, not by key",
      open: "without a login",
      once: "takes an `Idempotency-Key`",
      parameters: "Parameters",
      body: "Body",
      answer: "Answer",
      refusals: "Refusals",
      required: "required",
    },
  },
};
