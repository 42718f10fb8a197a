import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { NOT_CONNECTED } from "../devices/device_now.ts";
import { BAN_REMEMBERED_MS } from "../health/account_risk.ts";
import { statement } from "../db/statement.ts";

const HOUR_MS = 60 * 60_000;
/** Most hours to look back after a long time without a measurement. */
const MOST_HOURS = 48;

// Sums every hour from the last measured one on: outcomes may have arrived in it after the measurement.
const SENT = `INSERT INTO fleet_hours (hour, sent) SELECT hour, sum(sent) FROM account_hours
  WHERE hour >= max(:hour - ${MOST_HOURS},
    coalesce((SELECT max(hour) FROM fleet_hours WHERE measured_at IS NOT NULL AND hour <= :hour), 0))
  GROUP BY hour ON CONFLICT (hour) DO UPDATE SET sent = excluded.sent`;
const MEASURE =
  `INSERT INTO fleet_hours (hour, devices, sessions, accounts, banned, measured_at) VALUES (:hour,
    (SELECT count(*) FROM devices d JOIN sites s ON s.id = d.site WHERE s.revoked = 0),
    (SELECT count(*) FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site
      WHERE s.revoked = 0 AND a.state = 'ok' AND d.proof_at > :now - ${DEAD_SOCKET_MS}
        AND d.state NOT IN (${NOT_CONNECTED.map((state) => `'${state}'`).join()})),
    (SELECT count(*) FROM accounts a JOIN sites s ON s.id = a.site WHERE s.revoked = 0),
    (SELECT count(*) FROM accounts a JOIN sites s ON s.id = a.site
      WHERE s.revoked = 0 AND a.banned_at > :now - ${BAN_REMEMBERED_MS}),
    :now)
  ON CONFLICT (hour) DO UPDATE SET devices = excluded.devices, sessions = excluded.sessions,
    accounts = excluded.accounts, banned = excluded.banned, measured_at = excluded.measured_at`;

/** Counts the fleet into the current hour of `fleet_hours`; a tick, so that no screen has to count. */
export async function measureFleet(ctx: EdgeContext): Promise<void> {
  const now = ctx.now();
  const args = { now, hour: Math.floor(now / HOUR_MS) };
  await ctx.db.batch([SENT, MEASURE].map((sql) => statement(sql, args)), "write");
}
