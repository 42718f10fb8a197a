/** Times and bounds of the lease that the edge and the agents must agree on. */

/** How long an offered lease waits for its acknowledgement before it returns to the queue. */
export const LEASE_TTL_MS = 60_000;
/** Longest time within which a confirmed delivery may be tapped. */
export const MAX_VALID_MS = 10 * 60_000;
/** How long an acknowledged lease may stay silent before it is shown as unknown. */
export const SILENCE_LIMIT_MS = 24 * 60 * 60_000;
/** Deliveries a device may hold besides the one in hand: a dead site then strands little. */
export const PREFETCH_PER_DEVICE = 2;
/** Most deliveries one pull may receive. */
export const MAX_LEASE_ITEMS = 400;
/** Most items one report may carry. */
export const MAX_REPORT_ITEMS = 500;
/** How often an agent says it is alive. */
export const HEARTBEAT_MS = 10_000;
/** A peer that said nothing for this long is taken for gone. */
export const DEAD_SOCKET_MS = 30_000;
/** The tap command refuses to tap when the phone's uptime has passed this much after `tapping` was journaled. */
export const TAP_DEADLINE_MS = 10_000;
/** How long an outcome stays in the agent's archive for a restored database. */
export const ARCHIVE_MS = 30 * 24 * 60 * 60_000;
/** `not_before` of what waits for its own account to come back, because work does not move to others: the year 9999. */
export const PARKED = 253_402_300_799_000;
/**
 * A site reports what an account left a moment before its inventory says that the account is lost. For this long the
 * rows wait for that inventory.
 */
export const ACCOUNT_WORD_MS = 10_000;
