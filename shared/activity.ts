/** One line of the activity feed, as the call and the live event carry it. */
import { z } from "zod";

export const ACTIVITY_TYPES = ["success", "error", "warning", "info"] as const;
export const activityTypeSchema = z.enum(ACTIVITY_TYPES);
export type ActivityType = z.infer<typeof activityTypeSchema>;

export const activityItemSchema = z.object({
  /** Grows with time. */
  id: z.int(),
  type: activityTypeSchema,
  /** What happened, for programs; the set is open. */
  code: z.string(),
  /** A finished Hebrew sentence. */
  message: z.string(),
  /** Whom or where it concerns, for the second line: a client, a device, a site; null when the sentence says it. */
  detail: z.string().nullable(),
  timestamp: z.int(),
  deviceId: z.int().nullable(),
  siteId: z.int().nullable(),
  campaignId: z.int().nullable(),
  userId: z.int().nullable(),
});
export type ActivityItem = z.infer<typeof activityItemSchema>;
