/**
 * Calls about recipients' numbers: showing them to administrators, erasing them, deleting them after the retention
 * time.
 */
import { z } from "zod";
import { provedFields } from "./http_api.ts";
import { EXCEPTION_REASON_CHARS, NUMBERS_REASON_CHARS, type ReasonChars } from "./reason.ts";

/** How long an administrator sees a campaign's numbers after giving a reason. */
export const NUMBERS_SHOWN_MS = 15 * 60_000;
const reasonOf = ({ least, most }: ReasonChars) => z.string().trim().min(least).max(most);
/** Reason for showing or erasing numbers. */
const reasonSchema = reasonOf(NUMBERS_REASON_CHARS);
/** Reason for an exception for one campaign or one recipient. */
export const exceptionReasonSchema = reasonOf(EXCEPTION_REASON_CHARS);

// POST|DELETE /api/admin/campaigns/{id}/numbers

export const showNumbersRequestSchema = z.object({ ...provedFields, reason: reasonSchema });
export const numbersShownSchema = z.object({ until: z.int() });

// GET|POST /api/admin/erasures, GET /api/admin/erasures/{id}

export const eraseRequestSchema = z.object({
  /** In any notation. */
  phone: z.string().trim().min(5).max(40),
  reason: reasonSchema,
  /** Blocks the number for ever; numbers of people who asked for that before stay blocked either way. */
  block: z.boolean().default(true),
});
export const erasureEffectRequestSchema = eraseRequestSchema.pick({ phone: true });
/** What an erasure of the number would touch. */
export const erasureEffectSchema = z.object({
  /** The number as it was read, E.164. */
  phone: z.string(),
  /** Campaigns that hold it. */
  campaigns: z.int(),
  /** Messages to it that wait in a queue or at a site. */
  waiting: z.int(),
});
export type ErasureEffect = z.infer<typeof erasureEffectSchema>;
export const erasureSchema = z.object({
  id: z.int(),
  at: z.int(),
  by: z.string(),
  reason: z.string(),
  /** Replaces the number here and in the audit log. */
  mark: z.string(),
  blocked: z.boolean(),
  /** Table → number of rows that held the number. */
  removed: z.record(z.string(), z.int()),
  /** Time at which the database no longer held the number; null means that a site still has rows of it. */
  databaseAt: z.int().nullable(),
  /** Time of the database file's rewrite, after which no free page holds the number; null on a remote database. */
  scrubbedAt: z.int().nullable(),
  /** The sites, and the time at which each removed the number from its journal. */
  sites: z.array(z.object({
    id: z.int(),
    name: z.string(),
    answeredAt: z.int().nullable(),
    removed: z.int(),
    /** The site was revoked for good and will not confirm. */
    revoked: z.boolean(),
  })),
  /** Null means not complete yet. */
  doneAt: z.int().nullable(),
});
export type Erasure = z.infer<typeof erasureSchema>;
export const erasurePageSchema = z.object({ items: z.array(erasureSchema), nextCursor: z.int().nullable() });
export const erasureQuerySchema = z.object({
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
