/** Calls about a file that is shown before it is taken in: /api/staged-files, and what becomes of it in a campaign. */
import { z } from "zod";
import { consentSchema } from "./consent.ts";
import { FieldNameSchema, MAX_FIELDS } from "./contact_fields.ts";
import { MAX_TABLE_COLUMNS } from "./table_words.ts";

/** How long a staged file lives. */
export const STAGED_MS = 60 * 60_000;
/** Staged files of one person at a time; a further one takes the place of the oldest. */
export const MAX_STAGED = 4;
/** Bytes of text in one person's staged files; the oldest make room. One file has 40 MB at most. */
export const MAX_STAGED_BYTES = 64 * 1024 * 1024;
/** Bytes of text in all staged files; the files of the person with the most make room. */
export const MAX_STAGED_BYTES_IN_ALL = 256 * 1024 * 1024;
/** Rows shown of each reason; all are in the file that can be downloaded. */
export const SHOWN_ROWS = 20;
export const SAMPLES = 3;

/** What is worth saying about a file that was read. */
export const TABLE_NOTES = [
  "windows_1255",
  "utf_16",
  "damaged_utf_8",
  "semicolons",
  "tabs",
  "bars",
  "open_quote",
  "titles",
] as const;
export type TableNote = (typeof TABLE_NOTES)[number];

/** Why a row of a file gets no message, in the order in which the reasons are looked at. */
export const ROW_REASONS = [
  "not_a_number",
  "repeated",
  "removed",
  "no_consent",
  "already_here",
  "reached",
] as const;
export const rowReasonSchema = z.enum(ROW_REASONS);
export type RowReason = z.infer<typeof rowReasonSchema>;

const columnNoSchema = z.int().min(1).max(MAX_TABLE_COLUMNS);

/** The column with the numbers, and the columns that are kept as fields; the others are skipped. */
export const columnChoiceSchema = z.object({
  phone: columnNoSchema,
  fields: z.array(z.object({ no: columnNoSchema, name: FieldNameSchema })).max(MAX_FIELDS),
}).refine(
  ({ phone, fields }) =>
    new Set(fields.map(({ name }) => name)).size === fields.length &&
    new Set([phone, ...fields.map(({ no }) => no)]).size === fields.length + 1,
  { path: ["fields"], message: "Names a column or a field twice" },
);
export type ColumnChoice = z.infer<typeof columnChoiceSchema>;

export const sheetSchema = z.object({ no: z.int(), name: z.string(), isHidden: z.boolean() });

const tableColumnSchema = z.object({
  /** From 1. */
  no: z.int(),
  /** The heading without digits that may be a number; null = none. */
  name: z.string().nullable(),
  /** The first values, at most SAMPLES. */
  samples: z.array(z.string()),
  /** Valid numbers among the first rows. */
  phones: z.int(),
});

export const stagedFileSchema = z.object({
  id: z.int(),
  /** Digits that may be a number are removed. */
  fileName: z.string(),
  kind: z.enum(["csv", "xlsx"]),
  /** The sheets of a workbook; empty for text. */
  sheets: z.array(sheetSchema),
  /** The sheet that was read; null = text. */
  sheet: z.int().nullable(),
  notes: z.array(z.enum(TABLE_NOTES)),
  /** The row with the headings; null = none. */
  headingRow: z.int().nullable(),
  columns: z.array(tableColumnSchema),
  /** Rows in which `phones` of each column was counted. */
  rowsLookedAt: z.int(),
  /** Why the proposed column was chosen: by its values, by its heading too, or because it is the only one. */
  why: z.enum(["values", "heading", "only"]).nullable(),
  /** What was chosen for a file with the same headings, or what is proposed; null = no column holds numbers. */
  choice: columnChoiceSchema.nullable(),
  /** True = the choice is remembered from such a file. */
  isRemembered: z.boolean(),
  /** When it is forgotten. */
  until: z.int(),
});
export type StagedFile = z.infer<typeof stagedFileSchema>;

// POST /api/campaigns/{id}/contacts/preview

export const previewRequestSchema = z.object({
  file: z.int().positive(),
  choice: columnChoiceSchema,
  /** Whether consent for the numbers will be declared when they are taken in. */
  declares: z.boolean().default(false),
});
export const previewSchema = z.object({
  /** Rows after the headings that are not blank. */
  rows: z.int(),
  /** Rows that get the message. */
  taken: z.int(),
  /** By reason: how many rows get none, and the first of them. */
  leftOut: z.array(z.object({
    reason: rowReasonSchema,
    count: z.int(),
    rows: z.array(z.object({ row: z.int(), text: z.string() })),
  })),
  /** Contacts that the client may still add. */
  room: z.int(),
});
export type ImportPreview = z.infer<typeof previewSchema>;

// POST /api/campaigns/{id}/contacts/staged

export const takeInRequestSchema = z.object({
  file: z.int().positive(),
  choice: columnChoiceSchema,
  consent: consentSchema.optional(),
});
