import type { AuditFault, AuditGroup } from "shared/audit.ts";
import { countOf } from "../../text/count.ts";
import { DAY } from "../../text/day.ts";

const FAULTS: Record<AuditFault["fault"], (row: number) => string> = {
  edited: (row) => `שורה ${row} אינה מה שנחתם: היא נערכה או הוזזה ממקומה.`,
  missing: (row) => `שורה ${row} הוצאה מהיומן.`,
  forged: (row) => `שורה ${row} נחתמה מחדש בלי המפתח.`,
  cut: (row) => `שורה ${row} וכל מה שאחריה נחתכו מסוף היומן.`,
  head_forged: () => "החתימה על סוף היומן אינה שלנו.",
};
const GROUPS: Record<AuditGroup, string> = {
  logins: "כניסות",
  users: "משתמשים",
  campaigns: "קמפיינים",
  fleet: "אתרים ומכשירים",
  system: "מערכת",
  privacy: "מידע אישי",
};

export const AUDIT = {
  heading: "יומן ביקורת",
  subtitle: "מי עשה מה, לתמיד. כל שורה חתומה על זו שלפניה, ושינוי בדיעבד מתגלה.",
  csv: "ייצוא CSV",
  region: "שורות יומן הביקורת",
  groups: { all: "הכול", ...GROUPS },
  actor: "מי",
  anyone: "כולם",
  nobody: "המערכת",
  from: "מתאריך",
  to: "עד תאריך",
  days: { unreadable: DAY.unreadable, backwards: "תאריך הסיום מוקדם מתאריך ההתחלה." },
  open: "עוד לא נחתמה",
  empty: "אין שורות שעונות לסינון.",
  loading: "טוען את יומן הביקורת...",
  failed: "יומן הביקורת לא נטען",
  whole: "היומן שלם.",
  wholeBody: (rows: number, age: string) => `נבדק ${age}: ${countOf(rows, "row")}, כולן כפי שנחתמו.`,
  broken: "היומן נפגע!",
  brokenBody: (fault: AuditFault, age: string) => `${FAULTS[fault.fault](fault.row)} נבדק ${age}.`,
  never: "היומן עוד לא נבדק.",
  neverBody: "בדיקה מלאה רצה מעצמה כל חמש דקות.",
  waiting: (span: string) => `יש שורות שמחכות לחתימה כבר ${span}. נא לבדוק שהשרת פועל.`,
  check: "בדיקה עכשיו",
  checking: "בודק...",
  checkFailed: "הבדיקה לא בוצעה",
};
