/**
 * Numbers that receive no messages: GET|POST|DELETE /api/suppressions. Each client has its own list;
 * administrators have the global one.
 */
import { z } from "zod";
import { contactProblemSchema, pageQuery, provedFields } from "./http_api.ts";

const suppressionSchema = z.object({
  id: z.int(),
  /** Masked for administrators. */
  phone: z.string(),
  source: z.enum(["manual", "file", "reply"]),
  at: z.int(),
});
export type Suppression = z.infer<typeof suppressionSchema>;
/** `q`: the beginning of a number, or a whole number. */
export const suppressionQuerySchema = pageQuery.extend({ q: z.string().trim().max(40).optional() });
export const suppressionPageSchema = z.object({
  items: z.array(suppressionSchema),
  nextCursor: z.int().nullable(),
});
export type SuppressionPage = z.infer<typeof suppressionPageSchema>;
/** Pasted numbers, in any notation. */
export const addSuppressionsRequestSchema = z.object({ numbers: z.string().min(1).max(50_000) });
export const suppressionsAddedSchema = z.object({
  added: z.int(),
  /** Numbers on the list before. */
  duplicates: z.int(),
  /** Rows and lines without a valid number. */
  invalid: z.int(),
  /** The first few of them, for the screen. */
  problems: z.array(contactProblemSchema),
  /** Waiting deliveries that were removed immediately. */
  skipped: z.int(),
  /** Deliveries that a site holds and is asked to return. */
  recalled: z.int(),
  /** True = letters of the file were broken; U+FFFD replaces each. */
  isDamaged: z.literal(true).optional(),
});
export type SuppressionsAdded = z.infer<typeof suppressionsAddedSchema>;
export const removeSuppressionsRequestSchema = z.object({
  ...provedFields,
  ids: z.array(z.int()).min(1).max(1000),
});
export const suppressionsRemovedSchema = z.object({ removed: z.int() });
