/** One line of the activity feed, the same in the HTTP answer and in the live event. */
import { z } from "zod";

const ACTIVITY_TYPES = ["success", "error", "warning", "info"] as const;
export const activityTypeSchema = z.enum(ACTIVITY_TYPES);
export type ActivityType = z.infer<typeof activityTypeSchema>;

export const activityItemSchema = z.object({
  /** Later lines have greater ids. */
  id: z.int(),
  type: activityTypeSchema,
  /** The event's code for programs; new codes may be added. */
  code: z.string(),
  /** A finished Hebrew sentence. */
  message: z.string(),
  /** The client, device or site concerned, shown on the second line; null when the sentence names it already. */
  detail: z.string().nullable(),
  timestamp: z.int(),
  deviceId: z.int().nullable(),
  siteId: z.int().nullable(),
  campaignId: z.int().nullable(),
  userId: z.int().nullable(),
});
export type ActivityItem = z.infer<typeof activityItemSchema>;
