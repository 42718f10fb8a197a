import type { Row } from "@libsql/client/web";
import type { Site } from "shared/admin_api.ts";
import { AGENT_SUBPROTOCOL } from "shared/agent_protocol.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { NOT_CONNECTED } from "../devices/device_now.ts";
import { UNCONFIRMED_REST } from "../health/rest_unconfirmed.ts";
import { statement } from "../db/statement.ts";

const SITES = `SELECT s.*, s.public_key IS NOT NULL AS enrolled,
    s.answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation') AS owes,
    ${UNCONFIRMED_REST} AS unconfirmed_rests,
    coalesce(d.n, 0) AS devices, coalesce(d.connected, 0) AS connected_devices,
    (SELECT count(*) FROM deliveries l
      WHERE l.site = s.id AND l.state = 'leased' AND l.acked_at IS NOT NULL) AS held
  FROM sites s LEFT JOIN (
    SELECT site, count(*) AS n, sum(proof_at > :now - ${DEAD_SOCKET_MS}
      AND state NOT IN (${NOT_CONNECTED.map((state) => `'${state}'`).join()})) AS connected
    FROM devices GROUP BY site) d ON d.site = s.id
  ORDER BY s.revoked, s.name`;

/** Returns every site, revoked ones last. */
export async function listSites(ctx: EdgeContext): Promise<Site[]> {
  const now = ctx.now();
  const { rows } = await ctx.db.execute(statement(SITES, { now }));
  return rows.map((row) => ({
    id: Number(row.id),
    name: String(row.name),
    status: statusOf(row, now),
    stopped: row.stopped === 1,
    stopReason: row.stopped === 1 ? row.stop_reason as Site["stopReason"] : null,
    unconfirmedRest: row.unconfirmed_rests === 1,
    protocol: row.protocol === null ? null : String(row.protocol),
    needsUpdate: row.revoked === 0 && row.protocol !== null && row.protocol !== AGENT_SUBPROTOCOL,
    owesOutcomes: row.owes === 1 && row.enrolled === 1 && row.revoked === 0,
    draining: row.draining === 1,
    agentVersion: row.agent_version === null ? null : String(row.agent_version),
    lastSeenAt: row.last_seen_at === null ? null : Math.min(Number(row.last_seen_at), now),
    createdAt: Number(row.created_at),
    devices: Number(row.devices),
    connectedDevices: Number(row.connected_devices ?? 0),
    held: Number(row.held),
  }));
}

function statusOf(row: Row, now: number): Site["status"] {
  if (row.revoked === 1) return "revoked";
  if (row.enrolled === 0) return "not_enrolled";
  return Number(row.last_seen_at) > now - DEAD_SOCKET_MS ? "connected" : "away";
}
