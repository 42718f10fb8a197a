/** How many messages wait and for how long. Only live campaigns are counted, and these are few. */
import type { Client } from "@libsql/client/web";
import { SITES_CONNECTED } from "../admin/health.ts";
import { orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { readBatch } from "../db/write_batch.ts";
import { statement } from "../db/statement.ts";

export interface QueueFigures {
  queued: number;
  leased: number;
  /** Seconds that the oldest due delivery has waited; 0 when none is due. */
  oldestSeconds: number;
  sites: { connected: number; silent: number };
}

// A list waits from its start, a retry from its due time. One step of deliveries_queue for each campaign.
const OLDEST = `(SELECT max(d.not_before, coalesce(c.starts_at, c.send_at)) FROM deliveries d
  WHERE d.campaign = c.id AND d.state = 'queued' AND d.not_before <= :now ORDER BY d.not_before, d.id LIMIT 1)`;
const QUEUE =
  `SELECT coalesce(sum(queued), 0) AS queued, coalesce(sum(leased), 0) AS leased, min(oldest) AS oldest
  FROM (SELECT c.queued_count AS queued, c.leased_count AS leased, ${OLDEST} AS oldest FROM campaigns c
    WHERE c.status IN ('processing', 'active'))`;

/** Reads the figures in one round trip; `now` in milliseconds. */
export async function readQueueFigures(db: Client, now: number): Promise<QueueFigures> {
  const found = await readBatch(db, {
    queue: statement(QUEUE, { now }),
    sites: statement(SITES_CONNECTED, { now }),
  });
  const [queue] = rowsAs(found.queue, {
    queued: wholeNumber,
    leased: wholeNumber,
    oldest: orNull(wholeNumber),
  });
  const [sites] = rowsAs(found.sites, { total: wholeNumber, connected: wholeNumber });
  const { queued, leased, oldest } = queue!;
  const { total, connected } = sites!;
  return {
    queued,
    leased,
    oldestSeconds: oldest === null ? 0 : Math.max(0, now - oldest) / 1000,
    sites: { connected, silent: total - connected },
  };
}
