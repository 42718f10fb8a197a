import type { Site } from "shared/admin_api.ts";
import { AGENT_SUBPROTOCOL } from "shared/agent_protocol.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { condition, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { NOT_CONNECTED } from "../devices/device_now.ts";
import { UNCONFIRMED_REST } from "../health/rest_unconfirmed.ts";
import { OWES_REHEARSAL } from "../health/rehearsals.ts";
import { statement } from "../db/statement.ts";

const SITES = `SELECT s.*, s.item_texts AS "takesItemTexts", s.public_key IS NOT NULL AS enrolled,
    s.answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation') AS owes,
    ${UNCONFIRMED_REST} AS "unconfirmedRest",
    (SELECT count(*) FROM devices d WHERE d.site = s.id AND ${OWES_REHEARSAL}) AS "owingDevices",
    coalesce(d.n, 0) AS devices, coalesce(d.connected, 0) AS "connectedDevices",
    (SELECT count(*) FROM deliveries l
      WHERE l.site = s.id AND l.state = 'leased' AND l.acked_at IS NOT NULL) AS held
  FROM sites s LEFT JOIN (
    SELECT site, count(*) AS n, sum(proof_at > :now - ${DEAD_SOCKET_MS}
      AND state NOT IN (${NOT_CONNECTED.map((state) => `'${state}'`).join()})) AS connected
    FROM devices GROUP BY site) d ON d.site = s.id
  ORDER BY s.revoked, s.name`;

const FIELDS = {
  id: sites.id,
  name: sites.name,
  stopped: sites.stopped,
  stopReason: sites.stopReason,
  unconfirmedRest: condition,
  protocol: sites.protocol,
  revoked: sites.revoked,
  enrolled: condition,
  owes: condition,
  draining: sites.draining,
  agentVersion: sites.agentVersion,
  lastSeenAt: sites.lastSeenAt,
  createdAt: sites.createdAt,
  devices: wholeNumber,
  connectedDevices: wholeNumber,
  held: wholeNumber,
  takesItemTexts: sites.itemTexts,
  asksRehearsal: sites.asksRehearsal,
  owingDevices: wholeNumber,
};

/** Returns every site, revoked ones last. */
export async function listSites(ctx: EdgeContext): Promise<Site[]> {
  const now = ctx.now();
  const rows = rowsAs(await ctx.db.execute(statement(SITES, { now })), FIELDS);
  return rows.map(({ revoked, enrolled, owes, ...site }) => ({
    ...site,
    status: statusOf({ revoked, enrolled, lastSeenAt: site.lastSeenAt }, now),
    stopReason: site.stopped ? site.stopReason : null,
    needsUpdate: !revoked && site.protocol !== null && site.protocol !== AGENT_SUBPROTOCOL,
    owesOutcomes: owes && enrolled && !revoked,
    lastSeenAt: site.lastSeenAt && Math.min(site.lastSeenAt, now),
  }));
}

function statusOf(
  { revoked, enrolled, lastSeenAt }: Pick<RowAs<typeof FIELDS>, "revoked" | "enrolled" | "lastSeenAt">,
  now: number,
): Site["status"] {
  if (revoked) return "revoked";
  if (!enrolled) return "not_enrolled";
  return (lastSeenAt ?? 0) > now - DEAD_SOCKET_MS ? "connected" : "away";
}
