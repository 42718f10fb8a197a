/** The report of a campaign: GET /api/campaigns/{id}/report. Times are integer milliseconds. */
import { z } from "zod";
import { campaignCountsSchema, campaignKindSchema, campaignStatusSchema } from "./campaign.ts";
import { deliveryReasonSchema, deliveryStateSchema } from "./delivery.ts";

/** Most values of a field that are listed; the rest is one line. */
export const MOST_FIELD_VALUES = 20;
/** A field with more different values than this divides nobody into groups, and is not reported. */
export const MOST_DIFFERENT_VALUES = 5_000;
/** Most earlier campaigns that a report is compared with. */
export const MOST_EARLIER = 10;
/** Most sending accounts that are listed. */
export const MOST_PLACES = 100;
/** A report over a longer time counts days instead of hours. */
export const MOST_REPORT_HOURS = 72;
/** Longest name of a field, as a list keeps it. */
const MAX_FIELD_CHARS = 200;

export const reportQuerySchema = z.object({
  /** The field by whose values the recipients are divided. */
  field: z.string().min(1).max(MAX_FIELD_CHARS).optional(),
});

const outcomesSchema = z.object({ sent: z.int(), failed: z.int(), unknown: z.int() });
const bySpanSchema = outcomesSchema.extend({ removals: z.int() });

export const reportSchema = z.object({
  /** When the rows were read. */
  at: z.int(),
  id: z.int(),
  name: z.string(),
  /** The client's name; null for the client. */
  client: z.string().nullable(),
  kind: campaignKindSchema,
  status: campaignStatusSchema,
  startedAt: z.int().nullable(),
  completedAt: z.int().nullable(),
  /** True once the numbers and values were forgotten; the outcomes stay. */
  isForgotten: z.boolean(),
  total: z.int(),
  counts: campaignCountsSchema,
  /** Every recipient is in one of these. The reason is null where the state says everything. */
  outcomes: z.array(z.object({
    state: deliveryStateSchema,
    reason: deliveryReasonSchema.nullable(),
    count: z.int(),
  })),
  /**
   * Sent, failed and unknown by time, oldest first without gaps, and the requests for removal. A point is a full hour,
   * or a local day.
   */
  times: z.object({
    step: z.enum(["hour", "day"]),
    points: z.array(bySpanSchema.extend({ at: z.int() })),
  }),
  /** The same by the hour of Israel's clock: 24 of them. */
  byHour: z.array(bySpanSchema),
  removals: z.object({
    total: z.int(),
    /** Of these, requests whose time is no longer kept. */
    undated: z.int(),
  }),
  /** The names of the fields that recipients have. */
  fields: z.array(z.string()),
  /** Null unless a field was chosen. */
  field: z.object({
    name: z.string(),
    /** True for an administrator who may not see the campaign's numbers now: no value is in the answer. */
    isMasked: z.boolean(),
    /** True when there are more than MOST_DIFFERENT_VALUES values. */
    hasTooMany: z.boolean(),
    /** The most frequent values, at most MOST_FIELD_VALUES; "" = without a value. */
    values: z.array(campaignCountsSchema.extend({ value: z.string() })),
    /** The recipients with other values; null when there are none. */
    rest: campaignCountsSchema.extend({ values: z.int() }).nullable(),
  }).nullable(),
  /** Outcomes by sending account, most messages first; for administrators. */
  places: z.array(outcomesSchema.extend({
    site: z.string(),
    name: z.string(),
    /** App and Android user, "com.whatsapp.w4b/0". */
    account: z.string(),
  })).nullable(),
  /** The client's campaigns before this one, newest first. */
  earlier: z.array(z.object({
    id: z.int(),
    name: z.string(),
    startedAt: z.int(),
    completedAt: z.int().nullable(),
    total: z.int(),
    counts: campaignCountsSchema,
    removals: z.int(),
  })),
});
export type Report = z.infer<typeof reportSchema>;
