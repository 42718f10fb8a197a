/** The part of the fleet's state that campaigns' notices tell of, in one round trip. */
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import type { EdgeContext } from "../context.ts";
import { localDay } from "../queue/local_day.ts";
import { statement } from "../queue/statement.ts";

export interface Fleet {
  /** Devices that could send now, but for their cap. */
  devicesReady: number;
  /** Those of them with room left in their day. */
  devicesWithRoom: number;
  /** Sites that hold acknowledged deliveries and have not been heard of. */
  awaySites: AwaySite[];
}

export interface AwaySite {
  id: number;
  name: string;
  lastSeenAt: number | null;
}

const READY_DEVICES = `SELECT count(*) AS ready, coalesce(sum(used < cap), 0) AS with_room FROM (
  SELECT coalesce(sum(t.used), 0) AS used,
    coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'maxMessagesPerDay'),
      ${DEFAULT_SETTINGS.maxMessagesPerDay}) AS cap
  FROM sites s JOIN devices d ON d.site = s.id JOIN accounts a ON a.device = d.id
  LEFT JOIN account_days t ON t.account = a.id AND t.day = :day
  WHERE s.revoked = 0 AND s.stopped = 0 AND s.last_seen_at > :deadBefore
    AND d.state = 'online' AND d.stopped = 0 AND a.state = 'ok'
  GROUP BY d.id)`;
const AWAY_SITES = `SELECT id, name, last_seen_at FROM sites s
  WHERE coalesce(last_seen_at, 0) <= :deadBefore AND EXISTS (
    SELECT 1 FROM deliveries WHERE site = s.id AND state = 'leased' AND acked_at IS NOT NULL)
  ORDER BY id`;

/** Reads the fleet as it is now. */
export async function readFleet(ctx: EdgeContext): Promise<Fleet> {
  const now = ctx.now();
  const args = { day: localDay(now), deadBefore: now - DEAD_SOCKET_MS };
  const [devices, sites] = await ctx.db.batch(
    [statement(READY_DEVICES, args), statement(AWAY_SITES, args)],
    "read",
  );
  return {
    devicesReady: Number(devices.rows[0].ready),
    devicesWithRoom: Number(devices.rows[0].with_room),
    awaySites: sites.rows.map((row) => ({
      id: Number(row.id),
      name: String(row.name),
      lastSeenAt: row.last_seen_at === null ? null : Number(row.last_seen_at),
    })),
  };
}
