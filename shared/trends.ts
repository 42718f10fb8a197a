/** Sending over weeks, for administrators: GET /api/admin/trends. Times are integer milliseconds. */
import { z } from "zod";
import { TREND_DAYS, TREND_KEYS } from "./trend_keys.ts";

/** Most rows of the list. */
export const MOST_TREND_ROWS = 50;

export const trendsQuerySchema = z.object({
  days: z.enum(TREND_DAYS).default("30").transform(Number),
  by: z.enum(TREND_KEYS).default("site"),
  /** Only this site, account or client in figures and days; the list stays whole. */
  id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});
const outcomesSchema = z.object({ sent: z.int(), failed: z.int(), unknown: z.int() });
export const trendsSchema = z.object({
  days: z.int(),
  by: z.enum(TREND_KEYS),
  /** The period: whole local days, the last one ended at `until`. */
  from: z.int(),
  until: z.int(),
  /** The start of the first counted day with an outcome; null means that no day was counted yet. */
  measuredSince: z.int().nullable(),
  total: outcomesSchema,
  /** The same number of days before the period; null while not all of them were measured. */
  before: outcomesSchema.nullable(),
  /** Messages sent since `until`; they belong to no period yet. */
  sentSince: z.int(),
  /** One point for each local day of the period, oldest first; null means not measured. */
  points: z.array(z.object({
    /** The start of the day. */
    at: z.int(),
    sent: z.int().nullable(),
    failed: z.int().nullable(),
    unknown: z.int().nullable(),
    /** Messages sent on the day as many days earlier. */
    sentBefore: z.int().nullable(),
  })),
  /** Those with an outcome in one of both periods, most messages first, at most MOST_TREND_ROWS. */
  items: z.array(outcomesSchema.extend({
    id: z.int(),
    name: z.string(),
    /** The site of an account; otherwise empty. */
    place: z.string(),
    /** App and Android user of an account, "com.whatsapp.w4b/0"; otherwise empty. */
    account: z.string(),
    /** Null while the period before was not wholly measured. */
    sentBefore: z.int().nullable(),
  })),
  /** How many further ones the list leaves out. */
  more: z.int(),
});
export type Trends = z.infer<typeof trendsSchema>;
