/** Calls for the preview of a personal message: what it makes of its recipients, and the text that each of them gets. */
import { z } from "zod";
import { TEMPLATE_FAULTS } from "./personal_text.ts";

// GET /api/campaigns/{id}/personal

/** One recipient, and what the message makes of it. */
export const personalRowSchema = z.object({
  /** The id of its delivery. */
  id: z.int(),
  phone: z.string(),
  /** By the names of its fields; a masked one is "•••". */
  values: z.record(z.string(), z.string()),
  /** The whole text as phones type it, with the lines of the law; null when a needed value is missing. */
  text: z.string().nullable(),
  /** The fields without a value that the message needs. */
  missing: z.array(z.string()),
});
export type PersonalRow = z.infer<typeof personalRowSchema>;

export const personalPreviewSchema = z.object({
  /** The text differs from one recipient to another. */
  isPersonal: z.boolean(),
  /** The names of the fields that recipients have. */
  fields: z.array(z.string()),
  /** Mistakes in the writing of placeholders; `at` and `end` are places in the message, in UTF-16 units. */
  faults: z.array(z.object({ code: z.enum(TEMPLATE_FAULTS), at: z.int(), end: z.int() })),
  /** Fields of the message that no recipient has, with the name that was probably meant. */
  unknown: z.array(z.object({ field: z.string(), nearest: z.string().nullable() })),
  /** Recipients who wait for the message. */
  count: z.int(),
  /** How many of them lack a value that the message needs. */
  missing: z.int(),
  /** How many of their texts are too long for the app, and the length of the longest in UTF-16 units. */
  tooLong: z.int(),
  longestChars: z.int(),
  /** The first recipient, the one with the longest text, and the one with the fewest values; null = there is none. */
  rows: z.object({
    first: personalRowSchema.nullable(),
    longest: personalRowSchema.nullable(),
    emptiest: personalRowSchema.nullable(),
  }),
});
export type PersonalPreview = z.infer<typeof personalPreviewSchema>;

// GET /api/campaigns/{id}/personal/rows/{delivery}

/** The recipients before and after one, in the order of the list; of a sent campaign by number. */
export const personalNeighboursSchema = z.object({
  previous: personalRowSchema.nullable(),
  next: personalRowSchema.nullable(),
  /** The place of the recipient itself, from 1; null = it is too far back to be counted at each step. */
  place: z.int().nullable(),
});
export type PersonalNeighbours = z.infer<typeof personalNeighboursSchema>;

// POST /api/campaigns/{id}/personal/rows

/** Most recipients in one answer. */
export const MAX_PERSONAL_ROWS = 20;
export const personalSearchSchema = z.object({
  /** The beginning of a number, as people write it, or a part of a value. */
  q: z.string().trim().min(1).max(100),
  /** `next` of the previous answer. */
  after: z.int().min(0).default(0),
});
export const personalRowsSchema = z.object({
  items: z.array(personalRowSchema),
  /** Where the search goes on; null = all recipients were looked at. */
  next: z.int().nullable(),
});
export type PersonalRows = z.infer<typeof personalRowsSchema>;
