/** The delivery state machine as data: states, actors, reasons and legal moves. */
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
/** One of the seven states of a delivery; `leased` without an acknowledgement is called offered. */
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

/** Actors that can move a delivery; stored as a number in `deliveries.by`. */
export const MOVED_BY = {
  edge: 0,
  site: 1,
  person: 2,
  clockOrRevoked: 3,
  journalLost: 4,
  earlierDoubt: 5,
  journalDoubted: 6,
} as const;
export const movedBySchema = z.literal(Object.values(MOVED_BY));
export type MovedBy = z.infer<typeof movedBySchema>;

/** Steps in a delivery's history: its states, and the site's acknowledgements and give-ups. */
export const DELIVERY_STEPS = [...DELIVERY_STATES, "acked", "void"] as const;
export const deliveryStepNameSchema = z.enum(DELIVERY_STEPS);
export type DeliveryStepName = z.infer<typeof deliveryStepNameSchema>;

/** One kind of move a delivery may make. */
export interface LegalMove {
  from: DeliveryState;
  to: DeliveryState;
  /** Actors that may make the move. */
  by: readonly MovedBy[];
  /** Actors that must have made the state before; absent means any actor. */
  was?: readonly MovedBy[];
  /** For a leased row: whether its site has acknowledged it; absent means either. */
  acked?: boolean;
}

const { edge, site, person, clockOrRevoked, journalLost, earlierDoubt, journalDoubted } = MOVED_BY;
/**
 * Actors of rows that the row's own site may still settle. From a site with a doubted journal only `sent` is
 * accepted.
 */
const SITE_MAY_SETTLE = [site, clockOrRevoked, journalLost] as const;

/**
 * Lists every legal move of a delivery; the database refuses all others by trigger. A move within a state changes
 * the responsible actor. A site's `sent` is accepted from any state, because it is evidence of a tap.
 */
export const LEGAL_MOVES: readonly LegalMove[] = [
  { from: "queued", to: "leased", by: [edge] },
  { from: "queued", to: "skipped", by: [edge] },
  { from: "queued", to: "cancelled", by: [edge] },
  { from: "queued", to: "sent", by: [site] },
  { from: "queued", to: "unknown", by: [site, earlierDoubt] },
  { from: "leased", to: "sent", by: [site] },
  { from: "leased", to: "failed", by: [site] },
  { from: "leased", to: "queued", by: [site] },
  { from: "leased", to: "cancelled", by: [site] },
  { from: "leased", to: "unknown", by: [site, earlierDoubt] },
  { from: "leased", acked: false, to: "failed", by: [edge] },
  { from: "leased", acked: false, to: "queued", by: [edge] },
  { from: "leased", acked: false, to: "cancelled", by: [edge] },
  { from: "leased", acked: false, to: "skipped", by: [edge] },
  { from: "leased", acked: true, to: "unknown", by: [clockOrRevoked, journalLost, journalDoubted] },
  { from: "unknown", to: "sent", by: [site, person] },
  { from: "unknown", to: "failed", by: [person] },
  { from: "unknown", to: "queued", by: [person] },
  { from: "unknown", was: [...SITE_MAY_SETTLE, earlierDoubt], to: "failed", by: [site] },
  { from: "unknown", was: SITE_MAY_SETTLE, to: "queued", by: [site] },
  { from: "unknown", was: SITE_MAY_SETTLE, to: "cancelled", by: [site] },
  { from: "unknown", was: [clockOrRevoked, journalLost], to: "unknown", by: [site] },
  { from: "unknown", was: SITE_MAY_SETTLE, to: "unknown", by: [earlierDoubt, journalDoubted] },
  { from: "sent", was: [person], to: "sent", by: [site] },
  { from: "sent", was: [person], to: "failed", by: [site] },
  { from: "sent", was: [person], to: "unknown", by: [earlierDoubt] },
  { from: "failed", to: "sent", by: [site] },
  { from: "skipped", to: "sent", by: [site] },
  { from: "failed", was: [edge, site], to: "unknown", by: [site, earlierDoubt] },
  { from: "skipped", to: "unknown", by: [site, earlierDoubt] },
  { from: "cancelled", to: "sent", by: [site] },
  { from: "cancelled", to: "unknown", by: [site, earlierDoubt] },
];

/** A move of one delivery; `was` = the actor of the state before, `by` = the actor of the new state. */
export interface Move {
  from: DeliveryState;
  was: MovedBy;
  /** Whether the site acknowledged the row's last lease. */
  acked: boolean;
  to: DeliveryState;
  by: MovedBy;
}

/** Returns whether LEGAL_MOVES contains a move; the same state with the same `by` is not a move. */
export function isLegalMove({ from, was, acked, to, by }: Move): boolean {
  return LEGAL_MOVES.some((legal) =>
    legal.from === from && legal.to === to && legal.by.includes(by) &&
    (legal.was?.includes(was) ?? true) && (legal.acked === undefined || legal.acked === acked)
  );
}

export const DELIVERY_REASONS = [
  // reported by a site
  "not_on_app",
  "chat_not_opened",
  "chat_titled_by_name",
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
  "offer_expired",
  "offer_not_confirmed",
  "campaign_paused",
  "site_silent",
  "site_revoked",
  "site_away_at_end",
  "journal_lost",
  "journal_doubted",
  "earlier_attempt_open",
  "impossible_report",
  "opted_out",
  "frequency_cap",
  "reached_meanwhile",
  "value_missing",
  "cancelled_by_client",
  "cancelled_by_admin",
  "queues_cleared",
  "resolved_by_person",
] as const;
export const deliveryReasonSchema = z.enum(DELIVERY_REASONS);
/** The reason for a delivery's present state; the screen has one Hebrew sentence for each. */
export type DeliveryReason = z.infer<typeof deliveryReasonSchema>;

/** Waiting times before the first, second and third retry of a temporary failure; the fourth failure is final. */
export const RETRY_DELAYS_MS: readonly number[] = [60_000, 300_000, 1_800_000];
