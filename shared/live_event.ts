/** The closed union of live events a browser hears on /ws, one sentence each. */
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
/** Absolute figures of one campaign at the moment of the event. */
export type CampaignEventData = z.infer<typeof campaignDataSchema>;

export const liveEventSchema = z.discriminatedUnion("type", [
  /** The first delivery of a campaign was taken by a phone (processing → active). */
  z.object({ id: z.int(), type: z.literal("campaign_started"), data: campaignDataSchema }),
  /** Counters moved; absolute, at most four a second per campaign. */
  z.object({ id: z.int(), type: z.literal("campaign_progress"), data: campaignDataSchema }),
  /** Every delivery was sent. */
  z.object({ id: z.int(), type: z.literal("campaign_completed"), data: campaignDataSchema }),
  /** The campaign ended in any other way (errors, failure, cancellation), or was a test to oneself. */
  z.object({ id: z.int(), type: z.literal("campaign_ended"), data: campaignDataSchema }),
  /** The campaign was paused by a person or by a rule. */
  z.object({ id: z.int(), type: z.literal("campaign_paused"), data: campaignDataSchema }),
  /** The campaign was made, edited, resumed, loaded with contacts or removed. */
  z.object({ id: z.int(), type: z.literal("campaign_changed"), data: z.object({ campaignId: z.int() }) }),
  /** The client's quota changed; carries the new balance. */
  z.object({ id: z.int(), type: z.literal("quota_changed"), data: z.object({ messageQuota: z.int() }) }),
  /** Rows of a file were taken in; campaignId is null for the suppression list. */
  z.object({
    id: z.int(),
    type: z.literal("import_progress"),
    data: z.object({ campaignId: z.int().nullable(), importId: z.int(), rows: z.int(), done: z.boolean() }),
  }),
  /** A client's campaign moved (administrators); one in two seconds for a campaign, its status at once. */
  z.object({ id: z.int(), type: z.literal("client_campaign"), data: campaignDataSchema }),
  /** A device appeared, vanished or changed (administrators). */
  z.object({ id: z.int(), type: z.literal("device_changed"), data: z.object({ siteId: z.int() }) }),
  /** An account changed (administrators). */
  z.object({ id: z.int(), type: z.literal("account_changed"), data: z.object({ siteId: z.int() }) }),
  /** A line for the activity feed (administrators). */
  z.object({ id: z.int(), type: z.literal("activity"), data: activityItemSchema }),
  /** Something an administrator must look at. */
  z.object({
    id: z.int(),
    type: z.literal("alert"),
    data: z.object({ code: z.string(), message: z.string(), at: z.int() }),
  }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;
export type LiveEventType = LiveEvent["type"];

/** The server closes a socket with this when the session behind it is over (RFC 6455: from 4000 on, our own). */
export const SESSION_OVER_CLOSE = 4401;

/** Least time between two progress events of one campaign. */
export const PROGRESS_EVERY_MS = 250;
