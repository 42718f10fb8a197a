/** The page's words in both languages; code in them stands between backquotes. */
import type { CLIENT_SCOPES } from "shared/api_key.ts";
import { CALL_BOUND, KEY_BOUNDS } from "shared/call_limits.ts";
import type { CampaignStatus } from "shared/campaign.ts";
import type { DeliveryState } from "shared/delivery.ts";
import type { CLIENT_WEBHOOK_TYPES } from "shared/webhook_event.ts";

export const PAGE_LANGUAGES = ["he", "en"] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];
type Scope = Exclude<(typeof CLIENT_SCOPES)[number], "messages:send">;

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
  webhooks: { heading: string; texts: readonly string[]; type: string; means: string };
  webhookTypes: Record<(typeof CLIENT_WEBHOOK_TYPES)[number], string>;
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
      "לניסיון בלי שליחה: מפתח ניסיון (`shg_test_`) קורא, ומשנה טיוטות. שום דבר שהוא עושה לא מגיע לטלפון.",
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
      reports: "נמענים, תוצאות, הסכמות ותנועות מכסה",
      opt_outs: "רשימת ההסרה: קריאה והוספה",
      webhooks: "כתובות שמודיעים להן, ומה נשלח אליהן",
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
    webhooks: {
      heading: "Webhooks: המערכת מודיעה לכם",
      texts: [
        "במסך Webhooks, או ב־`POST /api/webhooks`, נותנים כתובת ובוחרים אירועים. הסוד (`whsec_...`) מוצג פעם אחת. כל קריאה היא `POST` של JSON, חתומה לפי Standard Webhooks 1.0.0: הכותרות `webhook-id`, `webhook-timestamp` ו־`webhook-signature`. ספריות בשפות רבות בודקות אותה.",
        "עונים בסטטוס 2xx בתוך 10 שניות. כל תשובה אחרת, או היעדרה, מביאה ניסיון נוסף, בהמתנה שהולכת וגדלה, במשך 3 ימים. כתובת שדבר לא התקבל בה 3 ימים מושהית, ומה שקורה בינתיים מחכה 14 יום. 410 משהה מיד.",
        "קריאה מגיעה לפחות פעם אחת, ולכן שומרים את המזהים של האירועים ולא עושים דבר כשמזהה מוכר חוזר. המזהה והתוכן זהים בכל ניסיון. קריאות על קמפיין אחד מגיעות לפי הסדר.",
        "אירועים של הודעות מגיעים יחד: קריאה מסוג `message.batch` נושאת ב־`data.events` עד 100 אירועים של קמפיין אחד, ולכל אחד מזהה משלו. סוג שהתוכנה לא מכירה: עונים 2xx ולא עושים דבר.",
        "הכתובת היא http או https באינטרנט, בפורט 80, 443 או 8443. הפניה (3xx) נחשבת לסירוב. בספריית TypeScript, ב־`client/`, הפונקציה `verifyWebhook()` בודקת קריאה ו־`eventsOf()` מחזירה את אירועיה.",
      ],
      type: "סוג",
      means: "מה קרה",
    },
    webhookTypes: {
      "campaign.queued": "הקמפיין נשלח, ומחכה לטלפון",
      "campaign.taken_back": "השליחה נלקחה בחזרה לפני שיצאה",
      "campaign.started": "הטלפונים התחילו לשלוח",
      "campaign.paused": "הושהה; `pausedBy` אומר בידי מי",
      "campaign.resumed": "ממשיך לשלוח",
      "campaign.completed": "הסתיים; `status` ו־`counts` אומרים איך",
      "campaign.failed": "הסתיים, ושום הודעה לא יצאה",
      "campaign.cancelled": "בוטל",
      "campaign.reopened": "נפתח שוב לשליחה חוזרת",
      "message.sent": "הודעה נשלחה",
      "message.failed": "הודעה נכשלה; `reason` אומר למה",
      "message.unknown": "לא ידוע אם הודעה יצאה",
      "message.skipped": "הודעה דולגה",
      "message.cancelled": "הודעה בוטלה",
      "message.expired": "הודעה לא יצאה בזמנה",
      "opt_out.created": "נמען ביקש הסרה",
      "reply.received": "תשובה שנראית כבקשת הסרה",
      "quota.low": "במכסה נשארו פחות הודעות ממה שנקבע",
    },
    repeats: {
      heading: "פעם אחת, גם כשתשובה אובדת",
      texts: [
        "קריאה שיוצרת, שולחת, מוסיפה או טוענת מקבלת `Idempotency-Key`: כל מחרוזת שהתוכנה בוחרת לפעולה אחת, למשל מספר ההזמנה. אותה קריאה עם אותו מפתח, בתוך 24 שעות, לא עושה דבר שוב ומקבלת אותה תשובה, עם `Idempotency-Replayed: true`.",
        "אותו מפתח עם גוף אחר: 422 `call_key_reused`. הראשונה עדיין רצה: 409 `call_running`, ושואלים שוב. קריאה שנדחתה לא משאירה סימן, ואפשר לתקן ולשלוח אותה עם אותו מפתח. קריאות של מפתח ניסיון נפרדות: אותה קריאה במפתח אמיתי פועלת.",
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
      "To try without sending: a test key (`shg_test_`) reads, and changes drafts. Nothing that it does reaches a phone.",
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
      reports: "recipients, outcomes, consents and the quota's ledger",
      opt_outs: "the removal list: reading and adding",
      webhooks: "the addresses that are told, and what they were sent",
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
    webhooks: {
      heading: "Webhooks: the edge tells you",
      texts: [
        "On the screen Webhooks, or by `POST /api/webhooks`, you give an address and choose events. The secret (`whsec_...`) is shown once. Each call is a `POST` of JSON, signed by Standard Webhooks 1.0.0: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. Libraries in many languages verify it.",
        "Answer with 2xx within 10 seconds. After any other answer, or none, the call is made again with growing waits for 3 days. An address at which nothing arrived for 3 days is paused, and what happens meanwhile waits for 14 days. 410 pauses at once.",
        "A call comes at least once: keep the ids of events, and do nothing for one that you know. Id and content are the same at every try. Calls about one campaign come in order.",
        "Events about messages come together: a call of type `message.batch` has in `data.events` up to 100 events of one campaign, each with an id of its own. For a type that your program does not know, answer 2xx and do nothing.",
        "The address is http or https on the public Internet, on port 80, 443 or 8443. A redirect (3xx) counts as a refusal. In the TypeScript library, in `client/`, `verifyWebhook()` verifies a call and `eventsOf()` returns its events.",
      ],
      type: "Type",
      means: "What happened",
    },
    webhookTypes: {
      "campaign.queued": "The campaign was sent and waits for a phone",
      "campaign.taken_back": "The send was taken back before anything went out",
      "campaign.started": "Phones began to send",
      "campaign.paused": "Paused; `pausedBy` says by whom",
      "campaign.resumed": "Sends again",
      "campaign.completed": "Ended; `status` and `counts` say how",
      "campaign.failed": "Ended, and no message went out",
      "campaign.cancelled": "Cancelled",
      "campaign.reopened": "Opened again for a repeated send",
      "message.sent": "A message was sent",
      "message.failed": "A message failed; `reason` says why",
      "message.unknown": "Nobody knows whether a message went out",
      "message.skipped": "A message was skipped",
      "message.cancelled": "A message was cancelled",
      "message.expired": "A message did not go out in its time",
      "opt_out.created": "A recipient asked for removal",
      "reply.received": "A reply that may ask for removal",
      "quota.low": "Fewer messages are left than you chose",
    },
    repeats: {
      heading: "Once, even when an answer is lost",
      texts: [
        "A call that makes, sends, adds or loads takes an `Idempotency-Key`: any string that your program chooses for one act, such as an order's number. The same call with the same key within 24 hours does nothing again and gets the same answer, with `Idempotency-Replayed: true`.",
        "The same key with another body: 422 `call_key_reused`. While the first still runs: 409 `call_running`, so ask again. A refused call leaves no trace; correct it and send it with the same key. Calls of a test key are apart: made again with a live key, they act.",
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
