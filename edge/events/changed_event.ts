import type { InStatement } from "@libsql/client/web";
import { hasEventsLeft } from "./site_bounds.ts";
import { statement } from "../db/statement.ts";
import type { CampaignRow } from "../db/schema.ts";

/**
 * Returns the event that makes the owner's screens reload. One too many costs a request; one too few leaves a wrong
 * screen.
 */
export function campaignChanged(at: number, { id, client }: Pick<CampaignRow, "id" | "client">): InStatement {
  return {
    sql: `INSERT INTO events (at, type, client, campaign, data)
      VALUES (?, 'campaign_changed', ?, ?, ?)`,
    // Not json_object(): it would turn a bound number into a REAL, 50.0.
    args: [at, client, id, JSON.stringify({ campaignId: id })],
  };
}

const HAS_EVENTS_LEFT = hasEventsLeft("event.type = 'campaign_changed' AND event.campaign = :campaign");

/**
 * Returns an event like campaignChanged(), for frames that a site may send without limit. Screens reload anyway after
 * MOST_EVENTS of them.
 */
export function campaignChangedBySite(
  now: number,
  { id, client }: Pick<CampaignRow, "id" | "client">,
): InStatement {
  return statement(
    `INSERT INTO events (at, type, client, campaign, data)
      SELECT :now, 'campaign_changed', :client, :campaign, :data WHERE ${HAS_EVENTS_LEFT}`,
    { now, client, campaign: id, data: JSON.stringify({ campaignId: id }) },
  );
}
