/** The closed union of live events that a browser receives on /ws. */
import { z } from "zod";
import { activityItemSchema } from "./activity.ts";
import { campaignCountsSchema, campaignStatusSchema } from "./campaign.ts";

const campaignDataSchema = z.object({
  campaignId: z.int(),
  name: z.string(),
  status: campaignStatusSchema,
  totalContacts: z.int(),
  sentCount: z.int(),
  counts: campaignCountsSchema,
  completedAt: z.int().nullable(),
});
/** Absolute figures of one campaign at the time of the event. */
export type CampaignEventData = z.infer<typeof campaignDataSchema>;

export const liveEventSchema = z.discriminatedUnion("type", [
  /** A phone took the campaign's first delivery (processing → active). */
  z.object({ id: z.int(), type: z.literal("campaign_started"), data: campaignDataSchema }),
  /** Counters changed; absolute figures, at most four events a second per campaign. */
  z.object({ id: z.int(), type: z.literal("campaign_progress"), data: campaignDataSchema }),
  /** All deliveries were sent. */
  z.object({ id: z.int(), type: z.literal("campaign_completed"), data: campaignDataSchema }),
  /** The campaign ended in another way (errors, failure, cancellation), or was a test to oneself. */
  z.object({ id: z.int(), type: z.literal("campaign_ended"), data: campaignDataSchema }),
  /** A person or a rule paused the campaign. */
  z.object({ id: z.int(), type: z.literal("campaign_paused"), data: campaignDataSchema }),
  /** The campaign was created, edited, resumed or removed, or received contacts. */
  z.object({ id: z.int(), type: z.literal("campaign_changed"), data: z.object({ campaignId: z.int() }) }),
  /** The client's quota changed; carries the new balance. */
  z.object({ id: z.int(), type: z.literal("quota_changed"), data: z.object({ messageQuota: z.int() }) }),
  /** A webhook of the account was paused by the edge. */
  z.object({ id: z.int(), type: z.literal("webhooks_changed"), data: z.object({}) }),
  /** Rows of a file were imported; campaignId is null for the suppression list. */
  z.object({
    id: z.int(),
    type: z.literal("import_progress"),
    data: z.object({ campaignId: z.int().nullable(), importId: z.int(), rows: z.int(), done: z.boolean() }),
  }),
  /**
   * A client's campaign changed (for administrators): at most one event in two seconds per campaign, a status
   * change immediately.
   */
  z.object({ id: z.int(), type: z.literal("client_campaign"), data: campaignDataSchema }),
  /** A device appeared, disappeared or changed (for administrators). */
  z.object({ id: z.int(), type: z.literal("device_changed"), data: z.object({ siteId: z.int() }) }),
  /** An account changed (for administrators). */
  z.object({ id: z.int(), type: z.literal("account_changed"), data: z.object({ siteId: z.int() }) }),
  /** A line for the activity feed (for administrators). */
  z.object({ id: z.int(), type: z.literal("activity"), data: activityItemSchema }),
  /** An event that needs an administrator's attention. */
  z.object({
    id: z.int(),
    type: z.literal("alert"),
    data: z.object({ code: z.string(), message: z.string(), at: z.int() }),
  }),
  /** An alert was acknowledged, snoozed or returned, a message about one ended, or the choice of them changed. */
  z.object({ id: z.int(), type: z.literal("alerts_changed"), data: z.object({}) }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;
export type LiveEventType = LiveEvent["type"];

/** Close code of the server when the session is over (RFC 6455: codes from 4000 on are application codes). */
export const SESSION_OVER_CLOSE = 4401;

/** Least time between two progress events of one campaign. */
export const PROGRESS_EVERY_MS = 250;
