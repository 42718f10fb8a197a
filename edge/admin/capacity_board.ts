/** The capacity board: what is left today by site, the queue against it, and when each campaign ends. */
import {
  type Capacity,
  CAPACITY_CAMPAIGNS,
  type CapacityCampaign,
  type CapacitySite,
} from "shared/admin_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { saysWhy } from "../campaigns/notices.ts";
import { readShown } from "../campaigns/read_shown.ts";
import { viewCampaign } from "../campaigns/view.ts";
import type { EdgeContext } from "../context.ts";
import { type RowAs, rowsAs, wholeNumber, wordOf } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { capacityArgs, capacityTables, DEVICE_WORKS, siteRooms } from "../health/capacity.ts";

// As large as the fleet: devices, accounts and their rows of today, each once.
const SITES = `WITH ${capacityTables("s.revoked = 0")},
  at_work AS MATERIALIZED (SELECT r.* FROM device_rooms r JOIN devices d ON d.id = r.device JOIN sites s ON s.id = d.site
    WHERE ${DEVICE_WORKS}),
  working AS MATERIALIZED (${siteRooms("at_work r")}),
  everything AS MATERIALIZED (${siteRooms("device_rooms r")}),
  phones AS MATERIALIZED (SELECT d.site, count(*) AS n, coalesce(sum(r.used), 0) AS used
    FROM devices d LEFT JOIN device_rooms r ON r.device = d.id GROUP BY d.site),
  ready AS MATERIALIZED (SELECT site, count(*) AS n FROM at_work WHERE now_left > 0 GROUP BY site)
  SELECT s.id, s.name, CASE WHEN s.stopped THEN 'stopped' WHEN coalesce(s.last_seen_at, 0) <= :deadBefore THEN 'away'
      WHEN s.draining THEN 'draining' ELSE 'working' END AS state,
    coalesce(w.now_left, 0) AS "leftNow", coalesce(w.day_left, 0) AS "leftToday",
    coalesce(e.day_left, 0) - coalesce(w.day_left, 0) AS "leftAway", coalesce(w.cap, 0) AS "capPerDay",
    coalesce(p.used, 0) AS "usedToday", coalesce(p.n, 0) AS phones, coalesce(y.n, 0) AS "phonesReady"
  FROM sites s LEFT JOIN working w ON w.site = s.id LEFT JOIN everything e ON e.site = s.id
    LEFT JOIN phones p ON p.site = s.id LEFT JOIN ready y ON y.site = s.id
  WHERE s.revoked = 0 AND coalesce(s.public_key, s.last_seen_at) IS NOT NULL
  ORDER BY "leftToday", s.name`;
// An index lists the running and the paused campaigns.
const QUEUE = `SELECT
    coalesce(sum(queued_count + leased_count) FILTER (WHERE status <> 'paused'), 0) AS waiting,
    coalesce(sum(queued_count + leased_count) FILTER (WHERE status = 'paused'), 0) AS "waitingPaused",
    count(*) FILTER (WHERE status <> 'paused' AND test_of IS NULL AND carrier_until IS NULL) AS running
  FROM campaigns WHERE status IN ('processing', 'active', 'paused')`;
const RUNNING = {
  campaigns: `c.id IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active')
    AND test_of IS NULL AND carrier_until IS NULL
    ORDER BY send_at, id LIMIT ${CAPACITY_CAMPAIGNS}) ORDER BY c.send_at, c.id`,
  line: "1",
};

const SITE_FIELDS = {
  id: sites.id,
  name: sites.name,
  state: wordOf<CapacitySite["state"]>(),
  leftNow: wholeNumber,
  leftToday: wholeNumber,
  leftAway: wholeNumber,
  capPerDay: wholeNumber,
  usedToday: wholeNumber,
  phones: wholeNumber,
  phonesReady: wholeNumber,
};
const QUEUE_FIELDS = { waiting: wholeNumber, waitingPaused: wholeNumber, running: wholeNumber };

/** Returns the board. It reads no deliveries but the first and last queued one of each listed campaign. */
export async function readCapacity(ctx: EdgeContext): Promise<Capacity> {
  const now = ctx.now();
  const args = { ...capacityArgs(now), deadBefore: now - DEAD_SOCKET_MS };
  const { fleet, campaigns, more: [siteRows, queue] } = await readShown(ctx, RUNNING, {}, [
    statement(SITES, args),
    statement(QUEUE, {}),
  ]);
  const found = rowsAs(siteRows!, SITE_FIELDS);
  const { waiting, waitingPaused, running } = rowsAs(queue!, QUEUE_FIELDS)[0]!;
  const shown = campaigns.map((one) => ({
    stands: saysWhy(one.row, one.notices),
    campaign: { ...viewCampaign(ctx, one), client: { id: one.row.client, username: one.username } },
  }));
  shown.sort((a, b) => Number(b.stands) - Number(a.stands) || endOf(a.campaign) - endOf(b.campaign));
  return {
    at: now,
    total: {
      leftNow: sumOf(found, "leftNow"),
      leftToday: sumOf(found, "leftToday"),
      usedToday: sumOf(found, "usedToday"),
      capPerDay: sumOf(found, "capPerDay"),
      phones: sumOf(found, "phones"),
      phonesReady: sumOf(found, "phonesReady"),
    },
    waiting,
    waitingPaused,
    hours: { isOpen: fleet.hours.isOpen, opensAt: fleet.hours.opensAt },
    sites: found,
    campaigns: shown.map(({ campaign }): CapacityCampaign => {
      const { id, name, kind, status, totalContacts, sentCount, pace, estimate, notices, client, counts } =
        campaign;
      const waiting = counts.queued + counts.leased;
      return { id, name, kind, status, totalContacts, sentCount, pace, estimate, notices, client, waiting };
    }),
    campaignsRunning: running,
  };
}

function endOf({ estimate }: Pick<CapacityCampaign, "estimate">): number {
  return estimate?.endsAt ?? 0;
}

function sumOf(rows: readonly RowAs<typeof SITE_FIELDS>[], field: keyof Capacity["total"]): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}
