/** Lease times and limits that the edge and the agents share. */

/** Time that an offered lease waits for its acknowledgement before it returns to the queue. */
export const LEASE_TTL_MS = 60_000;
/** Longest time after its confirmation in which a delivery may be tapped. */
export const MAX_VALID_MS = 10 * 60_000;
/** Longest silence of an acknowledged lease before it is shown as unknown. */
export const SILENCE_LIMIT_MS = 24 * 60 * 60_000;
/** Deliveries a device may hold in addition to the current one; a small number limits the loss when a site dies. */
export const PREFETCH_PER_DEVICE = 2;
/** Most deliveries in reply to one pull. */
export const MAX_LEASE_ITEMS = 400;
/** Most items in one report. */
export const MAX_REPORT_ITEMS = 500;
/** Interval of an agent's heartbeats. */
export const HEARTBEAT_MS = 10_000;
/** A peer that is silent for this long counts as disconnected. */
export const DEAD_SOCKET_MS = 30_000;
/** The tap command refuses to tap when the phone's uptime is more than this after the journal entry `tapping`. */
export const TAP_DEADLINE_MS = 10_000;
/** How long an outcome stays in the agent's archive for a restored database. */
export const ARCHIVE_MS = 30 * 24 * 60 * 60_000;
/**
 * `not_before` of deliveries that wait for the return of their own account, because work does not move to other
 * accounts: the year 9999.
 */
export const PARKED = 253_402_300_799_000;
/**
 * A site's report about an account can arrive just before the inventory that shows the account's loss. The rows
 * wait this long for that inventory.
 */
export const ACCOUNT_WORD_MS = 10_000;
