/**
 * Reads campaigns with everything that the screens show about them. A remote database is far away: one batch reads the
 * rows and the facts around them. One shared read of the fleet serves all users.
 */
import type { InStatement, InValue, ResultSet } from "@libsql/client/web";
import { getTableColumns } from "drizzle-orm";
import type { Approval } from "shared/approval_api.ts";
import type { CampaignNotice, Estimate } from "shared/http_api.ts";
import { DEAD_SOCKET_MS, PARKED } from "shared/lease.ts";
import { STALL_MS } from "shared/standing.ts";
import type { EdgeContext } from "../context.ts";
import { condition, everyColumn, jsonOf, orNull, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { readBatch } from "../db/write_batch.ts";
import { REACHED_COUNT } from "../queue/reached_before.ts";
import { APPROVAL_FROM, type DaySum, dayTotal, exceedsDay, planSum } from "../queue/approval.ts";
import { NEEDED } from "../queue/send.ts";
import { HAS_DAY_LEFT, USED_TODAY } from "../queue/day_limit.ts";
import { HAS_STARTED } from "../queue/take_back.ts";
import { statement } from "../db/statement.ts";
import { type Fleet, readFleet } from "./fleet.ts";
import { PACE_WINDOW_MS, type PaceMark } from "./estimate_end.ts";
import { estimateOf, hoursThatBind, type NextRow, noticesOf, paceOf, type Surroundings } from "./notices.ts";
import { localDay } from "../time/local_day.ts";
import { HOURS_ALLOW, hoursArgs, type SendingHours } from "../time/sending_hours.ts";
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
  /** A time, ms, at which they would start, for their estimates; absent = as they stand. */
  considered?: number;
}

export interface ShownCampaign {
  row: CampaignRow;
  notices: CampaignNotice[];
  pace: number | null;
  estimate: Estimate | null;
  hours: SendingHours | null;
  approval: Approval | null;
  /** The owner's name. */
  username: string;
}

export interface Shown {
  fleet: Fleet;
  campaigns: ShownCampaign[];
  /** Results of the further statements. */
  more: ResultSet[];
}

const READY_SUM: DaySum = {
  campaign: "c.id",
  client: "c.client",
  own: `(${NEEDED})`,
  day: ":day",
  pressedAt: ":now",
};
const approvalOf = (sum: DaySum) =>
  `SELECT json_object('total', ${
    dayTotal(sum)
  }, 'from', ${APPROVAL_FROM}, 'state', coalesce(a.state, 'needed'),
      'reason', a.reason, 'hasChanged', a.state IS NULL AND EXISTS (SELECT 1 FROM approvals e WHERE e.campaign = c.id))
    FROM (SELECT 1) LEFT JOIN approvals a ON a.campaign = c.id AND a.revision = c.revision WHERE ${
    exceedsDay(sum)
  }`;
