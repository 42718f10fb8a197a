import type { InStatement } from "@libsql/client/web";
import { hasEventsLeft } from "./site_bounds.ts";
import { statement } from "../db/statement.ts";
import type { CampaignRow } from "../db/schema.ts";

/** The event that makes the owner's screens ask again; one too many costs a request, one too few a wrong screen. */
export function campaignChanged(at: number, { id, client }: Pick<CampaignRow, "id" | "client">): InStatement {
  return {
    sql: `INSERT INTO events (at, type, client, campaign, data)
      VALUES (?, 'campaign_changed', ?, ?, ?)`,
    // Not json_object(): a bound number is a REAL there, and would read 50.0.
    args: [at, client, id, JSON.stringify({ campaignId: id })],
  };
}

const HAS_EVENTS_LEFT = hasEventsLeft("event.type = 'campaign_changed' AND event.campaign = :campaign");

/** As campaignChanged(), for what a site says as often as it likes: screens that hear MOST_EVENTS of them ask anyway. */
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
