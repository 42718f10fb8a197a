/** Logs campaign changes: the action, the campaign, the actor, and the campaign's progress. */
import type { CampaignStatus } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, orNull, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { auditLog, campaigns, events, users } from "../db/schema.ts";
import type { LogFields } from "../log.ts";
import { statement } from "../db/statement.ts";

/** The key of the last logged event in `system`. */
const LOGGED_KEY = "campaigns_logged";

const PLACE = `SELECT CAST((SELECT value FROM system WHERE key = '${LOGGED_KEY}') AS INTEGER) AS logged,
  (SELECT coalesce(max(id), 0) FROM events) AS newest`;
const PLACE_FIELDS = { logged: orNull(events.id), newest: wholeNumber };
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

const NEXT_FIELDS = {
  at: events.at,
  campaign: events.campaign,
  client: events.client,
  status: campaigns.status,
  counts: jsonOf<LogFields>(),
  kind: orNull(auditLog.kind),
  actor: auditLog.actor,
  trip: campaigns.trip,
  role: orNull(users.role),
};
type Change = RowAs<typeof NEXT_FIELDS>;

const ENDS: readonly CampaignStatus[] = ["completed", "completed_with_errors", "failed"];

/**
 * Logs all changes since the last call, whichever edge made them. Only the edge that moves the stored position logs, so
 * each change is in one log. An edge killed in between loses its lines.
 */
export async function logCampaignChanges(ctx: EdgeContext): Promise<void> {
  const { logged, newest } = rowsAs(await ctx.db.execute(PLACE), PLACE_FIELDS)[0]!;
  // Text, like all values of `system`.
  if (logged === null) return void await ctx.db.execute(statement(BEGIN, { newest: `${newest}` }));
  if (newest <= logged) return;
  const changes = rowsAs(await ctx.db.execute(statement(NEXT, { logged, newest })), NEXT_FIELDS);
  const moved = await ctx.db.execute(statement(MOVE, { logged: `${logged}`, newest: `${newest}` }));
  if (moved.rowsAffected === 0) return;
  for (const change of changes) {
    const event = eventOf(change);
    if (event !== null) ctx.log.info(event, fieldsOf(change));
  }
}

/** Null = a step that needs no line, such as the first message of a sent campaign. */
function eventOf({ status, kind, trip }: Change): string | null {
  if (ENDS.includes(status)) return "campaign_ended";
  if (status === "paused" && trip !== null) return "campaign_tripped";
  if (status === "paused" || status === "cancelled") return `campaign_${status}`;
  return kind;
}

function fieldsOf({ at, campaign, client, status, counts, actor, trip, role }: Change): LogFields {
  return {
    campaign,
    client,
    status,
    /** The actor; `edge` when no audit entry names one. */
    by: role ?? (trip === null ? "edge" : "rule"),
    user: actor,
    changedAt: new Date(at).toISOString(),
    ...counts,
  };
}
