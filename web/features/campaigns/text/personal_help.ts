import type { TemplateFault } from "shared/personal_text.ts";
import { countOf } from "../../../text/count.ts";
import { isolated } from "../../../text/isolated.ts";

/** Words beside the field of a message: its placeholders, and what is wrong with them. */
export const HELP = {
  fields: "שדות של הנמענים, להוספה במקום הסמן",
  more: (count: number) => `עוד ${count} שדות`,
  fallback: "ערך שעלול להיות ריק כותבים עם נוסח חלופי:",
  noFields: "לנמענים שנטענו אין שדות. שדות נטענים מקובץ, דרך ״תצוגה מקדימה ובחירת עמודות״, או מהרשימות שלי.",
  loading: "טוען את השדות של הנמענים...",
  failed: "השדות של הנמענים לא נטענו.",
  take: (name: string) => `להחליף ל״${isolated(name)}״`,
};

const FAULTS: Record<TemplateFault["code"], (written: string) => string> = {
  unclosed: (written) => `הסוגריים לא נסגרו באותה שורה: ״${isolated(written)}״. שדה כותבים כך: {{שם}}.`,
  no_name: (written) => `חסר שם של שדה: ״${isolated(written)}״. שדה כותבים כך: {{שם}}.`,
  no_fallback: (written) => `חסר נוסח חלופי אחרי הקו: ״${isolated(written)}״. למשל {{שם|לקוחות יקרים}}.`,
  too_many: () => "יש בהודעה יותר מדי שדות.",
};
/** So much of an unclosed placeholder is shown. */
const SHOWN_CHARS = 24;

/** Returns the sentence about a mistake in a message. */
export function faultText({ code, at, end }: TemplateFault, message: string): string {
  const line = message.slice(at).split("\n", 1)[0]!;
  const written = code === "unclosed" ? [...line].slice(0, SHOWN_CHARS).join("") : message.slice(at, end);
  return FAULTS[code](written);
}

/** Returns the sentence about a field that no recipient has. */
export function unknownText(field: string): string {
  return `אין לנמענים שדה בשם ״${isolated(field)}״.`;
}

/** Returns the sentence about recipients who lack a value. */
export function lackingText(count: number): string {
  return `ל${count > 2 ? "־" : ""}${countOf(count, "recipient")} חסר ערך שההודעה צריכה.`;
}
