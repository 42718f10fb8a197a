/** The fields of a contact: the values that a client's list keeps beside a number, by the names of its columns. */
import { z } from "zod";
import { cleanFieldName, cleanFieldValue, MAX_CONTACT_FIELDS, MAX_FIELDS } from "./field_text.ts";

export {
  cleanFieldName,
  cleanFieldValue,
  MAX_CONTACT_FIELDS,
  MAX_FIELD_NAME_CHARS,
  MAX_FIELD_VALUE_CHARS,
  MAX_FIELDS,
} from "./field_text.ts";

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
