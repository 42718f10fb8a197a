/** Schemas of the calls about repeats: /api/series. */
import { z } from "zod";
import { campaignKindSchema, campaignStatusSchema, MAX_DAY_LIMIT } from "./campaign.ts";
import { choiceSchema } from "./lists_api.ts";
import { HEBREW_MONTHS, type RepeatRule } from "./series_days.ts";

/**
 * Why a repeat waits for a person: too little quota, nobody in the lists, another refusal of a run, a disabled client, a
 * restored database, or its client's wish.
 */
export const SERIES_HOLDS = [
  "quota_short",
  "list_empty",
  "run_refused",
  "client_disabled",
  "restored",
  "stopped",
] as const;
export type SeriesHold = (typeof SERIES_HOLDS)[number];
/** making = begun; made = its campaign is planned; the others made none, or one that waits for its client. */
export const RUN_STATES = ["making", "made", "missed", "quota_short", "list_empty", "run_refused"] as const;
export type RunState = (typeof RUN_STATES)[number];

const some = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(31);
/** Screens load `series_days.ts` without this schema. */
export const repeatRuleSchema: z.ZodType<RepeatRule> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("weekly"), weekdays: some(z.int().min(0).max(6)) }),
  z.object({ kind: z.literal("monthly"), days: some(z.int().min(1).max(31)) }),
  z.object({ kind: z.literal("hebrew_monthly"), days: some(z.int().min(1).max(30)) }),
  z.object({
    kind: z.literal("hebrew_yearly"),
    dates: some(z.object({ month: z.enum(HEBREW_MONTHS), day: z.int().min(1).max(30) })),
  }),
]);

const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/).refine((day) => !Number.isNaN(Date.parse(day)));
/** Without filters of values: a repeat keeps nothing of a person. */
export const seriesChoiceSchema = choiceSchema.omit({ where: true });
export const createSeriesRequestSchema = z.object({
  /** The campaign whose words, picture, kind and limit a day the repeat takes over. */
  campaign: z.int().positive(),
  choice: seriesChoiceSchema,
  rule: repeatRuleSchema,
  /** The hour of Israel's clock, as minutes after midnight. */
  minutes: z.int().min(0).max(24 * 60 - 1),
  /** The first day that may have a run, and the last; null = no end. */
  firstDay: daySchema,
  lastDay: daySchema.nullable(),
  /** As in a send. */
  leaveOutEmpty: z.boolean().default(false),
});
export type CreateSeriesRequest = z.infer<typeof createSeriesRequestSchema>;

export const seriesSchema = z.object({
  id: z.int(),
  name: z.string(),
  message: z.string(),
  kind: campaignKindSchema,
  dayLimit: z.int().min(1).max(MAX_DAY_LIMIT).nullable(),
  lists: z.array(z.object({ id: z.int(), name: z.string() })),
  rule: repeatRuleSchema,
  minutes: z.int(),
  lastDay: z.string().nullable(),
  /** When the next run starts, ms; null = none is left. */
  nextAt: z.int().nullable(),
  hold: z.enum(SERIES_HOLDS).nullable(),
  endedAt: z.int().nullable(),
  createdAt: z.int(),
});
export type Series = z.infer<typeof seriesSchema>;
const seriesRunSchema = z.object({
  day: z.string(),
  /** When it starts, ms. */
  at: z.int(),
  state: z.enum(RUN_STATES),
  /** The reason of a refused run: a sentence. */
  reason: z.string().nullable(),
  campaign: z.object({
    id: z.int(),
    name: z.string(),
    status: campaignStatusSchema,
    total: z.int(),
    sent: z.int(),
  }).nullable(),
});
export type SeriesRun = z.infer<typeof seriesRunSchema>;
/** A repeat with its last runs, newest first. */
export const oneSeriesSchema = seriesSchema.extend({ runs: z.array(seriesRunSchema) });
export type OneSeries = z.infer<typeof oneSeriesSchema>;
