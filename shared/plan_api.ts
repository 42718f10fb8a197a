/** Schemas of the calls about a campaign's plan: POST, PUT and DELETE /api/campaigns/{id}/plan, GET …/plan/forecast. */
import { z } from "zod";
import { sendRequestSchema } from "./http_api.ts";

/** `at`: when the campaign starts, ms. The rest is as in a send. */
export const planRequestSchema = sendRequestSchema.pick({ reached: true, leaveOutEmpty: true }).extend({
  at: z.int().positive(),
});
export type PlanRequest = z.infer<typeof planRequestSchema>;
/** `at`: the new time, ms; null = now. */
export const movePlanRequestSchema = z.object({ at: z.int().positive().nullable() });
export const planMovedSchema = z.object({ plannedAt: z.int() });
export type PlanMoved = z.infer<typeof planMovedSchema>;
export const plannedSchema = z.object({ plannedAt: z.int(), remainingQuota: z.int() });
export type Planned = z.infer<typeof plannedSchema>;

/** `at`: a time for which a plan is considered, ms; absent or past = now. */
export const forecastQuery = z.object({ at: z.coerce.number().int().positive().optional() });
/** The hour of Israel's clock at which the client's own campaigns did clearly best. */
export const goodHourSchema = z.object({
  hour: z.int(),
  /** How many of them started in it. */
  campaigns: z.int(),
  /** Removals and failures for each message, in that hour and in all hours that are known. */
  share: z.number(),
  usual: z.number(),
});
export type GoodHour = z.infer<typeof goodHourSchema>;
/** What the sending hours and the phones make of a time. */
export const forecastSchema = z.object({
  /** When the first message can go: the time itself, or the next opening of the hours that bind the campaign. */
  beginsAt: z.int(),
  /** When the last message goes; null while it cannot be told. */
  endsAt: z.int().nullable(),
  /** The kind of the chosen day where the hours bind the campaign; null where they do not. */
  day: z.enum(["full", "short", "closed"]).nullable(),
  /** Null while the client has too few campaigns to say, or no hour stands out. */
  goodHour: goodHourSchema.nullable(),
});
export type Forecast = z.infer<typeof forecastSchema>;
