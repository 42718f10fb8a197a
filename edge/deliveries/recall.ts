import type { ResultSet } from "@libsql/client/web";
import { rowsAs } from "../db/query.ts";
import { events } from "../db/schema.ts";

/**
 * SQL: the deliveries of the campaign :campaign that sites hold. `state <> 'queued'` repeats the condition of a partial
 * index; without it SQLite scans the whole list.
 */
export const HELD_OF_CAMPAIGN = "campaign = :campaign AND state = 'leased' AND state <> 'queued'";

/**
 * Returns SQL that advises sites to give up acknowledged deliveries matching `where` (columns of `deliveries`). It
 * writes one event per site and token; the instance with the site's socket sends it. It is only advice: the rows wait
 * for the site's report. `RETURNING data` holds their number. Needs :now.
 */
export function recallWhere(where: string): string {
  return `INSERT INTO events (at, type, site, campaign, data)
    SELECT :now, 'recall', site, campaign, json_object('token', token, 'phones', json_group_array('+' || phone))
    FROM deliveries
    WHERE state = 'leased' AND acked_at IS NOT NULL AND ${where}
    GROUP BY site, token
    RETURNING data`;
}

/** Returns how many deliveries the events of `recallWhere()` name. */
export function countRecalled(result: ResultSet): number {
  return rowsAs(result, { data: events.data })
    .reduce((count, { data }) => count + JSON.parse(data).phones.length, 0);
}
