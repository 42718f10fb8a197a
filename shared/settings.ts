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
  /** Share of its day, in percent, that an account may send in one hour. */
  hourlyPercent: z.int().min(5).max(100).default(25),
  /** Whether marketing keeps to the sending hours. */
  sendingHoursEnforced: z.boolean().default(true),
  /** Whether service keeps to them too; an administrator may let one campaign pass by them. */
  serviceHoursEnforced: z.boolean().default(false),
  /** Full hours of the local clock between which is sent from Sunday to Thursday. */
  sendingOpensAt: z.int().min(7).max(11).default(9),
  sendingClosesAt: z.int().min(16).max(22).default(20),
  /** The same hour on Fridays and on the eves of holidays; the latest is before sunset all year. */
  fridayClosesAt: z.int().min(12).max(15).default(13),
  /** Days within which one client sends one recipient one marketing message; 0 = no such limit. */
  frequencyCapDays: z.int().min(0).max(90).default(7),
  /** Shares of a campaign's or an account's last outcomes, in percent, above which it is stopped; 100 = never. */
  breakerFailedPercent: z.int().min(1).max(100).default(10),
  breakerUnknownPercent: z.int().min(1).max(100).default(5),
  breakerOptOutPercent: z.int().min(1).max(100).default(2),
  /** Days after a campaign's end after which its recipients' numbers are forgotten. */
  retentionDays: z.int().min(7).max(3650).default(90),
  /** Whether administrators without a second factor get no further than their own account. */
  adminsNeedSecondFactor: z.boolean().default(false),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});
