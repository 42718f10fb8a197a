/** System settings with their bounds and defaults; one schema for the screen, the edge and the agent. */
import { z } from "zod";

export const settingsSchema = z.object({
  /** Messages one device may send in a day over all its accounts. */
  maxMessagesPerDay: z.int().min(1).max(10_000).default(250),
  /** Least seconds between two messages of one device, in steps of 0.1. */
  rateLimit: z.number().min(0).max(3600).multipleOf(0.1).default(1),
  warmupEnabled: z.boolean().default(true),
  autoFailover: z.boolean().default(true),
  enableNotifications: z.boolean().default(true),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});
