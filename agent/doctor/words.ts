/** Every sentence of `doctor`, in Hebrew and English. Facts replace the {names}. */
import type { InBoth } from "shared/desk_guide.ts";

export type Sentence = InBoth;

interface Words extends Sentence {
  level: Level;
  /** The remedy, for a person. */
  todo?: Sentence;
}

/** Unseen = no command shows it, or the phone gave no answer that is understood. It is never ok. */
export type Level = "ok" | "warning" | "problem" | "unseen";

const REINSTALL = {
  he: "להריץ שוב את פקודת ההתקנה ממסך 'אתרים' של השרת",
  en: "run the install line of the server's 'sites' screen again",
};
/** Also helps an agent that hangs. */
const START_SERVICE = {
  he: "sudo systemctl restart shigur-agent",
  en: "sudo systemctl restart shigur-agent",
};
const ASK_ADMIN = { he: "לפנות למנהל המערכת", en: "ask the server's administrator" };

export const WORDS = {
  enrolled: { level: "ok", he: 'רשום כאתר {id}, "{name}"', en: 'enrolled as site {id}, "{name}"' },
  not_enrolled: {
    level: "problem",
    he: "האתר עוד לא נרשם בשרת",
    en: "this site is not enrolled",
    todo: REINSTALL,
  },
  identity_damaged: {
    level: "problem",
    he: "הקובץ שאומר איזה אתר זה פגום: {path}",
    en: "the file with this site's identity is damaged: {path}",
    todo: {
      he: "sudo mv {path} {path}.damaged, ואז להריץ פקודת התקנה חדשה ממסך 'אתרים' של השרת",
      en: "sudo mv {path} {path}.damaged, then run a new install line of the server's 'sites' screen",
    },
  },
  key_readable: {
    level: "warning",
    he: "קובץ המפתח של האתר קריא גם למשתמשים אחרים במחשב",
    en: "the site's key can be read by other users of this machine",
    todo: { he: "chmod 600 {path}", en: "chmod 600 {path}" },
  },
  agent_runs: {
    level: "ok",
    he: "תוכנת האתר פועלת, גרסה {version}",
    en: "the agent runs, version {version}",
  },
  agent_not_running: {
    level: "problem",
    he: "תוכנת האתר לא פועלת",
    en: "the agent does not run",
    todo: START_SERVICE,
  },
  agent_not_connected: {
    level: "problem",
    he: "תוכנת האתר פועלת ואינה מחוברת לשרת: {why}",
    en: "the agent runs and is not connected to the edge: {why}",
    todo: {
      he: "לטפל בשורות על השרת שלמטה; התוכנה מתחברת מעצמה",
      en: "see the lines about the edge; the agent reconnects by itself",
    },
  },
  journal_not_writable: {
    level: "problem",
    he: "אי אפשר לכתוב ליומן של האתר, ולכן שום דבר לא נשלח",
    en: "the site's journal cannot be written, so nothing is sent",
    todo: {
      he: "לפנות מקום בדיסק; התוכנה ממשיכה מעצמה",
      en: "make room on the disk; the agent continues by itself",
    },
  },
  journal_damaged: {
    level: "problem",
    he: "היומן של האתר פגום, ולכן התוכנה לא עולה: {path}",
    en: "the site's journal is damaged, so the agent does not start: {path}",
    todo: {
      he: "sudo mv {path} {path}.damaged, והתוכנה עולה עם יומן ריק; מה שהיה אצלה ולא דווח יוצג כ'לא ידוע'",
      en:
        "sudo mv {path} {path}.damaged; it starts with an empty one, and what it held unreported is unknown",
    },
  },
  disk_ok: {
    level: "ok",
    he: "אפשר לכתוב לדיסק, {freeMb} MB פנויים",
    en: "the disk can be written, {freeMb} MB free",
  },
  disk_low: {
    level: "warning",
    he: "נשארו בדיסק רק {freeMb} MB",
    en: "only {freeMb} MB are left on the disk",
    todo: { he: "לפנות מקום", en: "make room" },
  },
  disk_full: {
    level: "problem",
    he: "הדיסק מלא ({freeMb} MB פנויים)",
    en: "the disk is full ({freeMb} MB free)",
    todo: {
      he: "לפנות מקום: בלי יומן שום דבר לא נשלח",
      en: "make room: without its journal nothing is sent",
    },
  },
  disk_not_writable: {
    level: "problem",
    he: "אי אפשר לכתוב בתיקייה {path}: {why}",
    en: "the folder {path} cannot be written: {why}",
    todo: {
      he: "להריץ עם sudo, או לתקן את ההרשאות",
      en: "run this with sudo, or correct the folder's owner",
    },
  },
  folder_exposed: {
    level: "problem",
    he: "משתמש אחר במחשב יכול להחליף את התיקייה של האתר: {path} נמצאת בתוך {by}, שהוא יכול לשנות בה שמות",
    en:
      "another user of this machine can replace the site's folder: {path} lies in {by}, where they may rename",
    todo: {
      he: "sudo chown root {by} ואחר כך sudo chmod o-w {by}, או לבחור AGENT_DIR אחר",
      en: "sudo chown root {by}, then sudo chmod o-w {by}; or choose another AGENT_DIR",
    },
  },
  edge_ok: { level: "ok", he: "השרת {url} עונה", en: "the edge {url} answers" },
  edge_name_unknown: {
    level: "problem",
    he: "אין כתובת לשם {host}",
    en: "the name {host} has no address",
    todo: {
      he: "לבדוק את החיבור לאינטרנט ואת edgeUrl בקובץ agent.json",
      en: "check the internet connection and edgeUrl in agent.json",
    },
  },
  edge_refused: {
    level: "problem",
    he: "אף אחד לא עונה ב-{host}",
    en: "nobody answers at {host}",
    todo: { he: "לבדוק חומת אש, ואם השרת פועל", en: "check firewalls, and that the edge runs" },
  },
  edge_tls: {
    level: "problem",
    he: "אי אפשר לאמת את השרת {host} ({cause}): {why}",
    en: "the edge {host} cannot be verified ({cause}): {why}",
    todo: {
      he: "לבדוק את השעון במחשב; אם הוא נכון, לפנות למנהל המערכת",
      en: "check this machine's clock; if it is right, ask the administrator",
    },
  },
  edge_unwell: {
    level: "problem",
    he: "השרת {url} ענה {status}",
    en: "the edge {url} answered {status}",
    todo: ASK_ADMIN,
  },
  edge_unreachable: {
    level: "problem",
    he: "אין תשובה מהשרת {url} ({cause}): {why}",
    en: "no answer from the edge {url} ({cause}): {why}",
    todo: { he: "לבדוק את החיבור לאינטרנט", en: "check the internet connection" },
  },
  clock_ok: { level: "ok", he: "השעון מסכים עם השרת", en: "the clock agrees with the edge's clock" },
  clock_off: {
    level: "warning",
    he: "השעון במחשב רחוק {seconds} שניות משעון השרת",
    en: "this machine's clock differs from the edge's by {seconds} s",
    todo: { he: "sudo timedatectl set-ntp true", en: "sudo timedatectl set-ntp true" },
  },
  site_known: { level: "ok", he: "השרת מכיר את האתר הזה", en: "the edge knows this site" },
  site_refused: {
    level: "problem",
    he: "השרת אינו מקבל את המפתח של האתר: האתר נותק לצמיתות, או שהותקן במחשב אחר",
    en: "the edge refuses this site's key: the site was revoked, or installed on another machine",
    todo: ASK_ADMIN,
  },
  agent_older: {
    level: "problem",
    he: "תוכנת האתר ישנה מדי לשרת הזה",
    en: "this agent is too old for its edge",
    todo: REINSTALL,
  },
  edge_older: {
    level: "problem",
    he: "השרת ישן מדי לתוכנת האתר הזאת",
    en: "the edge is too old for this agent",
    todo: { he: "מנהל המערכת צריך לעדכן את השרת", en: "the edge's operator has to update it" },
  },
  adb_installed: { level: "ok", he: "adb מותקן, גרסה {version}", en: "adb is installed, version {version}" },
  adb_missing: {
    level: "problem",
    he: "adb לא מותקן",
    en: "adb is not installed",
    todo: { he: "sudo apt-get install adb", en: "sudo apt-get install adb (or Android platform-tools)" },
  },
  adb_old: {
    level: "problem",
    he: "adb ישן מדי ({version})",
    en: "adb is too old ({version})",
    todo: { he: "להתקין Android platform-tools חדש יותר", en: "install newer Android platform-tools" },
  },
  adb_answers: { level: "ok", he: "שרת ה-adb ב-{address} עונה", en: "the adb server at {address} answers" },
  adb_silent: {
    level: "problem",
    he: "שרת ה-adb ב-{address} לא עונה",
    en: "the adb server at {address} does not answer",
    todo: {
      he: "להפעיל אותו, או למחוק את adbServer מההגדרות",
      en: "start it, or remove adbServer from the settings",
    },
  },
  port_free: { level: "ok", he: "הפורט {port} פנוי לשרת adb", en: "port {port} is free for an adb server" },
  port_taken: {
    level: "problem",
    he: "תוכנה אחרת תופסת את הפורט {port}",
    en: "another program holds port {port}",
    todo: {
      he: "sudo ss -ltnp 'sport = :{port}' מראה איזו; לסגור אותה",
      en: "sudo ss -ltnp 'sport = :{port}' shows which; end it",
    },
  },
  no_phone: {
    level: "problem",
    he: "לא מחובר שום טלפון",
    en: "no phone is plugged in",
    todo: {
      he: "לחבר טלפון בכבל נתונים ולהפעיל בו ניפוי באגים ב-USB",
      en: "plug a phone in with a data cable and switch USB debugging on",
    },
  },
  too_many_phones: {
    level: "warning",
    he: "לאתר יש {count} טלפונים, והשרת יודע רק על {most}",
    en: "this site has {count} phones, but reports at most {most} to its edge",
    todo: {
      he: "להעביר את השאר לאתר נוסף, במחשב אחר",
      en: "move the others to another site, on a computer of its own",
    },
  },
  phone_ok: { level: "ok", he: "טלפון {device} ({model}) מוכן", en: "phone {device} ({model}) is ready" },
  phone_unauthorized: {
    level: "problem",
    he: "טלפון {device} עוד לא אישר את המחשב הזה",
    en: "phone {device} has not allowed debugging from this computer",
    todo: {
      he: "במסך הטלפון: 'לאפשר תמיד מהמחשב הזה' ואישור; אם אין חלון, לנתק ולחבר את הכבל",
      en:
        "on its screen: tick 'Always allow from this computer' and allow; if there is no window, replug the cable",
    },
  },
  phone_offline: {
    level: "problem",
    he: "טלפון {device} מנותק ({state})",
    en: "phone {device} is offline ({state})",
    todo: {
      he: "לנתק ולחבר את הכבל, ואם לא עוזר להפעיל את הטלפון מחדש",
      en: "replug the cable; if that does not help, restart the phone",
    },
  },
  phone_no_permissions: {
    level: "problem",
    he: "למחשב אין הרשאה לטלפון {device}",
    en: "this user has no right to open phone {device}",
    todo: {
      he: "להריץ שוב את פקודת ההתקנה (היא מוסיפה את ההרשאה), ואז לנתק ולחבר את הכבל",
      en: "install the agent again (install.sh adds the rule), then replug the cable",
    },
  },
  phone_not_answering: {
    level: "problem",
    he: "טלפון {device} לא עונה: {why}",
    en: "phone {device} does not answer: {why}",
    todo: { he: "להפעיל את הטלפון מחדש", en: "restart the phone" },
  },
  phone_booting: {
    level: "warning",
    he: "טלפון {device} עולה",
    en: "phone {device} is starting",
    todo: { he: "להמתין דקה", en: "wait a minute" },
  },
  phone_locked: {
    level: "problem",
    he: "טלפון {device} נעול בקוד",
    en: "phone {device} is locked with a PIN",
    todo: {
      he: "לפתוח, ולבטל את נעילת המסך בהגדרות (אבטחה, נעילת מסך: ללא)",
      en: "unlock it, and set its screen lock to 'None'",
    },
  },
  phone_low_battery: {
    level: "warning",
    he: "הסוללה של טלפון {device} חלשה",
    en: "the battery of phone {device} is low",
    todo: { he: "לחבר למטען או לרכזת USB עם ספק כוח", en: "charge it; use a powered USB hub" },
  },
  phone_hot: {
    level: "warning",
    he: "טלפון {device} חם מדי",
    en: "phone {device} is too hot",
    todo: { he: "לקרר: להרחיק ממקור חום ולהסיר כיסוי", en: "let it cool: away from heat, without a case" },
  },
  phone_low_storage: {
    level: "warning",
    he: "האחסון של טלפון {device} כמעט מלא",
    en: "the storage of phone {device} is almost full",
    todo: { he: "למחוק קבצים ותמונות מהטלפון", en: "delete files and pictures from the phone" },
  },
  app_missing: {
    level: "problem",
    he: "בטלפון {device} אין אפליקציית הודעות",
    en: "phone {device} has no messaging app",
    todo: {
      he: "להתקין WhatsApp או WhatsApp Business ולהתחבר",
      en: "install WhatsApp or WhatsApp Business and log in",
    },
  },
  account_ok: {
    level: "ok",
    he: "חשבון {account}, גרסה {version}",
    en: "account {account}, version {version}",
  },
  account_logged_out: {
    level: "problem",
    he: "חשבון {account} התנתק",
    en: "account {account} is logged out",
    todo: {
      he: "לפתוח את האפליקציה בטלפון ולהיכנס שוב; אחר כך 'חידוש השליחה' במסך המכשירים",
      en: "open the app and log in; then 'חידוש השליחה' (start) on the devices screen",
    },
  },
  account_banned: {
    level: "problem",
    he: "חשבון {account} נחסם",
    en: "account {account} is banned",
    todo: ASK_ADMIN,
  },
  account_restricted: {
    level: "warning",
    he: "חשבון {account} מוגבל זמנית",
    en: "account {account} is restricted for a time",
    todo: {
      he: "לקרוא באפליקציה עד מתי, ואז 'חידוש השליחה' במסך המכשירים",
      en: "the app shows until when; after that press 'חידוש השליחה' (start) on the devices screen",
    },
  },
  account_unknown_screen: {
    level: "problem",
    he: "חשבון {account} נעצר: האפליקציה (גרסה {version}) מציגה מסך לא מוכר, {window} ({fingerprint})",
    en:
      "account {account} stopped: its app (version {version}) shows an unknown screen, {window} ({fingerprint})",
    todo: {
      he:
        "לפתוח את האפליקציה בטלפון: אם זו הודעה שאפשר לסגור, לסגור אותה ואז 'חידוש השליחה' במסך המכשירים; אחרת לבקש קובץ מסכים ולהוסיף אותו: shigur-agent screens add",
      en:
        "look at the app on the phone: close what can be closed, then press 'חידוש השליחה' (start) on the devices screen; otherwise ask for a screen file and add it: shigur-agent screens add",
    },
  },
  screens_ok: { level: "ok", he: "קובצי מסכים של האתר: {count}", en: "screen files of this site: {count}" },
  screens_file_damaged: {
    level: "warning",
    he: "קובץ המסכים {file} פגום והסוכן מתעלם ממנו: {why}",
    en: "the screen file {file} is damaged, and the agent ignores it: {why}",
    todo: {
      he: "לתקן אותו, או להסיר: shigur-agent screens remove",
      en: "correct it, or take it away: shigur-agent screens remove",
    },
  },
  contacts_none: { level: "ok", he: "אין אנשי קשר שמורים ב-{device}", en: "no saved contacts on {device}" },
  contacts_saved: {
    level: "warning",
    he: "ב-{device} שמורים {count} אנשי קשר: למספרים שלהם לא יישלחו הודעות",
    en: "{device} has {count} saved contacts: nothing is sent to their numbers",
    todo: {
      he: "למחוק את אנשי הקשר ולכבות את הסנכרון שלהם",
      en: "delete the contacts and switch their sync off",
    },
  },
  contacts_unknown: {
    level: "warning",
    he: "אי אפשר לראות אם ב-{device} יש אנשי קשר שמורים",
    en: "it is not visible whether {device} has saved contacts",
    todo: { he: "לבדוק ביד שאפליקציית אנשי הקשר ריקה", en: "check by hand that its contacts app is empty" },
  },
  settings_right: {
    level: "ok",
    he: "טלפון {device}, הגדרות נכונות: {names}",
    en: "phone {device}, settings that are right: {names}",
  },
  setting_wrong: {
    level: "warning",
    he: "טלפון {device}: {wrong} (נראה: {seen})",
    en: "phone {device}: {wrong} (seen: {seen})",
    todo: { he: "{press}", en: "{press}" },
  },
  setting_stops: {
    level: "problem",
    he: "טלפון {device}: {wrong} (נראה: {seen})",
    en: "phone {device}: {wrong} (seen: {seen})",
    todo: { he: "{press}", en: "{press}" },
  },
  setting_unseen: {
    level: "unseen",
    he: "טלפון {device}: אי אפשר לראות מכאן: {name}",
    en: "phone {device}: cannot be seen from here: {name}",
    todo: { he: "לבדוק בטלפון. {press}", en: "look on the phone. {press}" },
  },
  desk_page: {
    level: "ok",
    he: "הצעדים לכל יצרן, להדפסה: {page}",
    en: "the steps for each maker, to print: {page}",
  },
} satisfies Record<string, Words>;

export type FindingCode = keyof typeof WORDS;
/** A fact that is a sentence is shown in the finding's language. */
export type Facts = Record<string, string | number | Sentence>;

export interface Finding {
  code: FindingCode;
  facts: Facts;
}

/** Returns a finding with the facts that its sentence names. */
export function finding(code: FindingCode, facts: Facts = {}): Finding {
  return { code, facts };
}

/** Returns whether a finding is good, a warning, a problem or not seen. */
export function levelOf({ code }: Finding): Level {
  return WORDS[code].level;
}

/** Returns the sentence of a finding and its remedy in one language. */
export function textOf(
  { code, facts }: Finding,
  language: keyof Sentence,
): { text: string; todo: string | null } {
  const words: Words = WORDS[code];
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name) => {
      const fact = facts[name] ?? whole;
      return typeof fact === "object" ? fact[language] : `${fact}`;
    });
  return { text: fill(words[language]), todo: words.todo ? fill(words.todo[language]) : null };
}
