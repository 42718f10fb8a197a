/** Calls about people's numbers: shown to administrators for a reason, erased everywhere, forgotten in time. */
import { z } from "zod";
import { provedFields } from "./http_api.ts";
import { EXCEPTION_REASON_CHARS, NUMBERS_REASON_CHARS, type ReasonChars } from "./reason.ts";

/** How long an administrator sees a campaign's numbers after stating why. */
export const NUMBERS_SHOWN_MS = 15 * 60_000;
const reasonOf = ({ least, most }: ReasonChars) => z.string().trim().min(least).max(most);
/** Why numbers are shown or erased. */
export const reasonSchema = reasonOf(NUMBERS_REASON_CHARS);
/** Why one campaign or one recipient is an exception. */
export const exceptionReasonSchema = reasonOf(EXCEPTION_REASON_CHARS);

// POST|DELETE /api/admin/campaigns/{id}/numbers

export const showNumbersRequestSchema = z.object({ ...provedFields, reason: reasonSchema });
export const numbersShownSchema = z.object({ until: z.int() });

// GET|POST /api/admin/erasures, GET /api/admin/erasures/{id}

export const eraseRequestSchema = z.object({
  /** As people write it. */
  phone: z.string().trim().min(5).max(40),
  reason: reasonSchema,
  /** Whether it must never be messaged again; who asked for that before stays blocked either way. */
  block: z.boolean().default(true),
});
export const erasureSchema = z.object({
  id: z.int(),
  at: z.int(),
  by: z.string(),
  reason: z.string(),
  /** Stands for the number, here and in the audit log. */
  mark: z.string(),
  blocked: z.boolean(),
  /** Table → rows that held the number and do no more. */
  removed: z.record(z.string(), z.int()),
  /** When nothing in the database held it any more; null = rows of it are still with a site. */
  databaseAt: z.int().nullable(),
  /** When the database's file was rewritten, so that no free page holds it; null on a remote database. */
  scrubbedAt: z.int().nullable(),
  /** The sites, and when each had taken it out of its journal. */
  sites: z.array(z.object({
    id: z.int(),
    name: z.string(),
    answeredAt: z.int().nullable(),
    removed: z.int(),
    /** Taken from us for good: nobody will answer. */
    revoked: z.boolean(),
  })),
  /** Null = not complete yet. */
  doneAt: z.int().nullable(),
});
export type Erasure = z.infer<typeof erasureSchema>;
export const erasurePageSchema = z.object({ items: z.array(erasureSchema), nextCursor: z.int().nullable() });
export const erasureQuerySchema = z.object({
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
