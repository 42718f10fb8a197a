/** Campaigns as clients and administrators see them: statuses, counters and the rules between them. */
import { z } from "zod";

export const CAMPAIGN_STATUSES = [
  "draft",
  "ready",
  "scheduled",
  "processing",
  "active",
  "paused",
  "completed",
  "completed_with_errors",
  "failed",
  "cancelled",
] as const;
export const campaignStatusSchema = z.enum(CAMPAIGN_STATUSES);
export type CampaignStatus = z.infer<typeof campaignStatusSchema>;

/** Statuses in which deliveries may be leased. */
export const LIVE_STATUSES: readonly CampaignStatus[] = ["processing", "active"];
/** Statuses in which text, image and contacts can still change. */
export const EDITABLE_STATUSES: readonly CampaignStatus[] = ["draft", "ready"];

/** undeclared = created by a call without a kind; counts as service. */
export const CAMPAIGN_KINDS = ["marketing", "service", "undeclared"] as const;
export const campaignKindSchema = z.enum(CAMPAIGN_KINDS);
export type CampaignKind = z.infer<typeof campaignKindSchema>;
/** Kinds that a person can choose. */
export const DECLARED_KINDS = ["marketing", "service"] as const;
export type DeclaredKind = (typeof DECLARED_KINDS)[number];

export const MAX_NAME_CHARS = 120;
/** The app's own limits for a text message and a caption are higher, but Android cuts longer intents. */
export const MAX_MESSAGE_CHARS = 4096;
/** Longest description of where recipients agreed to advertising. */
export const MAX_CONSENT_SOURCE_CHARS = 200;
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
export const MAX_IMAGE_PIXELS = 25_000_000;
export const MAX_CONTACT_FILE_BYTES = 10 * 1024 * 1024;

export const campaignCountsSchema = z.object({
  queued: z.int().min(0),
  leased: z.int().min(0),
  sent: z.int().min(0),
  failed: z.int().min(0),
  unknown: z.int().min(0),
  skipped: z.int().min(0),
  cancelled: z.int().min(0),
});
/** Number of a campaign's deliveries in each state. */
export type CampaignCounts = z.infer<typeof campaignCountsSchema>;

/** Most seconds that a send may wait. Until then nothing goes out, and the client can take it back. */
export const MAX_SEND_DELAY_SECONDS = 60;
/** The wait of a send from the screens. */
export const SEND_DELAY_SECONDS = 10;

/** Highest limit of a campaign's day. */
export const MAX_DAY_LIMIT = 1_000_000;
/** Farthest day ahead for which a campaign can be planned. */
export const MAX_PLAN_AHEAD_MS = 365 * 24 * 60 * 60_000;
/** A plan that could not start within this time waits for a person. */
export const PLAN_MISSED_MS = 60 * 60_000;
/**
 * Why a plan waits for a person: its time was missed by PLAN_MISSED_MS, its client was disabled, the database was
 * restored from a backup, or an administrator refused it, or did not approve it within PLAN_MISSED_MS of its time.
 */
export const PLAN_HOLDS = ["missed", "client_disabled", "restored", "not_approved"] as const;
export type PlanHold = (typeof PLAN_HOLDS)[number];

/** asked = an administrator decides; the others are the decision. */
export const APPROVAL_STATES = ["asked", "approved", "refused"] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Test messages that a client may send to themselves per day. */
export const TESTS_PER_DAY = 5;

/** Seconds per remaining message in the estimate (a stated product rule, not a measurement). */
export const ESTIMATE_SECONDS_PER_MESSAGE = 3;
