import type { Row } from "@libsql/client/web";

/**
 * SQL: what sites hold of the campaign :campaign. `state <> 'queued'` repeats the condition of a partial index; without
 * it SQLite goes through the whole list.
 */
export const HELD_OF_CAMPAIGN = "campaign = :campaign AND state = 'leased' AND state <> 'queued'";

/**
 * SQL that advises sites to give up acknowledged deliveries matching `where` (columns of `deliveries`): one event
 * for a site and token, carried to the agent by whichever instance holds its socket. Advice only: the rows wait
 * for the site's own word. `RETURNING data` tells how many. Needs :now.
 */
export function recallWhere(where: string): string {
  return `INSERT INTO events (at, type, site, campaign, data)
    SELECT :now, 'recall', site, campaign, json_object('token', token, 'phones', json_group_array('+' || phone))
    FROM deliveries
    WHERE state = 'leased' AND acked_at IS NOT NULL AND ${where}
    GROUP BY site, token
    RETURNING data`;
}

/** How many deliveries the events of `recallWhere()` name. */
export function countRecalled(rows: readonly Row[]): number {
  return rows.reduce((count, row) => count + JSON.parse(String(row.data)).phones.length, 0);
}
