/** Logs campaign changes: the action, the campaign, the actor, and the campaign's progress. */
import type { Row } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import type { LogFields } from "../log.ts";
import { statement } from "../db/statement.ts";

/** The key of the last logged event in `system`. */
const LOGGED_KEY = "campaigns_logged";

const PLACE = `SELECT CAST((SELECT value FROM system WHERE key = '${LOGGED_KEY}') AS INTEGER) AS logged,
  (SELECT coalesce(max(id), 0) FROM events) AS newest`;
// A trigger writes an event for each change of a status, in its own transaction. The audit entry of a person's act or a
// rule has the same transaction and time.
const NEXT = `SELECT event.at, event.campaign, event.client, event.data ->> 'status' AS status,
    event.data ->> 'counts' AS counts, act.kind, act.actor, act.data ->> 'trip' AS trip, users.role
  FROM events event
  LEFT JOIN audit_log act ON act.at = event.at AND act.campaign = event.campaign
    AND act.kind IN ('campaign_sent', 'campaign_resumed', 'campaign_paused', 'campaign_cancelled')
    AND (act.kind = 'campaign_paused') = (event.data ->> 'status' = 'paused')
    AND (act.kind = 'campaign_cancelled') = (event.data ->> 'status' = 'cancelled')
  LEFT JOIN users ON users.id = act.actor
  WHERE event.id > :logged AND event.id <= :newest AND event.data ->> 'status' IS NOT NULL
    AND event.type IN ('campaign_changed', 'campaign_paused', 'campaign_completed', 'campaign_ended')
  ORDER BY event.id`;
// No row = another edge has logged these.
const MOVE = `UPDATE system SET value = :newest WHERE key = '${LOGGED_KEY}' AND value = :logged`;
const BEGIN =
  `INSERT INTO system (key, value) VALUES ('${LOGGED_KEY}', :newest) ON CONFLICT (key) DO NOTHING`;

const ENDS = ["completed", "completed_with_errors", "failed"];

/**
 * Logs all changes since the last call, whichever edge made them. Only the edge that moves the stored position logs, so
 * each change is in one log. An edge killed in between loses its lines.
 */
export async function logCampaignChanges(ctx: EdgeContext): Promise<void> {
  const { rows: [place] } = await ctx.db.execute(PLACE);
  const newest = Number(place.newest);
  // Text, like all values of `system`.
  if (place.logged === null) return void await ctx.db.execute(statement(BEGIN, { newest: `${newest}` }));
  const logged = Number(place.logged);
  if (newest <= logged) return;
  const { rows } = await ctx.db.execute(statement(NEXT, { logged, newest }));
  const moved = await ctx.db.execute(statement(MOVE, { logged: `${logged}`, newest: `${newest}` }));
  if (moved.rowsAffected === 0) return;
  for (const row of rows) {
    const event = eventOf(row);
    if (event !== null) ctx.log.info(event, fieldsOf(row));
  }
}

/** Null = a step that needs no line, such as the first message of a sent campaign. */
function eventOf({ status, kind, trip }: Row): string | null {
  if (ENDS.includes(String(status))) return "campaign_ended";
  if (status === "paused" && trip !== null) return "campaign_tripped";
  if (status === "paused" || status === "cancelled") return `campaign_${status}`;
  return kind === null ? null : String(kind);
}

function fieldsOf(row: Row): LogFields {
  return {
    campaign: Number(row.campaign),
    client: Number(row.client),
    status: String(row.status),
    /** The actor; `edge` when no audit entry names one. */
    by: row.role === null ? (row.trip === null ? "edge" : "rule") : String(row.role),
    user: row.actor === null ? null : Number(row.actor),
    changedAt: new Date(Number(row.at)).toISOString(),
    ...JSON.parse(String(row.counts)) as LogFields,
  };
}
