/** The alerts of administrators in Hebrew. */
import type { Row } from "@libsql/client/web";
import type { AdminAlert, AlertChannel, StopReason } from "shared/admin_api.ts";
import type { DeviceState } from "shared/agent_protocol.ts";
import { siteCalled } from "shared/site_name.ts";
import type { StallCause } from "shared/standing.ts";
import { DEVICE_STATE_LABELS } from "./device_words.ts";
import { PLAN_HELD, SERIES_WAITS } from "./activity_words.ts";
import { countOf } from "./hebrew_count.ts";
import { STALL_WORDS } from "./stall_words.ts";
import { restSentence, UNCONFIRMED_ADVICE } from "./trip_words.ts";

const STOPPED_WHY: Record<StopReason, string> = {
  two_machines: "שני מחשבים מתחברים באותו מפתח. יש לכבות אחד מהם, ואז להפעיל את האתר מחדש במסך האתרים.",
  journal_doubted:
    "יומן המשלוחים שלו שוחזר או הועתק. יש לוודא שרק מחשב אחד פועל שם, ואז להפעיל את האתר מחדש במסך האתרים.",
  impossible_report:
    "הוא דיווח על שליחה שלא ייתכן שקרתה. יש לבדוק את המחשב באתר, ואז להפעיל אותו מחדש במסך האתרים.",
};

const CHANNEL: Record<AlertChannel, string> = { email: "בדוא״ל", webhook: "ב־webhook" };
const UNDELIVERED = { failed: "התראה לא נמסרה", unknown: "לא ידוע אם התראה נמסרה" };

function stallSentence(cause: StallCause): string {
  const { why, step } = STALL_WORDS[cause];
  return `${why}. ${step}`;
}

