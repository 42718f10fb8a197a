/** Recomputes from the rows the values that triggers maintain, and returns every difference. */
import type { Client } from "@libsql/client/web";
import { readBatch } from "../db/write_batch.ts";
import { settingSql } from "../settings/setting_sql.ts";

/** A rule that does not hold. */
export interface Difference {
  rule: string;
  /** The row at fault, with its stored values and the recomputed ones. */
  found: Record<string, unknown>;
}

/**
 * A queued row of a cancelled campaign counts as cancelled unless a person resent it. It is refunded; its state is
 * written later.
 */
const READ_AS = `CASE WHEN d.state = 'queued' AND c.status = 'cancelled' AND d.resent = 0
  THEN 'cancelled' ELSE d.state END`;
const COUNTED = `WITH counted AS (
  SELECT c.id, ${
  ["queued", "leased", "sent", "failed", "unknown", "skipped", "cancelled"].map((state) =>
    `count(*) FILTER (WHERE ${READ_AS} = '${state}') AS ${state}`
  ).join(", ")
} FROM campaigns c LEFT JOIN deliveries d ON d.campaign = c.id GROUP BY c.id)`;

/** SQL: rows of the parts of campaign `c` that are fields; CASE, because only an object may be asked for a member. */
const NEEDED_FIELDS =
  `SELECT p.name FROM (SELECT CASE WHEN j.type = 'object' AND j.value ->> '$.fallback' IS NULL
    THEN j.value ->> '$.field' END AS name FROM json_each(c.sent_parts) j) p WHERE p.name IS NOT NULL`;

