/** Why a campaign stands where it does: from its counters and the fleet's state, without counting its deliveries. */
import type { Row } from "@libsql/client/web";
import { type CampaignStatus, EDITABLE_STATUSES, LIVE_STATUSES } from "shared/campaign.ts";
import type { CampaignNotice } from "shared/http_api.ts";
import { PARKED } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { type Signal, tripSentence } from "../health/breaker.ts";
import { nextHour } from "../health/account_room.ts";
import { HOURS_BIND, HOURS_WAIVED } from "../health/sending_hours.ts";
import { type AwaySite, type Fleet, type Hours, readFleet } from "./fleet.ts";
import type { CampaignRow } from "./read.ts";

/** Once sent they go by themselves: what the hours say of them is told. */
const GOING: readonly CampaignStatus[] = ["ready", ...LIVE_STATUSES];

/** What is known of the campaigns besides their own rows. */
interface Surroundings {
  now: number;
  fleet: Fleet;
  /** How many deliveries an away site holds, under `campaign:site`. */
  heldBySite: Map<string, number>;
  /** Every live campaign of the same clients that has something queued. */
  inLine: { id: number; client: number; sendAt: number }[];
  /** Rows of a running import taken in so far, by import. */
  importedRows: Map<number, number>;
  /** Why a breaker stopped a campaign, and when, by its id. */
  trips: Map<number, { reason: string; since: number }>;
  /** How many deliveries wait for the account they were given to, by campaign. */
  parked: Map<number, number>;
  /** Clients who said who advertises. */
  advertisers: Set<number>;
  /** Campaigns that are held to the sending hours now that they are closed, and those for which they were waived. */
  bound: Set<number>;
  waived: Set<number>;
}

/** The notices of one campaign, worst first. */
export async function readNotices(ctx: EdgeContext, row: CampaignRow): Promise<CampaignNotice[]> {
  const notices = await readNoticesOf(ctx, [row], await readFleet(ctx));
  return notices[0];
}

/** The notices of many campaigns, in their order; at most one round trip more. */
export async function readNoticesOf(
  ctx: EdgeContext,
  rows: readonly CampaignRow[],
  fleet: Fleet,
): Promise<CampaignNotice[][]> {
  const surroundings = await readSurroundings(ctx, rows, fleet);
  return rows.map((row) => noticesOf(row, surroundings));
}

function noticesOf(
  row: CampaignRow,
  { now, fleet, heldBySite, inLine, importedRows, trips, parked, advertisers, bound, waived }: Surroundings,
): CampaignNotice[] {
  const notices: CampaignNotice[] = [];
  if (row.status === "paused") notices.push(pauseNotice(row, trips));
  const canSend = LIVE_STATUSES.includes(row.status) && row.queuedCount > 0;
  const devices = row.image === null ? fleet.devices : fleet.pictureDevices;
  if (canSend && devices.all === 0) {
    notices.push({ code: fleet.devices.all === 0 ? "no_device" : "no_picture_account" });
  }
  for (const site of fleet.awaySites) {
    const count = heldBySite.get(`${row.id}:${site.id}`);
    if (count !== undefined) notices.push(waitingForSite(site, count));
  }
  const isClosed = bound.has(row.id);
  if (canSend && isClosed) {
    notices.push({ code: "outside_hours", count: row.queuedCount, until: fleet.hours.opensAt });
  }
  if (row.status === "ready" && isClosed) {
    notices.push({ code: "opens_later", until: fleet.hours.opensAt });
  }
  if (waived.has(row.id)) notices.push({ code: "hours_waived", since: row.hoursWaivedAt ?? undefined });
  if (canSend && row.pilotLast !== null) notices.push(pilotNotice(row));
  const kept = parked.get(row.id);
  if (kept !== undefined) notices.push({ code: "waiting_for_account", count: kept });
  if (canSend && devices.all > 0 && devices.withDay === 0) {
    notices.push({ code: "cap_reached", count: row.queuedCount });
  } else if (canSend && !isClosed && devices.withDay > 0 && devices.withRoom === 0) {
    notices.push({ code: "hour_reached", count: row.queuedCount, until: nextHour(now) });
  }
  if (canSend && !isClosed && devices.withRoom > 0 && row.leasedCount === 0) {
    const ahead = inLine.filter((other) =>
      other.client === row.client && other.id !== row.id && other.sendAt <= (row.sendAt ?? 0)
    );
    if (ahead.length > 0) notices.push({ code: "waiting_turn", count: ahead.length });
  }
  const isEditable = EDITABLE_STATUSES.includes(row.status);
  if (isEditable && row.kind === "marketing" && !advertisers.has(row.client)) {
    notices.push({ code: "advertiser_missing" });
  }
  if (row.unconsentedCount > 0) {
    notices.push({ code: "without_consent", count: row.unconsentedCount, since: row.sendAt ?? undefined });
  }
  if (row.unknownCount > 0) notices.push({ code: "unknown_deliveries", count: row.unknownCount });
  if (row.runningImport !== null) {
    notices.push({ code: "import_running", count: importedRows.get(row.runningImport) });
  } else if (isEditable && row.queuedCount === 0) {
    notices.push({ code: "no_contacts" });
  }
  if (row.cappedCount > 0) notices.push({ code: "frequency_capped", count: row.cappedCount });
  return notices;
}

