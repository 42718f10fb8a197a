/** How many contacts a client may still add, below the ceiling of the settings. */
import { settingSql } from "../settings/setting_sql.ts";

/** What a campaign keeps: its deliveries, and numbers left out for want of a consent. */
const KEPT = ["queued", "leased", "sent", "failed", "unknown", "skipped", "cancelled", "unconsented"]
  .map((what) => `${what}_count`).join(" + ");

/**
 * SQL: the room of client :client; below 0 = above the ceiling. By the counters of the campaigns, so that it costs some
 * microseconds a campaign however long the lists are. Asked in the transaction that adds, for two edges may add at once.
 */
export const CONTACT_ROOM = `(${settingSql("maxContactsPerClient")} - (SELECT coalesce(sum(${KEPT}), 0)
  FROM campaigns WHERE client = :client AND forgotten_at IS NULL AND test_of IS NULL))`;
