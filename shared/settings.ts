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
  /** Messages that all accounts of one site that nobody confirmed may take in a day together. */
  unconfirmedPerDay: z.int().min(0).max(10_000).default(40),
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
  /** Contacts that one client keeps over all campaigns, those that were forgotten left out; more are refused. */
  maxContactsPerClient: z.int().min(1_000).max(1_000_000_000).default(5_000_000),
  /** Whether administrators without a second factor get no further than their own account. */
  adminsNeedSecondFactor: z.boolean().default(false),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

/**
 * How each setting protects less: a switch turned off, a number moved up, down or either way. Null = it protects
 * nobody: without notices, alerts still stand in their panel. A shorter retention deletes for ever, a longer one keeps
 * longer.
 */
const WEAKER: Record<keyof Settings, "off" | "up" | "down" | "either" | null> = {
  maxMessagesPerDay: "up",
  rateLimit: "down",
  warmupEnabled: "off",
  autoFailover: null,
  enableNotifications: null,
  hourlyPercent: "up",
  unconfirmedPerDay: "up",
  sendingHoursEnforced: "off",
  serviceHoursEnforced: "off",
  sendingOpensAt: "down",
  sendingClosesAt: "up",
  fridayClosesAt: "up",
  frequencyCapDays: "down",
  breakerFailedPercent: "up",
  breakerUnknownPercent: "up",
  breakerOptOutPercent: "up",
  retentionDays: "either",
  maxContactsPerClient: "up",
  adminsNeedSecondFactor: "off",
};

/**
 * Whether a save takes a protection away. Numbers that move within what the product recommends are ordinary work: they
 * count only beyond the default.
 */
export function protectsLess(was: Settings, is: Settings): boolean {
  return (Object.keys(WEAKER) as (keyof Settings)[]).some((key) => {
    const [before, after, usual] = [Number(was[key]), Number(is[key]), Number(DEFAULT_SETTINGS[key])];
    switch (WEAKER[key]) {
      case "off":
        return after < before;
      case "up":
        return after > before && after > usual;
      case "down":
        return after < before && after < usual;
      case "either":
        return after !== before;
      case null:
        return false;
    }
  });
}
