import type { RowReason, StagedFile, TableNote } from "shared/staged_api.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";
import { isolated } from "../../../text/isolated.ts";

/** Words of the preview of a file. */
export const PREVIEW = {
  heading: "לפני הטעינה",
  listHeading: "לפני ההוספה לרשימה",
  reading: "קורא את הקובץ...",
  readFailed: "הקובץ לא נקרא",
  readFallback: "השרת לא קרא את הקובץ (Upload failed)",
  sheet: "גיליון",
  hiddenSheet: (name: string) => `${name} (מוסתר)`,
  columns: "מה יש בכל עמודה",
  moreColumns: (count: number) => `הצגת עוד ${formatNumber(count)} עמודות`,
  column: (letters: string, name: string | null) =>
    name === null ? `עמודה ${isolated(letters)}` : `${isolated(name)} (${isolated(letters)})`,
  useOf: (column: string) => `מה יש בעמודה: ${column}`,
  uses: { phone: "מספרי הטלפון", field: "פרט ששומרים", skip: "לא שומרים" },
  nameOf: (column: string) => `בשם, עמודה: ${column}`,
  noSamples: "אין בה ערכים בשורות הראשונות",
  remembered: "העמודות נבחרו כמו בקובץ הקודם עם אותן כותרות.",
  missingPhone: "נא לבחור באיזו עמודה נמצאים מספרי הטלפון.",
  tooManyFields: (most: number) => `אפשר לשמור עד ${most} פרטים לכל אדם.`,
  missingName: "נא לתת שם לכל פרט ששומרים.",
  wrongName: "שם של פרט לא יכול לכלול סוגריים מסולסלים או קו אנכי.",
  nameTwice: (name: string) => `השם ״${name}״ ניתן לשתי עמודות.`,
  choiceProblem: "הבחירה לא שלמה",
  counting: "בודק את השורות...",
  countFailed: "השורות לא נבדקו",
  countFallback: "השרת לא בדק את השורות.",
  taken: (count: number) => oneOrMany(count, "נמען יקבל את ההודעה", "נמענים יקבלו את ההודעה"),
  ofRows: (rows: number) => `מתוך ${countOf(rows, "row")} בקובץ`,
  strip: (taken: number, rest: string) =>
    rest ? `${formatNumber(taken)} יקבלו את ההודעה, ${rest}` : `${formatNumber(taken)} יקבלו את ההודעה`,
  row: (row: number) => `שורה ${formatNumber(row)}`,
  moreRows: (count: number) => `ועוד ${countOf(count, "row")}. כולן נמצאות בקובץ להורדה.`,
  empty: "ריק",
  download: "הורדת השורות שלא יקבלו",
  downloadFailed: "הקובץ לא ירד",
  downloadFallback: "השרת לא מסר את השורות.",
  noRoom: (room: number) =>
    room === 0
      ? "אין מקום לאנשי קשר נוספים. כדאי למחוק קמפיינים ישנים או לפנות למנהל המערכת."
      : `יש מקום לעוד ${countOf(room, "contact")} בלבד, והטעינה כולה תידחה. כדאי לפצל את הקובץ.`,
  noRoomLead: "הרשימה ארוכה מדי",
  take: "טעינה לקמפיין",
  takeIntoList: "הוספה לרשימה",
  taking: "טוען...",
  cancel: "ביטול",
  takeFailed: "המספרים לא נוספו",
  takeFallback: "השרת לא קלט את המספרים (Upload failed)",
};

const NOTES: Record<TableNote, (file: Pick<StagedFile, "headingRow">) => string> = {
  windows_1255: () => "הקובץ נקרא בקידוד העברי Windows-1255.",
  utf_16: () => "הקובץ נקרא בקידוד UTF-16.",
  damaged_utf_8: () =>
    "חלק מהאותיות בקובץ פגומות, ובמקומן מופיע הסימן \ufffd. כדאי לייצא את הקובץ שוב, או לבדוק את הערכים לפני הטעינה.",
  semicolons: () => "העמודות בקובץ מופרדות בנקודה־פסיק.",
  tabs: () => "העמודות בקובץ מופרדות בטאב.",
  open_quote: () => "יש בקובץ מירכאות שנפתחו ולא נסגרו, והן נקראו כחלק מהטקסט. כדאי לבדוק את הדוגמאות.",
  titles: ({ headingRow }) => `הכותרות נמצאו בשורה ${headingRow ?? 1}. השורות שמעליה לא נקראו.`,
};

/** Returns what is worth saying about a file, one sentence each. */
export function noteSentences(file: Pick<StagedFile, "notes" | "headingRow">): string[] {
  return file.notes.map((note) => NOTES[note](file));
}

/** Returns why a column is taken for the numbers. */
export function whySentence({ why, rowsLookedAt, columns, choice }: StagedFile, phone: number): string {
  if (columns.length === 1) return "זו העמודה היחידה בקובץ.";
  const found = columns.find(({ no }) => no === phone)?.phones ?? 0;
  const share = `ב־${formatNumber(found)} מתוך ${formatNumber(rowsLookedAt)} השורות הראשונות יש בה מספר תקין`;
  return why === "heading" && choice?.phone === phone ? `${share}, וגם הכותרת שלה מתאימה.` : `${share}.`;
}

const REASONS: Record<RowReason, { one: string; many: string; why: string }> = {
  not_a_number: {
    one: "בלי מספר תקין",
    many: "בלי מספר תקין",
    why: "אין בשורה מספר טלפון שאפשר לשלוח אליו.",
  },
  repeated: { one: "חוזרת על שורה קודמת", many: "חוזרות על שורות קודמות", why: "כל מספר מקבל הודעה אחת." },
  removed: { one: "של מי שביקש הסרה", many: "של אנשים שביקשו הסרה", why: "הם לא יקבלו הודעות מכם." },
  no_consent: {
    one: "בלי הסכמה לקבלת דיוור",
    many: "בלי הסכמה לקבלת דיוור",
    why: "לא הוצהר בסיס להסכמה, לא עכשיו ולא בטעינה קודמת.",
  },
  already_here: { one: "שכבר נמצאת בקמפיין", many: "שכבר נמצאות בקמפיין", why: "הן נטענו אליו קודם." },
  reached: {
    one: "של מי שקיבל דיוור לאחרונה",
    many: "של אנשים שקיבלו דיוור לאחרונה",
    why: "הם ייטענו, ולא יקבלו את ההודעה לפני שיעברו הימים שנקבעו בין דיוורים.",
  },
};

/** Returns "שתי שורות בלי מספר תקין" of a reason. */
export function reasonWords(reason: RowReason, count: number): string {
  return `${countOf(count, "row")} ${oneOrMany(count, REASONS[reason].one, REASONS[reason].many)}`;
}

export function reasonWhy(reason: RowReason): string {
  return REASONS[reason].why;
}
