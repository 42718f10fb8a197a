/** The statement of a client's month: campaigns, units, and the ledger. Times are integer milliseconds. */
import { z } from "zod";
import { LEDGER_KINDS } from "./quota.ts";

/** Most campaigns, and most loads and corrections, that a statement lists; the rest is one line. */
export const MOST_STATEMENT_LINES = 500;
/** sending = under way; failed = surely not sent; unknown = it may have arrived, and is not sent again. */
export const STATEMENT_MAIL_STATES = ["sending", "sent", "failed", "unknown"] as const;
/** As long as an address may be (RFC 5321). */
export const MAX_EMAIL_CHARS = 254;

/** "2026-11". */
export const monthSchema = z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/);
export const statementQuerySchema = z.object({
  /** The present month by default. */
  month: monthSchema.optional(),
  /** For administrators: the client. */
  client: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});

const unitsSchema = z.object({
  /** Units taken by sends, less those taken back. */
  reserved: z.int(),
  /** Units returned for messages that were not sent. */
  returned: z.int(),
  /** Units taken for messages that turned out to be sent. */
  charged: z.int(),
  /** What the campaign cost in this month; negative when more was returned than taken. */
  net: z.int(),
});
export const statementSchema = z.object({
  month: monthSchema,
  /** The local month: from its first midnight to that of the next. */
  from: z.int(),
  until: z.int(),
  /** False while the month lasts. */
  isOver: z.boolean(),
  at: z.int(),
  client: z.object({ id: z.int(), username: z.string() }),
  /** The quota at the beginning and at the end; the entries are the difference. */
  opening: z.int(),
  closing: z.int(),
  /** Entries by kind; the sum of their units is closing − opening. */
  kinds: z.array(z.object({ kind: z.enum(LEDGER_KINDS), entries: z.int(), units: z.int() })),
  /** Campaigns with entries in the month, in the order of their first. */
  campaigns: z.array(unitsSchema.extend({ id: z.int(), name: z.string(), startedAt: z.int().nullable() })),
  /** Further campaigns, as one line. */
  moreCampaigns: unitsSchema.extend({ campaigns: z.int() }).nullable(),
  /** Loads and corrections. */
  loads: z.array(z.object({
    at: z.int(),
    kind: z.enum(LEDGER_KINDS),
    units: z.int(),
    reason: z.string().nullable(),
  })),
  moreLoads: z.object({ entries: z.int(), units: z.int() }).nullable(),
  /** Months that have a statement, newest first. */
  months: z.array(monthSchema),
  mail: z.object({
    /** Whether the operator set a mail server. */
    isPossible: z.boolean(),
    email: z.string().nullable(),
    /** The message with this month's statement; null = none. */
    message: z.object({ state: z.enum(STATEMENT_MAIL_STATES), at: z.int() }).nullable(),
  }),
});
export type Statement = z.infer<typeof statementSchema>;

export const statementMailSchema = z.object({
  /** Null = no more messages. */
  email: z.email().max(MAX_EMAIL_CHARS).nullable(),
});
