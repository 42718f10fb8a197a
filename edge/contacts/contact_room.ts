/** How many contacts a client may still add under the limit in the settings. */
import { settingSql } from "../settings/setting_sql.ts";

/** The counters of stored rows: deliveries, and numbers left out for lack of consent. */
const KEPT = ["queued", "leased", "sent", "failed", "unknown", "skipped", "cancelled", "unconsented"]
  .map((what) => `${what}_count`).join(" + ");

/**
 * SQL: how many contacts client :client may still add; below 0 = over the limit. It reads the campaigns' counters and
 * costs some microseconds per campaign, however long the lists are. Read it in the transaction that adds, because two
 * edges may add at once.
 */
export const CONTACT_ROOM = `(${settingSql("maxContactsPerClient")} - (SELECT coalesce(sum(${KEPT}), 0)
  FROM campaigns WHERE client = :client AND forgotten_at IS NULL AND test_of IS NULL AND carrier_until IS NULL))`;
