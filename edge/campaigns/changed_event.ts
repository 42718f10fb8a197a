import type { InStatement } from "@libsql/client/web";
import type { CampaignRow } from "./read.ts";

/** The event that makes the owner's screens ask again; one too many costs a request, one too few a wrong screen. */
export function campaignChanged(at: number, { id, client }: Pick<CampaignRow, "id" | "client">): InStatement {
  return {
    sql: `INSERT INTO events (at, type, client, campaign, data)
      VALUES (?, 'campaign_changed', ?, ?, ?)`,
    // Not json_object(): a bound number is a REAL there, and would read 50.0.
    args: [at, client, id, JSON.stringify({ campaignId: id })],
  };
}
