import type { InStatement, ResultSet } from "@libsql/client/web";
import { rowsAs } from "../db/query.ts";
import { deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** Column → value pairs of a campaign's absolute figures, as the trigger of its status writes them. */
const FIGURES = `json_object(
  'campaignId', id, 'name', name, 'status', status,
  'totalContacts', queued_count + leased_count + sent_count + failed_count + unknown_count + skipped_count
    + cancelled_count,
  'sentCount', sent_count, 'completedAt', completed_at,
  'counts', json_object('queued', queued_count, 'leased', leased_count, 'sent', sent_count,
    'failed', failed_count, 'unknown', unknown_count, 'skipped', skipped_count, 'cancelled', cancelled_count))`;

/**
 * Returns SQL that replaces the last progress event of the campaigns matching `where` with their current counters. A
 * reader that lags finds one row for each campaign, with a new id. Carriers of messages by call have none. Needs :now.
 */
export function progressWhere(where: string): string {
  return `INSERT OR REPLACE INTO events (at, type, client, campaign, data)
    SELECT :now, 'campaign_progress', client, id, ${FIGURES} FROM campaigns
    WHERE carrier_until IS NULL AND (${where})`;
}

const OF_LIST = progressWhere("id IN (SELECT value FROM json_each(:campaigns))");

/**
 * The progress of one campaign if the same transaction changed it: the trigger of its counters sets updated_at. Needs
 * :campaign.
 */
export const PROGRESS_IF_CHANGED = progressWhere("id = :campaign AND updated_at = :now");

/** Returns the progress events of campaigns whose deliveries moved in the same transaction. */
export function progressEvents(campaigns: Iterable<number>, now: number): InStatement {
  return statement(OF_LIST, { now, campaigns: JSON.stringify([...new Set(campaigns)]) });
}

/** Returns the campaign of each moved delivery, from the result of an UPDATE that ends with `RETURNING campaign`. */
export function campaignsOf(moved: ResultSet): number[] {
  return rowsAs(moved, { campaign: deliveries.campaign }).map(({ campaign }) => campaign);
}
