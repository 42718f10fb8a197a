import type { AdminHealth } from "shared/admin_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { VERSION } from "../version.ts";
import { readAlerts } from "./alerts.ts";

/** From this query time on, in milliseconds, every screen is noticeably slow. */
const SLOW_MS = 500;

/** SQL: how many sites there are, and how many of them are connected at :now. */
export const SITES_CONNECTED =
  `SELECT count(*) AS total, coalesce(sum(last_seen_at > :now - ${DEAD_SOCKET_MS}), 0) AS connected
  FROM sites WHERE revoked = 0 AND public_key IS NOT NULL`;

/** Returns whether the system runs as it should, for the foot of the screens. */
export async function readHealth(ctx: EdgeContext): Promise<AdminHealth> {
  const now = ctx.now();
  const askedAt = performance.now();
  const [counted, { items: alerts }] = await Promise.all([
    ctx.db.execute(statement(SITES_CONNECTED, { now })),
    readAlerts(ctx),
  ]);
  const databaseMs = Math.round((performance.now() - askedAt) * 10) / 10;
  const isWell = databaseMs < SLOW_MS && !alerts.some(({ type }) => type === "error");
  return {
    status: isWell ? "ok" : "attention",
    version: VERSION,
    serverTime: now,
    databaseMs,
    sites: rowsAs(counted, { total: wholeNumber, connected: wholeNumber })[0]!,
    scan: ctx.scan === undefined
      ? "off"
      : alerts.some(({ code }) => code === "scan_silent")
      ? "silent"
      : "on",
  };
}
