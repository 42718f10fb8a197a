/** The delivery state machine as data: states, who moved a row, why, and which moves are legal. */
import { z } from "zod";

export const DELIVERY_STATES = [
  "queued",
  "leased",
  "sent",
  "failed",
  "unknown",
  "skipped",
  "cancelled",
] as const;
export const deliveryStateSchema = z.enum(DELIVERY_STATES);
/** One of the seven states a delivery rests in; `leased` without an acknowledgement is called offered. */
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

/** Who made the last move of a delivery; stored as a number in `deliveries.by`. */
export const MOVED_BY = {
  edge: 0,
  site: 1,
  person: 2,
  clockOrRevoked: 3,
  journalLost: 4,
  earlierDoubt: 5,
  journalDoubted: 6,
} as const;
export type MovedBy = (typeof MOVED_BY)[keyof typeof MOVED_BY];

/**
 * Every legal move of a delivery, from → to; nothing else may be written.
 * The database refuses the rest by trigger, built from this same table.
 */
export const LEGAL_MOVES: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  queued: ["leased", "skipped", "cancelled", "sent", "unknown"],
  leased: ["sent", "failed", "unknown", "queued", "cancelled", "skipped"],
  sent: ["failed", "unknown"],
  failed: ["sent"],
  unknown: ["sent", "failed", "queued", "cancelled"],
  skipped: ["sent"],
  cancelled: ["sent"],
};

/** States in which a delivery still holds one unit of its client's quota. */
export const HOLDING_STATES: readonly DeliveryState[] = ["queued", "leased", "sent", "unknown"];

export const DELIVERY_REASONS = [
  // told by a site
  "not_on_app",
  "chat_not_opened",
  "draft_mismatch",
  "caption_not_shown",
  "image_unavailable",
  "device_offline",
  "account_banned",
  "account_restricted",
  "account_logged_out",
  "account_unavailable",
  "phone_screen_blocked",
  "tap_too_late",
  "send_not_verified",
  "agent_restarted",
  "no_go",
  "recalled",
  "validity_over",
  "draining",
  "retries_exhausted",
  // decided at the edge
  "site_silent",
  "site_revoked",
  "site_away_at_end",
  "journal_lost",
  "journal_doubted",
  "earlier_attempt_open",
  "opted_out",
  "frequency_cap",
  "cancelled_by_client",
  "cancelled_by_admin",
  "queues_cleared",
  "resolved_by_person",
] as const;
export const deliveryReasonSchema = z.enum(DELIVERY_REASONS);
/** Why a delivery rests where it does; the screen has one Hebrew sentence for each. */
export type DeliveryReason = z.infer<typeof deliveryReasonSchema>;

/** Waits before the first, second and third retry of a temporary failure; the fourth failure is final. */
export const RETRY_DELAYS_MS: readonly number[] = [60_000, 300_000, 1_800_000];
