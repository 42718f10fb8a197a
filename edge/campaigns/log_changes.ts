/** Campaign changes in the log: what was done to which campaign, by whom, and how far it had come. */
import type { Row } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import type { LogFields } from "../log.ts";
import { statement } from "../db/statement.ts";

/** Where the database keeps the last event that was looked at. */
const LOGGED_KEY = "campaigns_logged";

const PLACE = `SELECT CAST((SELECT value FROM system WHERE key = '${LOGGED_KEY}') AS INTEGER) AS logged,
  (SELECT coalesce(max(id), 0) FROM events) AS newest`;
// Each change of a status is an event of its own transaction, by a trigger. The act of a person or of a rule is audited
// in the same transaction with the same time.
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
 * Logs what changed since the last time, whichever edge changed it. The edge that moves the place on logs it, so that
 * each change is in one log; one that is killed in between logs nothing of them.
 */
export async function logCampaignChanges(ctx: EdgeContext): Promise<void> {
  const { rows: [place] } = await ctx.db.execute(PLACE);
  const newest = Number(place.newest);
  // Kept as text, as all values of `system`.
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

/** Null = no step that a person would ask after, such as the first message of a campaign that was sent. */
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
    /** Who did it: `edge` where nobody is audited for it. */
    by: row.role === null ? (row.trip === null ? "edge" : "rule") : String(row.role),
    user: row.actor === null ? null : Number(row.actor),
    changedAt: new Date(Number(row.at)).toISOString(),
    ...JSON.parse(String(row.counts)) as LogFields,
  };
}