/** The sentence for administrators for each kind of trouble, from a row of its query. */
export const ALERT_TEXT: Record<AdminAlert["code"], (row: Row) => string> = {
  older_database: ({ name }) =>
    `מסד הנתונים הוחזר למצב קודם: ${
      siteCalled(String(name))
    } כבר קיבל ממנו אישורים חדשים יותר. השליחה עצורה כדי שאיש לא יקבל הודעה פעמיים. ` +
    "יש לעצור את השרתים, להריץ deno task restored ולהפעיל אותם שוב.",
  site_stopped: ({ name, reason }) =>
    `${siteCalled(String(name))} נעצר: ${STOPPED_WHY[(reason ?? "journal_doubted") as StopReason]}`,
  site_gave_back: ({ name, back }) =>
    `${siteCalled(String(name))} החזיר היום ${countOf(Number(back), "message")} בלי לשלוח אותן, ` +
    "יותר ממה שחשבון אחד רשאי לשלוח ביום. אם המכשירים שם לא התנתקו שוב ושוב, ייתכן שמפתח האתר נגנב: " +
    "יש לנתק אותו לצמיתות במסך האתרים.",
  site_away: ({ name, held }) =>
    Number(held) === 0
      ? `${siteCalled(String(name))} לא מחובר. אין הודעות שמחכות אצלו.`
      : `${siteCalled(String(name))} לא מחובר. ${
        Number(held) === 1
          ? "הודעה אחת שמורה אצלו ולא תישלח"
          : `${countOf(Number(held), "message")} שמורות אצלו ולא יישלחו`
      } ממקום אחר עד שיחזור.`,
  sites_owe_outcomes: ({ name }) =>
    `המערכת שוחזרה מגיבוי. השליחה מחכה לדיווח של ${siteCalled(String(name))} על מה שנשלח בינתיים.`,
  no_device: ({ campaigns }) =>
    `אין כרגע מכשיר שיכול לשלוח, ו${
      Number(campaigns) === 1
        ? "קמפיין אחד מחכה"
        : `${Number(campaigns) > 2 ? "־" : ""}${countOf(Number(campaigns), "campaign")} מחכים`
    }. ההודעות שמורות בתור.`,
  campaign_stalled: ({ name, cause, siteName }) =>
    `הקמפיין ״${name}״ עומד${siteName ? `, וההודעות נמצאות ב${siteCalled(String(siteName))}` : ""}. ${
      stallSentence(cause as StallCause)
    }`,
  account_banned: ({ name, place, state, moves }) =>
    `חשבון ${state === "banned" ? "נחסם" : "הוגבל"} במכשיר ${name}, ${siteCalled(String(place))}. ${
      moves === 1
        ? "ההודעות שטרם נשלחו ממנו עוברות לחשבונות אחרים."
        : "ההודעות שטרם נשלחו ממנו מחכות לו. כדי שיעברו לחשבונות אחרים, אפשר להפעיל בהגדרות מעבר אוטומטי."
    }`,
  unknown_screen: ({ name, place, version }) =>
    `חשבון במכשיר ${name}, ${siteCalled(String(place))}, נעצר: באפליקציה${
      version === null ? "" : `, גרסה ${version},`
    } מופיע מסך שהמערכת לא מכירה. מה לעשות כתוב בדף המכשיר.`,
  scan_silent: () =>
    "אי אפשר להעלות קבצים: clamd, שבודק אותם, לא ענה. יש לבדוק אותו בשרת; ההתראה נסגרת כשקובץ נבדק שוב.",
  device_needs_hand: ({ name, place, state }) =>
    `המכשיר ${name}, ${siteCalled(String(place))}, לא שולח: ${
      DEVICE_STATE_LABELS[state as DeviceState]
    }. מה לעשות כתוב בדף המכשיר.`,
  campaign_paused_by_rule: ({ name }) => `הקמפיין ״${name}״ הושהה אוטומטית ומחכה להחלטה.`,
  account_rested: ({ name, place }) =>
    `חשבון במכשיר ${name}, ${siteCalled(String(place))}, הופסק אוטומטית ומחכה להחלטה.`,
  unconfirmed_rested: ({ name, why }) =>
    `${siteCalled(String(name))}: ${restSentence(JSON.parse(String(why)))} ${UNCONFIRMED_ADVICE}`,
  accounts_unconfirmed: ({ name, accounts, most }) =>
    `${siteCalled(String(name))}: ${
      Number(accounts) === 1 ? "חשבון אחד מחכה" : `${countOf(Number(accounts), "account")} מחכים`
    } לאישור, וביחד הם כבר שלחו היום ${countOf(Number(most), "message")}, כל מה שמותר בלי אישור. ` +
    "מאשרים חשבון בדף המכשיר שלו.",
  phone_moved: ({ name, place, origin, taken }) =>
    `המכשיר ${name} עבר היום אל ${siteCalled(String(place))}, אחרי שכבר קיבל ${
      countOf(Number(taken), "message")
    } לשליחה דרך ${siteCalled(String(origin))}. התקרה היומית שלו נספרת כאן מחדש: ` +
    "כדי לא לעבור אותה, אפשר לעצור אותו עד מחר בדף המכשיר.",
  phone_at_two_sites: ({ name, place, origin }) =>
    `המכשיר ${name} מחובר גם אל ${siteCalled(String(place))} וגם אל ${siteCalled(String(origin))}. ` +
    "כל אתר סופר לו תקרה יומית נפרדת: יש לנתק אותו מאחד מהם, או לעצור אותו בדף המכשיר של אחד מהם.",
  number_on_two_phones: ({ name, place }) =>
    `המספר של חשבון במכשיר ${name}, ${siteCalled(String(place))}, מחובר גם במכשיר אחר. ` +
    "כל מכשיר סופר לו תקרה יומית נפרדת: יש להשאיר אותו במכשיר אחד בלבד.",
  import_failed: ({ name, error }) => `הקובץ ${name} לא נקלט. ${error ?? ""}`.trim(),
  approval_waits: ({ client, name }) => `הקמפיין ״${name}״ של ${client} מחכה לאישור. עד להחלטה הוא לא יישלח.`,
  plan_waits: ({ client, name, hold }) =>
    `התזמון של הקמפיין ״${name}״ של ${client} מחכה להחלטה${PLAN_HELD[hold as string] ?? ""}. ` +
    "הלקוח יכול לבחור מועד אחר, לשלוח עכשיו או לבטל.",
  series_waits: ({ client, series, hold }) =>
    `השליחה החוזרת ״${series}״ של ${client} עומדת${SERIES_WAITS[hold as string] ?? ""}. ` +
    "הלקוח יכול להמשיך אותה במסך השליחות החוזרות.",
  replies_wait: ({ client, waiting }) =>
    Number(waiting) === 1
      ? `תשובה אחת של נמען של ${client} מחכה להחלטה יותר מיממה. ייתכן שביקש הסרה, ועד להחלטה הוא ממשיך לקבל הודעות.`
      : `${countOf(Number(waiting), "reply")} של נמענים של ${client} מחכות להחלטה יותר מיממה. ` +
        "ייתכן שביקשו הסרה, ועד להחלטה הם ממשיכים לקבל הודעות.",
  quota_low: ({ client, name, missing }) =>
    `המכסה של ${client} קטנה מהקמפיין ״${name}״: ${Number(missing) === 1 ? "חסרה" : "חסרות"} ${
      countOf(Number(missing), "message")
    }. אפשר לטעון הודעות במסך המשתמשים.`,
  alerts_undelivered: ({ channel, state }) =>
    `${UNDELIVERED[state as keyof typeof UNDELIVERED]} ${CHANNEL[channel as AlertChannel]}. ` +
    "אפשר לבדוק בניסיון במסך ההגדרות.",
};
