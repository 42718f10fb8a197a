/** How the names and the values of a contact's fields are cleaned; without schemas, so that the browser can use it. */

/** Field names of one list. */
export const MAX_FIELDS = 20;
/** Field names of one contact: those of all lists that it is in. */
export const MAX_CONTACT_FIELDS = 100;
export const MAX_FIELD_NAME_CHARS = 40;
export const MAX_FIELD_VALUE_CHARS = 200;

/** Controls, line and paragraph ends, direction and other invisible marks, halves of a character. */
const UNWANTED = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
/** Marks that are part of a picture or of a script's spelling, and turn no text around. */
const JOINERS = /[\u200c\u200d]/;
const BREAKS = /[\s\p{Zl}\p{Zp}]+/gu;
const ENDS = /^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/g;

/**
 * Returns a value as it is kept: one line, without control and direction characters, trimmed, cut to
 * MAX_FIELD_VALUE_CHARS without cutting a character.
 */
export function cleanFieldValue(text: string): string {
  return cut(oneLine(text), MAX_FIELD_VALUE_CHARS);
}

/** Returns the words that stand in for an empty value: cleaned as a value, as long as they were written. */
export function cleanFallback(text: string): string {
  return oneLine(text);
}

/** Returns a heading as a field name: as a value, cut to MAX_FIELD_NAME_CHARS; "" when nothing is left. */
export function cleanFieldName(text: string): string {
  return cut(oneLine(text), MAX_FIELD_NAME_CHARS);
}

function oneLine(text: string): string {
  const seen = text.replace(BREAKS, " ").replace(UNWANTED, (sign) => JOINERS.test(sign) ? sign : "");
  return seen.replace(/ {2,}/g, " ").replace(ENDS, "");
}

/** UTF-16 units, as `length` counts them. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const isWithin = /[\ud800-\udbff]/.test(text[most - 1]!);
  return text.slice(0, isWithin ? most - 1 : most).replace(ENDS, "");
}