function pauseNotice(row: CampaignRow, trips: Surroundings["trips"]): CampaignNotice {
  const count = row.queuedCount;
  if (row.trip !== null) {
    return { code: "paused_by_rule", count, trip: row.trip, ...trips.get(row.trip) };
  }
  if (row.pausedBy === "client") return { code: "paused_by_client", count };
  return { code: row.pausedBy === "admin" ? "paused_by_admin" : "paused_by_rule", count };
}

function pilotNotice(row: CampaignRow): CampaignNotice {
  const { pilotUntil, pilotCount, queuedCount } = row;
  return pilotUntil === null
    ? { code: "pilot_wave", count: pilotCount ?? 0 }
    : { code: "pilot_wait", count: queuedCount, until: pilotUntil, reason: waveSentence(row) };
}

/** The signals that decide whether the rest goes, as far as there are any. */
function waveSentence({ failedCount, unknownCount, optedOutCount }: CampaignRow): string {
  const signals = [
    failedCount > 0 && (failedCount === 1 ? "אחת נכשלה" : `${failedCount} נכשלו`),
    unknownCount > 0 && (unknownCount === 1 ? "אחת במצב לא ידוע" : `${unknownCount} במצב לא ידוע`),
    optedOutCount > 0 && (optedOutCount === 1 ? "נמען אחד ביקש הסרה" : `${optedOutCount} נמענים ביקשו הסרה`),
  ].filter((signal) => signal !== false);
  return signals.length === 0 ? "עד כה אין כשלים ואין בקשות הסרה." : `עד כה ${signals.join(", ")}.`;
}

function waitingForSite(site: AwaySite, count: number): CampaignNotice {
  return { code: "waiting_for_site", site: site.name, count, since: site.lastSeenAt ?? undefined };
}

// Sites hold a few deliveries a phone, and the partial index on (site) lists nothing else. Without the plus SQLite
// goes through every delivery of the campaigns.
const HELD_BY_SITE = `SELECT campaign, site, count(*) AS held FROM deliveries
  WHERE state = 'leased' AND acked_at IS NOT NULL AND site IN (SELECT value FROM json_each(?))
    AND +campaign IN (SELECT value FROM json_each(?))
  GROUP BY campaign, site`;
const IN_LINE = `SELECT id, client, send_at FROM campaigns
  WHERE client IN (SELECT value FROM json_each(?)) AND status IN ('processing', 'active') AND queued_count > 0`;
const TRIPS =
  `SELECT id, at, signal, count, sample FROM breaker_trips WHERE id IN (SELECT value FROM json_each(?))`;
// No more than accounts had in their hands.
const PARKED_ROWS = `SELECT campaign, count(*) AS parked FROM deliveries
  WHERE state = 'queued' AND not_before = ${PARKED} AND campaign IN (SELECT value FROM json_each(?)) GROUP BY campaign`;
const ADVERTISERS = "SELECT client FROM advertisers WHERE client IN (SELECT value FROM json_each(?))";
const HOURS = `SELECT c.id, ${HOURS_BIND} AS bound, ${HOURS_WAIVED} AS waived FROM campaigns c
  WHERE c.id IN (SELECT value FROM json_each(?))`;
