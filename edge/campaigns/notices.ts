/** Why a campaign stands where it does: from its counters and the fleet's state, without counting its deliveries. */
import { EDITABLE_STATUSES, LIVE_STATUSES } from "shared/campaign.ts";
import type { CampaignNotice } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { type AwaySite, type Fleet, readFleet } from "./fleet.ts";
import type { CampaignRow } from "./read.ts";

/** What is known of the campaigns besides their own rows. */
interface Surroundings {
  fleet: Fleet;
  /** How many deliveries an away site holds, under `campaign:site`. */
  heldBySite: Map<string, number>;
  /** Every live campaign of the same clients that has something queued. */
  inLine: { id: number; client: number; sendAt: number }[];
  /** Rows of a running import taken in so far, by import. */
  importedRows: Map<number, number>;
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
  { fleet, heldBySite, inLine, importedRows }: Surroundings,
): CampaignNotice[] {
  const notices: CampaignNotice[] = [];
  if (row.status === "paused") notices.push({ code: pauseCode(row.pausedBy), count: row.queuedCount });
  const canSend = LIVE_STATUSES.includes(row.status) && row.queuedCount > 0;
  if (canSend && fleet.devicesReady === 0) notices.push({ code: "no_device" });
  for (const site of fleet.awaySites) {
    const count = heldBySite.get(`${row.id}:${site.id}`);
    if (count !== undefined) notices.push(waitingForSite(site, count));
  }
  if (canSend && fleet.devicesReady > 0 && fleet.devicesWithRoom === 0) {
    notices.push({ code: "cap_reached", count: row.queuedCount });
  }
  if (canSend && fleet.devicesWithRoom > 0 && row.leasedCount === 0) {
    const ahead = inLine.filter((other) =>
      other.client === row.client && other.id !== row.id && other.sendAt <= (row.sendAt ?? 0)
    );
    if (ahead.length > 0) notices.push({ code: "waiting_turn", count: ahead.length });
  }
  if (row.unknownCount > 0) notices.push({ code: "unknown_deliveries", count: row.unknownCount });
  if (row.runningImport !== null) {
    notices.push({ code: "import_running", count: importedRows.get(row.runningImport) });
  } else if (EDITABLE_STATUSES.includes(row.status) && row.queuedCount === 0) {
    notices.push({ code: "no_contacts" });
  }
  return notices;
}

function pauseCode(pausedBy: string | null): CampaignNotice["code"] {
  if (pausedBy === "client") return "paused_by_client";
  return pausedBy === "admin" ? "paused_by_admin" : "paused_by_rule";
}

function waitingForSite(site: AwaySite, count: number): CampaignNotice {
  return { code: "waiting_for_site", site: site.name, count, since: site.lastSeenAt ?? undefined };
}

// Sites hold a few deliveries a phone, and the partial index on (site) lists nothing else.
const HELD_BY_SITE = `SELECT campaign, site, count(*) AS held FROM deliveries
  WHERE state = 'leased' AND acked_at IS NOT NULL AND site IN (SELECT value FROM json_each(?))
    AND campaign IN (SELECT value FROM json_each(?))
  GROUP BY campaign, site`;
const IN_LINE = `SELECT id, client, send_at FROM campaigns
  WHERE client IN (SELECT value FROM json_each(?)) AND status IN ('processing', 'active') AND queued_count > 0`;
const IMPORTED_ROWS = `SELECT id, processed_rows FROM imports WHERE id IN (SELECT value FROM json_each(?))`;

async function readSurroundings(
  ctx: EdgeContext,
  rows: readonly CampaignRow[],
  fleet: Fleet,
): Promise<Surroundings> {
  const holding = rows.filter((row) => row.leasedCount > 0).map((row) => row.id);
  const clients = rows.filter((row) => LIVE_STATUSES.includes(row.status)).map((row) => row.client);
  const imports = rows.flatMap((row) => row.runningImport ?? []);
  const isQuiet = clients.length === 0 && imports.length === 0 &&
    (holding.length === 0 || fleet.awaySites.length === 0);
  if (isQuiet) return { fleet, heldBySite: new Map(), inLine: [], importedRows: new Map() };
  const [held, line, imported] = await ctx.db.batch([
    {
      sql: HELD_BY_SITE,
      args: [JSON.stringify(fleet.awaySites.map((site) => site.id)), JSON.stringify(holding)],
    },
    { sql: IN_LINE, args: [JSON.stringify([...new Set(clients)])] },
    { sql: IMPORTED_ROWS, args: [JSON.stringify(imports)] },
  ], "read");
  return {
    fleet,
    heldBySite: new Map(held.rows.map((row) => [`${row.campaign}:${row.site}`, Number(row.held)])),
    inLine: line.rows.map((row) => ({
      id: Number(row.id),
      client: Number(row.client),
      sendAt: Number(row.send_at),
    })),
    importedRows: new Map(imported.rows.map((row) => [Number(row.id), Number(row.processed_rows)])),
  };
}
