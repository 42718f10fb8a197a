/**
 * Reads campaigns with everything that the screens show about them. A remote database is far away: one batch reads the
 * rows and the facts around them. One shared read of the fleet serves all users.
 */
import type { InStatement, InValue, ResultSet } from "@libsql/client/web";
import { getTableColumns } from "drizzle-orm";
import type { CampaignNotice } from "shared/http_api.ts";
import { DEAD_SOCKET_MS, PARKED } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { condition, everyColumn, jsonOf, orNull, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { readBatch } from "../db/write_batch.ts";
import { REACHED_COUNT } from "../queue/reached_before.ts";
import { statement } from "../db/statement.ts";
import { type Fleet, readFleet } from "./fleet.ts";
import { noticesOf, type Surroundings } from "./notices.ts";
import { type CampaignRow, campaigns, imports, users } from "../db/schema.ts";
import { type Trip, tripSentence } from "../text/trip_words.ts";

/** Selects campaigns, in SQL. */
export interface Which {
  /** The SQL after WHERE for campaigns `c`, with order and limit. */
  campaigns: string;
  /** The SQL after WHERE that selects other campaigns which may be sent before these. */
  line: string;
  /** Whether to count contacts reached in a restore's lost time. Only for one campaign, never in lists. */
  countsReached?: boolean;
}

export interface ShownCampaign {
  row: CampaignRow;
  notices: CampaignNotice[];
  /** The owner's name. */
  username: string;
}

export interface Shown {
  fleet: Fleet;
  campaigns: ShownCampaign[];
  /** Results of the further statements. */
  more: ResultSet[];
}

const IS_LIVE = "c.status IN ('processing', 'active')";
// Each subquery runs only for the campaigns it concerns. Its index lists at most as many rows as there are accounts or
// phones. For held deliveries SQLite needs the repeated `state <> 'queued'`; without the plus it scans everything that
// sites hold.
const AROUND = `(SELECT username FROM users WHERE id = c.client) AS username,
  CASE WHEN c.status = 'paused' THEN (
    SELECT json_object('at', at, 'signal', signal, 'count', count, 'sample', sample)
    FROM breaker_trips WHERE id = c.trip) END AS tripped,
  CASE WHEN ${IS_LIVE} AND c.queued_count > 0 THEN (SELECT count(*) FROM deliveries
    WHERE campaign = c.id AND state = 'queued' AND not_before = ${PARKED}
      AND account IN (SELECT id FROM accounts WHERE state <> 'ok')) ELSE 0 END AS parked,
  CASE WHEN c.leased_count > 0 AND EXISTS (SELECT 1 FROM away) THEN (
    SELECT json_group_object(site, held) FROM (SELECT site, count(*) AS held FROM deliveries
      WHERE campaign = c.id AND state <> 'queued' AND state = 'leased' AND acked_at IS NOT NULL
        AND +site IN (SELECT id FROM away) GROUP BY +site)) END AS held,
  (SELECT processed_rows FROM imports WHERE id = c.running_import) AS "importedRows",
  c.kind = 'marketing' AND c.sent_text IS NULL AS "isWordless",
  EXISTS (SELECT 1 FROM advertisers WHERE client = c.client) AS "hasAdvertiser"`;
const AWAY = `WITH away AS MATERIALIZED (SELECT id FROM sites s
  WHERE coalesce(last_seen_at, 0) <= :deadBefore AND EXISTS (
    SELECT 1 FROM deliveries WHERE site = s.id AND state = 'leased' AND acked_at IS NOT NULL))`;
const AROUND_REACHED = `CASE WHEN c.status = 'ready' AND EXISTS (SELECT 1 FROM lost_reaches)
  THEN ${REACHED_COUNT} ELSE 0 END AS reached`;
const rowsOf = (which: Which) =>
  `${AWAY} SELECT ${everyColumn(campaigns, "c")}, ${AROUND}, ${
    which.countsReached ? AROUND_REACHED : "0 AS reached"
  }
  FROM campaigns c WHERE ${which.campaigns}`;
const FIELDS = {
  ...getTableColumns(campaigns),
  username: users.username,
  tripped: jsonOf<Trip & { at: number }>(),
  parked: wholeNumber,
  held: jsonOf<Record<string, number>>(),
  importedRows: orNull(imports.processedRows),
  isWordless: condition,
  hasAdvertiser: condition,
  reached: wholeNumber,
};
const lineOf = (whose: string) =>
  `SELECT id, client, send_at FROM campaigns
  WHERE ${whose} AND status IN ('processing', 'active') AND queued_count > 0`;

/** Returns the campaigns, and runs the statements `more` in the same batch. */
export async function readShown(
  ctx: EdgeContext,
  which: Which,
  args: Record<string, InValue>,
  more: InStatement[] = [],
): Promise<Shown> {
  const now = ctx.now();
  const withTime = { ...args, deadBefore: now - DEAD_SOCKET_MS };
  const [fleet, shown] = await Promise.all([
    readFleet(ctx),
    readBatch(ctx.db, {
      campaigns: statement(rowsOf(which), withTime),
      line: statement(lineOf(which.line), withTime),
      more,
    }),
  ]);
  const inLine = rowsAs(shown.line, { id: campaigns.id, client: campaigns.client, sendAt: campaigns.sendAt });
  const shownCampaigns = rowsAs(shown.campaigns, FIELDS).map((row): ShownCampaign => ({
    row,
    notices: noticesOf(row, { now, fleet, inLine, ...aroundOf(row) }),
    username: row.username,
  }));
  return { fleet, campaigns: shownCampaigns, more: shown.more };
}

function aroundOf(
  { tripped, held, importedRows, parked, reached, isWordless, hasAdvertiser }: RowAs<typeof FIELDS>,
): Omit<Surroundings, "now" | "fleet" | "inLine"> {
  return {
    trip: tripped ? { reason: tripSentence(tripped), since: tripped.at } : undefined,
    parked,
    reached,
    heldBySite: held ?? {},
    importedRows: importedRows ?? undefined,
    isWordless,
    hasAdvertiser,
  };
}
