/** The fields of a contact: the values that a client's list keeps beside a number, by the names of its columns. */
import { z } from "zod";

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

/** A field's name, cleaned. Braces and bars would end a placeholder in a message. */
export const FieldNameSchema = z.string().max(1_000).overwrite(cleanFieldName)
  .refine((name) => name !== "" && !/[{}|]/.test(name), { message: "Is no field name" });
/** A field's value, cleaned; "" = empty. */
export const FieldValueSchema = z.string().max(10_000).overwrite(cleanFieldValue);

/** The names of one list, in the order of its columns. */
export const FieldNamesSchema = z.array(FieldNameSchema).max(MAX_FIELDS)
  .refine((names) => new Set(names).size === names.length, { message: "Has a name twice" });
/** The values of one row of a list; a missing name is an empty value. */
export const FieldsSchema = z.record(FieldNameSchema, FieldValueSchema)
  .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, { message: "Has too many fields" });
/** All values of a contact, of every list that it is in. */
export const ContactFieldsSchema = z.record(FieldNameSchema, FieldValueSchema)
  .refine((fields) => Object.keys(fields).length <= MAX_CONTACT_FIELDS, { message: "Has too many fields" });
export type Fields = Record<string, string>;
