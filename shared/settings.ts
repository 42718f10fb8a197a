/** System settings with limits and defaults; one schema for the screen, the edge and the agent. */
import { z } from "zod";

export const settingsSchema = z.object({
  /** Messages that one device may send per day over all its accounts. */
  maxMessagesPerDay: z.int().min(1).max(10_000).default(250),
  /** Minimum seconds between two messages of one device, in steps of 0.1. */
  rateLimit: z.number().min(0).max(3600).multipleOf(0.1).default(1),
  warmupEnabled: z.boolean().default(true),
  autoFailover: z.boolean().default(true),
  /** Whether a client's next message to a person goes from the account of the last one while it can. */
  stickySender: z.boolean().default(true),
  enableNotifications: z.boolean().default(true),
  /** Share of its daily cap, in percent, that an account may send in one hour. */
  hourlyPercent: z.int().min(5).max(100).default(25),
  /** Messages that all unconfirmed accounts of one site together may send per day. */
  unconfirmedPerDay: z.int().min(0).max(10_000).default(40),
  /** Whether the sending hours apply to marketing. */
  sendingHoursEnforced: z.boolean().default(true),
  /** Whether they also apply to service; an administrator may make an exception for one campaign. */
  serviceHoursEnforced: z.boolean().default(false),
  /** First and last full hour (local time) of sending from Sunday to Thursday. */
  sendingOpensAt: z.int().min(7).max(11).default(9),
  sendingClosesAt: z.int().min(16).max(22).default(20),
  /**
   * The closing hour on Fridays and on the eves of holidays; even the latest allowed value is before sunset all
   * year.
   */
  fridayClosesAt: z.int().min(12).max(15).default(13),
  /** Days between two marketing messages of one client to one recipient; 0 means no limit. */
  frequencyCapDays: z.int().min(0).max(90).default(7),
  /**
   * Share of failures among the last outcomes of a campaign or an account, in percent, above which it is stopped;
   * 100 = never.
   */
  breakerFailedPercent: z.int().min(1).max(100).default(10),
  breakerUnknownPercent: z.int().min(1).max(100).default(5),
  breakerOptOutPercent: z.int().min(1).max(100).default(2),
  /** Days after a campaign's end until its recipients' numbers are deleted. */
  retentionDays: z.int().min(7).max(3650).default(90),
  /** Days without use after which a contact is removed from the lists. */
  contactsKeptDays: z.int().min(30).max(3650).default(730),
  /** Most contacts of one client over all campaigns, without deleted ones; further contacts are refused. */
  maxContactsPerClient: z.int().min(1_000).max(1_000_000_000).default(5_000_000),
  /** Whether administrators without a second factor can reach only their own account. */
  adminsNeedSecondFactor: z.boolean().default(false),
  /** Recipients of a client's day above which sends wait for an administrator's approval; 0 = never. */
  approvalFrom: z.int().min(0).max(1_000_000_000).default(0),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

/**
 * The direction in which each setting protects less: a switch turned off, a number moved up, down or either way, a bound raised or
 * lifted (0).
 * Null means no protection: without notices, alerts still appear in their panel. A shorter retention deletes for
 * ever, a longer one keeps longer.
 */
const WEAKER: Record<keyof Settings, "off" | "up" | "down" | "lifted" | "either" | null> = {
  maxMessagesPerDay: "up",
  rateLimit: "down",
  warmupEnabled: "off",
  autoFailover: null,
  stickySender: null,
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
  contactsKeptDays: "either",
  maxContactsPerClient: "up",
  adminsNeedSecondFactor: "off",
  approvalFrom: "lifted",
};

/**
 * Returns whether a save weakens a protection. Numbers within the recommended range are ordinary work: a change
 * counts only beyond the default.
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
      case "lifted":
        return (after || Infinity) > (before || Infinity);
      case "either":
        return after !== before;
      case null:
        return false;
    }
  });
}
