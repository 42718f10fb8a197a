/** The columns of a staged file as a person chooses them, before the choice is whole. */
import { cleanFieldName, MAX_FIELDS } from "shared/field_text.ts";
import type { ColumnChoice } from "shared/staged_api.ts";
import { PREVIEW } from "./text/preview.ts";

export interface ChoiceDraft {
  phone: number | null;
  /** Names as they are typed, by the number of the column. */
  fields: ReadonlyMap<number, string>;
}

export type ColumnUse = "phone" | "field" | "skip";

/** Returns the draft of a proposed or remembered choice; null = no column holds numbers. */
export function draftOf(choice: ColumnChoice | null): ChoiceDraft {
  return {
    phone: choice?.phone ?? null,
    fields: new Map(choice?.fields.map(({ no, name }) => [no, name])),
  };
}

export function useOf({ phone, fields }: ChoiceDraft, no: number): ColumnUse {
  return phone === no ? "phone" : fields.has(no) ? "field" : "skip";
}

/** Returns the draft with another use of a column; `name` is proposed for a field. */
export function withUse(draft: ChoiceDraft, no: number, use: ColumnUse, name: string): ChoiceDraft {
  const fields = new Map(draft.fields);
  if (use === "field") fields.set(no, name);
  else fields.delete(no);
  const phone = use === "phone" ? no : draft.phone === no ? null : draft.phone;
  return { phone, fields };
}

export function withName(draft: ChoiceDraft, no: number, name: string): ChoiceDraft {
  return { ...draft, fields: new Map(draft.fields).set(no, name) };
}

/** Returns the whole choice, or the sentence that says what is missing. */
export function choiceOf({ phone, fields }: ChoiceDraft): ColumnChoice | string {
  if (phone === null) return PREVIEW.missingPhone;
  if (fields.size > MAX_FIELDS) return PREVIEW.tooManyFields(MAX_FIELDS);
  const named = [...fields].map(([no, name]) => ({ no, name: cleanFieldName(name) }));
  if (named.some(({ name }) => name === "")) return PREVIEW.missingName;
  if (named.some(({ name }) => /[{}|]/.test(name))) return PREVIEW.wrongName;
  const twice = named.find(({ name }, at) => named.findIndex((one) => one.name === name) < at);
  if (twice) return PREVIEW.nameTwice(twice.name);
  return { phone, fields: named };
}