const APPROVAL = `iif(c.status = 'scheduled', (${approvalOf(planSum("c"))}), (${approvalOf(READY_SUM)}))`;
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
  -- Each reads one entry of the index of the queue. Its condition on not_before keeps SQLite to that index.
  CASE WHEN ${IS_LIVE} AND c.queued_count > 0 THEN (
    SELECT json_object('notBefore', not_before, 'reason', reason, 'awaits', awaits) FROM deliveries
    WHERE campaign = c.id AND state = 'queued' AND not_before >= 0 ORDER BY not_before LIMIT 1) END AS next,
  CASE WHEN ${IS_LIVE} AND c.queued_count > 0 THEN (SELECT iif(awaits IS NULL, not_before, 0) FROM deliveries
    WHERE campaign = c.id AND state = 'queued' AND not_before >= 0 AND not_before < ${PARKED}
    ORDER BY not_before DESC LIMIT 1) END AS "lastNotBefore",
  CASE WHEN ${IS_LIVE} AND c.leased_count > 0 AND coalesce(c.last_sent_at, 0) <= :stillBefore THEN (
    SELECT json_object('site', s.name, 'count', held.n, 'since', held.since) FROM (
      SELECT +site AS site, count(*) AS n, min(acked_at) AS since FROM deliveries
      WHERE campaign = c.id AND state <> 'queued' AND state = 'leased' AND acked_at <= :stillBefore
      GROUP BY +site ORDER BY n DESC LIMIT 1) held
    JOIN sites s ON s.id = held.site AND s.last_seen_at > :deadBefore) END AS silent,
  CASE WHEN ${IS_LIVE} AND coalesce(c.last_sent_at, 0) <= :stillBefore THEN (SELECT max(at) FROM audit_log
    WHERE at > :stillBefore AND actor IS NOT NULL
      AND (campaign = c.id OR (campaign IS NULL AND coalesce(site, device) IS NOT NULL))) END AS "actedAt",
  CASE WHEN ${IS_LIVE} THEN (SELECT json_object('at', at, 'outcomes', outcomes) FROM campaign_marks
    WHERE campaign = c.id AND at >= :paceSince ORDER BY outcomes LIMIT 1) END AS mark,
  CASE WHEN c.status IN ('ready', 'scheduled') AND c.test_of IS NULL AND ${APPROVAL_FROM} > 0 THEN ${APPROVAL} END AS approval,
  CASE WHEN c.day_limit IS NULL THEN 0 ELSE ${USED_TODAY} END AS "usedToday",
  (SELECT processed_rows FROM imports WHERE id = c.running_import) AS "importedRows",
  c.kind = 'marketing' AND c.sent_text IS NULL AS "isWordless",
  EXISTS (SELECT 1 FROM advertisers WHERE client = c.client) AS "hasAdvertiser",
  EXISTS (SELECT 1 FROM advertisers WHERE client = c.client
    AND (contact_email <> '' OR (removal_link AND :makesLinks))) AS "canRefuseOnline"`;
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
  canRefuseOnline: condition,
  reached: wholeNumber,
  next: jsonOf<NextRow>(),
  lastNotBefore: orNull(wholeNumber),
  silent: jsonOf<NonNullable<Surroundings["silent"]>>(),
  mark: jsonOf<PaceMark>(),
  actedAt: orNull(wholeNumber),
  usedToday: wholeNumber,
  approval: jsonOf<Omit<Approval, "hasChanged"> & { hasChanged: number }>(),
};
// As CHOOSE of the claim asks (queue/lease.ts).
const IS_DUE =
  `(${HOURS_ALLOW} AND ${HAS_DAY_LEFT} AND ${HAS_STARTED} AND (c.kind <> 'marketing' OR c.sent_text IS NOT NULL)
  AND CASE WHEN c.pilot_last IS NULL THEN EXISTS (
    SELECT 1 FROM deliveries d WHERE d.campaign = c.id AND d.state = 'queued' AND d.not_before <= :now)
  ELSE EXISTS (SELECT 1 FROM deliveries d
    WHERE d.campaign = c.id AND d.state = 'queued' AND d.not_before = 0 AND d.id <= c.pilot_last) END)`;
const lineOf = (whose: string) =>
  `SELECT c.id, c.client, c.kind, c.send_at, c.queued_count + c.leased_count AS messages, c.image IS NOT NULL AS "hasPicture",
    c.sent_parts IS NOT NULL AS "isPersonal",
    ${IS_DUE} AS "isDue"
  FROM campaigns c WHERE ${whose} AND c.status IN ('processing', 'active') AND c.queued_count > 0`;

/** Returns the campaigns, and runs the statements `more` in the same batch. */
export async function readShown(
  ctx: EdgeContext,
  which: Which,
  args: Record<string, InValue>,
  more: InStatement[] = [],
): Promise<Shown> {
  const now = ctx.now();
  const withTime = {
    ...args,
    now,
    deadBefore: now - DEAD_SOCKET_MS,
    paceSince: now - PACE_WINDOW_MS,
    stillBefore: now - STALL_MS,
    day: localDay(now),
    makesLinks: ctx.linkOrigin !== undefined,
  };
  const [fleet, shown] = await Promise.all([
    readFleet(ctx),
    readBatch(ctx.db, {
      campaigns: statement(rowsOf(which), withTime),
      line: statement(lineOf(which.line), { ...withTime, ...hoursArgs(now) }),
      more,
    }),
  ]);
  const inLine = rowsAs(shown.line, {
    id: campaigns.id,
    client: campaigns.client,
    sendAt: campaigns.sendAt,
    messages: wholeNumber,
    kind: campaigns.kind,
    hasPicture: condition,
    isPersonal: condition,
    isDue: condition,
  });
  const shownCampaigns = rowsAs(shown.campaigns, FIELDS).map((row): ShownCampaign => {
    const around = { now, fleet, inLine, considered: which.considered, ...aroundOf(row) };
    const notices = noticesOf(row, around);
    const { username } = row;
    return {
      row,
      notices,
      pace: paceOf(row, around),
      estimate: estimateOf(row, around, notices),
      hours: hoursThatBind(row, fleet),
      approval: around.approval,
      username,
    };
  });
  return { fleet, campaigns: shownCampaigns, more: shown.more };
}

function aroundOf(
  {
    tripped,
    held,
    importedRows,
    parked,
    reached,
    isWordless,
    hasAdvertiser,
    canRefuseOnline,
    next,
    lastNotBefore,
    silent,
    mark,
    actedAt,
    usedToday,
    approval,
  }: RowAs<typeof FIELDS>,
): Omit<Surroundings, "now" | "fleet" | "inLine" | "considered"> {
  return {
    trip: tripped ? { reason: tripSentence(tripped), since: tripped.at } : undefined,
    parked,
    reached,
    heldBySite: held ?? {},
    importedRows: importedRows ?? undefined,
    isWordless,
    hasAdvertiser,
    canRefuseOnline,
    next,
    lastNotBefore: lastNotBefore ?? 0,
    silent,
    mark,
    actedAt: actedAt ?? 0,
    usedToday,
    approval: approval && { ...approval, hasChanged: approval.hasChanged === 1 },
  };
}