/** By rule: SQL that finds the rows that break it. */
const RULES: Record<string, string> = {
  "I7: counters are the sums of the states": `${COUNTED}
    SELECT c.id AS campaign, c.queued_count, c.leased_count, c.sent_count, c.failed_count, c.unknown_count,
      c.skipped_count, c.cancelled_count, n.queued, n.leased, n.sent, n.failed, n.unknown, n.skipped, n.cancelled
    FROM campaigns c JOIN counted n ON n.id = c.id
    WHERE (c.queued_count, c.leased_count, c.sent_count, c.failed_count, c.unknown_count, c.skipped_count,
      c.cancelled_count) <> (n.queued, n.leased, n.sent, n.failed, n.unknown, n.skipped, n.cancelled)`,
  "I3: a campaign's entries are what its rows hold": `${COUNTED}
    SELECT c.id AS campaign, c.reserved, n.queued + n.leased + n.sent + n.unknown AS held,
      (SELECT -coalesce(sum(delta), 0) FROM quota_ledger l WHERE l.campaign = c.id AND kind <> 'cover') AS paid
    FROM campaigns c JOIN counted n ON n.id = c.id
    WHERE c.status NOT IN ('draft', 'ready') AND paid <> held`,
  // A send that is taken back releases what it reserved.
  "I3: a campaign reserved what its send took": `SELECT c.id AS campaign, c.reserved FROM campaigns c
    WHERE c.reserved <> (SELECT -coalesce(sum(delta), 0) FROM quota_ledger l
      WHERE l.campaign = c.id AND kind IN ('reserve', 'release'))`,
  "I3: a campaign that is not sent holds nothing": `SELECT c.id AS campaign, c.status, c.reserved,
      (SELECT -coalesce(sum(delta), 0) FROM quota_ledger l WHERE l.campaign = c.id AND kind <> 'cover') AS paid
    FROM campaigns c WHERE c.status IN ('draft', 'ready') AND (c.reserved <> 0 OR paid <> 0)`,
  "I2: a campaign that is not sent has no leased row, no words of a send and no start":
    `SELECT c.id AS campaign,
      c.status, c.leased_count, c.first_leased_at, c.starts_at FROM campaigns c WHERE c.status IN ('draft', 'ready')
      AND (c.leased_count > 0 OR c.first_leased_at IS NOT NULL OR c.starts_at IS NOT NULL OR c.sent_text IS NOT NULL
        OR c.sent_parts IS NOT NULL OR c.required_fields IS NOT NULL)`,
  "I2: nothing is leased before its campaign starts": `SELECT d.id, d.campaign, d.leased_at, c.starts_at
    FROM deliveries d JOIN campaigns c ON c.id = d.campaign
    WHERE d.state = 'leased' AND d.leased_at < c.starts_at`,
  "I3: a balance is the sum of its entries and never negative": `SELECT u.id AS client, u.message_quota,
      (SELECT coalesce(sum(delta), 0) FROM quota_ledger l WHERE l.client = u.id) AS entries FROM users u
    WHERE u.message_quota < 0 OR u.message_quota <> entries`,
  "I3: every entry shows the balance after it": `SELECT * FROM (
      SELECT id, balance_after, sum(delta) OVER (PARTITION BY client ORDER BY id) AS summed FROM quota_ledger)
    WHERE balance_after <> summed`,
  "I1: a campaign runs exactly while it has queued or leased rows": `${COUNTED}
    SELECT c.id AS campaign, c.status, n.queued, n.leased FROM campaigns c JOIN counted n ON n.id = c.id
    WHERE (c.status IN ('processing', 'active', 'paused') AND n.queued + n.leased = 0)
      OR (c.status IN ('completed', 'completed_with_errors', 'failed') AND n.queued + n.leased > 0)`,
  "A leased row has a token, a site, an account and a day": `SELECT id FROM deliveries WHERE state = 'leased'
    AND (token IS NULL OR site IS NULL OR account IS NULL OR leased_day IS NULL)`,
  "Rule 12: no row rests where an open earlier attempt forbids": `SELECT d.id, d.state, d.by FROM deliveries d
    WHERE d.resent > 0 AND d.state IN ('failed', 'cancelled', 'skipped') AND d.by <> 2 AND EXISTS (
      SELECT 1 FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone AND r.known = 0)`,
  // Erasure takes the values of a test to oneself at any time.
  "A site holds no row that lacks a value which its message needs": `SELECT d.id, d.campaign
    FROM campaigns c CROSS JOIN deliveries d ON d.campaign = c.id AND d.state = 'leased' AND d.state <> 'queued'
    WHERE c.sent_parts IS NOT NULL AND c.variant_count IS NULL AND c.test_of IS NULL
      AND EXISTS (SELECT 1 FROM (${NEEDED_FIELDS}) n
      WHERE NOT EXISTS (SELECT 1 FROM json_each(d.fields) f WHERE f.key = n.name AND f.value <> ''))`,
  "A site holds no row that lacks a value which its text needs": `SELECT d.id, d.campaign, d.variant
    FROM sent_variants s JOIN deliveries d ON d.campaign = s.campaign AND d.variant = s.no
    WHERE d.state = 'leased' AND d.state <> 'queued' AND EXISTS (SELECT 1 FROM json_each(s.required_fields) n
      WHERE NOT EXISTS (SELECT 1 FROM json_each(d.fields) f WHERE f.key = n.value AND f.value <> ''))`,
  "The fields that a message needs are those of its parts":
    `SELECT c.id AS campaign, c.required_fields FROM campaigns c
    WHERE (c.sent_parts IS NULL AND c.required_fields IS NOT NULL)
      OR (SELECT count(DISTINCT name) FROM (${NEEDED_FIELDS})) <> coalesce(json_array_length(c.required_fields), 0)`,
  "A row is left out for a missing value only in a personal campaign": `SELECT d.id, d.campaign
    FROM deliveries d JOIN campaigns c ON c.id = d.campaign
    WHERE d.state = 'skipped' AND d.reason = 'value_missing' AND c.status NOT IN ('draft', 'ready') AND c.required_fields IS NULL
      AND NOT EXISTS (SELECT 1 FROM sent_variants s WHERE s.campaign = c.id AND s.required_fields IS NOT NULL)`,
  "I2: a row in a site's hands has exactly one of its campaign's texts": `SELECT d.id, d.campaign, d.variant,
      c.variant_count FROM deliveries d JOIN campaigns c ON c.id = d.campaign
    WHERE (d.variant IS NOT NULL AND (c.variant_count IS NULL OR d.variant NOT BETWEEN 1 AND c.variant_count))
      OR (d.state = 'leased' AND c.variant_count IS NOT NULL AND d.variant IS NULL)`,
  "Several texts are fixed with the send, each once":
    `SELECT c.id AS campaign, c.variant_count, c.winner, c.pilot_last
    FROM campaigns c WHERE (c.variant_count IS NULL AND (c.winner IS NOT NULL
        OR EXISTS (SELECT 1 FROM sent_variants s WHERE s.campaign = c.id)))
      OR (c.variant_count IS NOT NULL AND (c.variant_count < 2 OR c.sent_parts IS NULL OR c.variant_seed IS NULL
        OR (SELECT count(*) FROM sent_variants s WHERE s.campaign = c.id AND s.no <= c.variant_count) <> c.variant_count))
      OR (c.winner IS NOT NULL AND c.pilot_last IS NOT NULL)`,
  "I7: what came of a text is the sum of its rows": `SELECT s.campaign, s.no, s.sent, s.failed, s.unknown
    FROM sent_variants s WHERE (s.sent, s.failed, s.unknown) <> (
      SELECT count(*) FILTER (WHERE d.state = 'sent'), count(*) FILTER (WHERE d.state = 'failed'),
        count(*) FILTER (WHERE d.state = 'unknown')
      FROM deliveries d WHERE d.campaign = s.campaign AND d.variant = s.no)`,
  // A row that was forgotten or erased has an alias for a number.
  "I2: a row that is written again names the first row of the same person": `SELECT d.id, d.campaign, d.origin
    FROM deliveries d LEFT JOIN deliveries o ON o.id = d.origin
    WHERE d.origin IS NOT NULL AND (o.id IS NULL OR o.origin IS NOT NULL OR o.id >= d.id OR o.campaign = d.campaign
      OR (d.phone > 0 AND o.phone > 0 AND d.phone <> o.phone))`,
  "I2: at most one row of a message to a person is in a site's hands":
    `SELECT coalesce(d.origin, d.id) AS first,
      count(*) AS rows FROM deliveries d
    WHERE d.state = 'leased' AND (d.origin IS NOT NULL OR EXISTS (SELECT 1 FROM deliveries o WHERE o.origin = d.id))
    GROUP BY 1 HAVING count(*) > 1`,
  "A row is left out as reached only where the message was sent before":
    `SELECT d.id, d.campaign FROM deliveries d
    WHERE d.state = 'skipped' AND d.reason = 'reached_meanwhile' AND d.origin IS NULL
      AND NOT EXISTS (SELECT 1 FROM deliveries o WHERE o.origin = d.id)`,
  "A row waits for its sender only in the queue of a sent campaign":
    `SELECT d.id, d.state, d.awaits, c.status FROM deliveries d JOIN campaigns c ON c.id = d.campaign
    WHERE d.awaits IS NOT NULL AND (d.state <> 'queued' OR c.status IN ('draft', 'ready'))`,
  // One that waited in vain keeps `awaits` and has taken its place in the list again.
  "A row waits for no sender that cannot take it": `SELECT d.id, d.campaign, d.awaits, a.state, a.trip
    FROM deliveries d JOIN campaigns c ON c.id = d.campaign LEFT JOIN accounts a ON a.id = d.awaits
      LEFT JOIN devices p ON p.id = a.device LEFT JOIN sites s ON s.id = a.site
    WHERE d.state = 'queued' AND d.awaits IS NOT NULL AND d.not_before > 0
      AND c.status IN ('processing', 'active', 'paused')
      AND (a.state = 'ok' AND a.trip IS NULL AND p.state = 'online' AND p.stopped = 0 AND p.site_stopped IS NOT 1
        AND s.revoked = 0 AND s.stopped = 0 AND s.draining = 0 AND ${settingSql("stickySender")}
        AND (s.unconfirmed_rest IS NULL OR a.confirmed_at IS NOT NULL OR a.trusted = 1)) IS NOT 1`,
  // A restored database may have lost the account of a row that its site has reported since.
  "A sender wrote to the number in the campaign that it names": `SELECT s.campaign, s.account, d.id, d.state
    FROM senders s LEFT JOIN deliveries d ON d.campaign = s.campaign AND d.phone = s.phone
    WHERE d.state IS NOT 'sent' OR (d.resent = 0 AND d.account <> s.account)`,
  // A failed row was never tapped. When an unknown row becomes failed, it returns its room.
  "I6: a day's room covers what was leased from it": `SELECT d.account, d.leased_day, count(*) AS rows,
      (SELECT used FROM account_days t WHERE t.account = d.account AND t.day = d.leased_day) AS used
    FROM deliveries d WHERE d.state IN ('leased', 'sent', 'failed') AND d.account IS NOT NULL AND d.resent = 0
      AND NOT (d.state = 'failed' AND d.reason IN ('site_away_at_end', 'retries_exhausted'))
    GROUP BY d.account, d.leased_day HAVING used IS NULL OR used < rows`,
};

/** Checks every rule; returns an empty list when all hold. Reads whole tables: for tests and operators. */
export async function auditQueue(db: Client): Promise<Difference[]> {
  const results = await readBatch(db, RULES);
  return Object.entries(results).flatMap(([rule, { rows }]) =>
    rows.map((row) => ({ rule, found: { ...row } }))
  );
}
