/** Refuses to send a personal message that some recipient could not get as it is meant. */
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import { fieldsOf, nearestField, type TemplateFault, type TextPart } from "shared/personal_text.ts";
import { HttpError } from "../http/http_error.ts";
import { countOf } from "../text/hebrew_count.ts";
import type { CheckedRows } from "./check_rows.ts";

const FAULT_TEXT: Record<TemplateFault["code"], string> = {
  unclosed: "בהודעה יש סוגריים {{ שלא נסגרו באותה שורה. שדה כותבים כך: {{שם}}.",
  no_name: "בהודעה יש שדה בלי שם. שדה כותבים כך: {{שם}}.",
  no_fallback: "אחרי הקו | צריך לכתוב מה יופיע כשהשדה ריק, למשל {{שם|לקוחות יקרים}}.",
  too_many: "בהודעה יש יותר מדי שדות.",
};

const TEST_MISSING =
  "להודעת הניסיון חסר ערך שההודעה צריכה. אפשר לנסות עם הערכים של נמען אחר, או להוסיף לשדה נוסח חלופי, למשל {{שם|לקוחות יקרים}}.";

/** @throws {HttpError} `placeholder_faulty` when a placeholder of the message is not well written */
export function refuseFaults(faults: readonly TemplateFault[]): void {
  const [first] = faults;
  if (first !== undefined) throw new HttpError("placeholder_faulty", { text: FAULT_TEXT[first.code] });
}

/** A field that no recipient has, with the name that was probably meant. */
export interface UnknownField {
  field: string;
  nearest: string | null;
}

/** Returns the fields of a message that no recipient has. */
export function unknownFields(parts: readonly TextPart[], names: readonly string[]): UnknownField[] {
  const known = new Set(names);
  return fieldsOf(parts).filter((field) => !known.has(field))
    .map((field) => ({ field, nearest: nearestField(field, names) }));
}

/**
 * Refuses a message that some recipient could not get.
 *
 * @throws {HttpError} `field_unknown`, `values_missing`, `text_too_long`
 */
export function refuseRows(
  parts: readonly TextPart[],
  checked: CheckedRows,
  { leaveOutEmpty, isTest }: {
    /** True = recipients who lack a value are left out. */
    leaveOutEmpty: boolean;
    /** True = a test to oneself: one recipient's values do not show which fields there are. */
    isTest: boolean;
  },
): void {
  const [unknown] = unknownFields(parts, checked.fields);
  if (unknown !== undefined && !isTest) throw new HttpError("field_unknown", { text: unknownText(unknown) });
  const { missing, rows, tooLong, longestChars } = checked;
  if (missing > 0 && (missing === rows || !leaveOutEmpty)) {
    throw new HttpError("values_missing", { text: isTest ? TEST_MISSING : missingText(missing, rows) });
  }
  if (tooLong > 0) throw new HttpError("text_too_long", { text: tooLongText(tooLong, longestChars) });
}

function unknownText({ field, nearest }: UnknownField): string {
  const meant = nearest === null ? "" : ` אולי הכוונה לשדה ״${nearest}״?`;
  return `אין לנמענים שדה בשם ״${field}״.${meant}`;
}

function missingText(missing: number, rows: number): string {
  if (missing === rows) {
    return "לכל הנמענים חסר ערך שההודעה צריכה. אפשר להוסיף לשדה נוסח חלופי, למשל {{שם|לקוחות יקרים}}.";
  }
  const whom = missing <= 2 ? `ל${countOf(missing, "contact")}` : `ל־${countOf(missing, "contact")}`;
  return `${whom} חסר ערך שההודעה צריכה. אפשר להוסיף לשדה נוסח חלופי, ` +
    `למשל {{שם|לקוחות יקרים}}, או להשמיט ${missing === 1 ? "אותו" : "אותם"} ולשלוח לשאר.`;
}

function tooLongText(tooLong: number, longest: number): string {
  const whom = tooLong === 1
    ? "ההודעה של איש קשר אחד ארוכה"
    : `ההודעות של ${countOf(tooLong, "contact")} ארוכות`;
  return `${whom} מדי: הארוכה ביותר היא ${longest.toLocaleString("en-US")} תווים, ואפשר עד ` +
    `${MAX_MESSAGE_CHARS.toLocaleString("en-US")}. נא לקצר את הנוסח.`;
}
