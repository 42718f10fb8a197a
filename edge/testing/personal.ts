/** Personal campaigns, for the tests of the queue. */
import { sendCampaign, type SendOptions } from "../queue/send.ts";
import type { Fleet, TestClient } from "./fleet.ts";
import type { SentCampaign } from "./queue_acts.ts";

export interface PersonalCampaign {
  message: string;
  /** The values of each recipient, in list order; null = none. */
  values: readonly (Record<string, string> | null)[];
  client?: TestClient;
}

/** Adds a ready campaign whose recipients have values of their own. */
export async function addPersonal(
  fleet: Fleet,
  { message, values, client }: PersonalCampaign,
): Promise<SentCampaign> {
  const owner = client ?? await fleet.addClient(values.length);
  const campaign = await fleet.addCampaign(owner, values.length);
  const rows = values.map((fields, place) => [campaign.phones[place]!.slice(1), fields]);
  await fleet.ctx.db.batch([
    { sql: "UPDATE campaigns SET message = ? WHERE id = ?", args: [message, campaign.id] },
    {
      sql: `UPDATE deliveries SET fields = r.value ->> 1 FROM json_each(?) r
        WHERE campaign = ? AND phone = CAST(r.value ->> 0 AS INTEGER)`,
      args: [
        JSON.stringify(rows.map(([phone, fields]) => [phone, fields && JSON.stringify(fields)])),
        campaign.id,
      ],
    },
  ], "write");
  return { ...campaign, client: owner };
}

/** Adds a personal campaign and sends it. */
export async function sendPersonal(
  fleet: Fleet,
  { options = {}, ...campaign }: PersonalCampaign & { options?: SendOptions },
): Promise<SentCampaign> {
  const added = await addPersonal(fleet, campaign);
  await sendCampaign(fleet.ctx, added.client, added.id, options);
  return added;
}