const IMPORTED_ROWS = `SELECT id, processed_rows FROM imports WHERE id IN (SELECT value FROM json_each(?))`;

async function readSurroundings(
  ctx: EdgeContext,
  rows: readonly CampaignRow[],
  fleet: Fleet,
): Promise<Surroundings> {
  const holding = rows.filter((row) => row.leasedCount > 0).map((row) => row.id);
  const clients = rows.filter((row) => LIVE_STATUSES.includes(row.status)).map((row) => row.client);
  const imports = rows.flatMap((row) => row.runningImport ?? []);
  const trips = rows.flatMap((row) => row.status === "paused" ? row.trip ?? [] : []);
  const waiting = rows.filter((row) => LIVE_STATUSES.includes(row.status) && row.queuedCount > 0).map((row) =>
    row.id
  );
  const advertising = rows.flatMap((row) =>
    row.kind === "marketing" && EDITABLE_STATUSES.includes(row.status) ? row.client : []
  );
  const onHours = rows.filter((row) =>
    GOING.includes(row.status) && keepsHours(row, fleet.hours) &&
    (!fleet.hours.isOpen || row.hoursWaivedAt !== null)
  ).map((row) => row.id);
  const isQuiet = clients.length === 0 && advertising.length === 0 && imports.length === 0 &&
    trips.length === 0 && onHours.length === 0 &&
    (holding.length === 0 || fleet.awaySites.length === 0);
  if (isQuiet) {
    const none = { heldBySite: new Map(), importedRows: new Map(), trips: new Map(), parked: new Map() };
    return {
      now: ctx.now(),
      fleet,
      inLine: [],
      ...none,
      advertisers: new Set(),
      bound: new Set(),
      waived: new Set(),
    };
  }
  const [held, line, imported, tripped, kept, advertisers, hours] = await ctx.db.batch([
    {
      sql: HELD_BY_SITE,
      args: [JSON.stringify(fleet.awaySites.map((site) => site.id)), JSON.stringify(holding)],
    },
    { sql: IN_LINE, args: [JSON.stringify([...new Set(clients)])] },
    { sql: IMPORTED_ROWS, args: [JSON.stringify(imports)] },
    { sql: TRIPS, args: [JSON.stringify(trips)] },
    { sql: PARKED_ROWS, args: [JSON.stringify(waiting)] },
    { sql: ADVERTISERS, args: [JSON.stringify(advertising)] },
    { sql: HOURS, args: [JSON.stringify(onHours)] },
  ], "read");
  return {
    now: ctx.now(),
    fleet,
    heldBySite: new Map(held.rows.map((row) => [`${row.campaign}:${row.site}`, Number(row.held)])),
    inLine: line.rows.map((row) => ({
      id: Number(row.id),
      client: Number(row.client),
      sendAt: Number(row.send_at),
    })),
    trips: new Map(
      tripped.rows.map((row) => [Number(row.id), { reason: reasonOf(row), since: Number(row.at) }]),
    ),
    advertisers: new Set(advertisers.rows.map((row) => Number(row.client))),
    bound: idsOf(hours.rows.filter(({ bound }) => bound === 1 && !fleet.hours.isOpen)),
    waived: idsOf(hours.rows.filter(({ waived }) => waived === 1)),
    parked: new Map(kept.rows.map((row) => [Number(row.campaign), Number(row.parked)])),
    importedRows: new Map(imported.rows.map((row) => [Number(row.id), Number(row.processed_rows)])),
  };
}

/** As KEEPS_HOURS of SQL: where nobody keeps them, nothing is asked for that is polled all night. */
function keepsHours({ kind }: CampaignRow, { marketingKeeps, serviceKeeps }: Hours): boolean {
  return kind === "marketing" ? marketingKeeps : serviceKeeps;
}

function idsOf(rows: Row[]): Set<number> {
  return new Set(rows.map(({ id }) => Number(id)));
}

function reasonOf({ signal, count, sample }: Row): string {
  return tripSentence({ signal: signal as Signal, count: Number(count), sample: Number(sample) });
}
