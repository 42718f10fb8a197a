/** For tests: the time that a restored database has lost, as its sites tell of it. */
import { renewGeneration } from "../sites/generation.ts";
import { type OutcomesFrame, takeOutcomes } from "../sites/outcomes.ts";
import type { Fleet, TestSite } from "./fleet.ts";

/** An outcome, as far as a test cares. */
export type Told = Partial<OutcomesFrame["items"][number]>;

/** Answers the present generation for a site; each outcome is of the next of the campaign's numbers, and sent. */
export async function tell(
  fleet: Fleet,
  site: TestSite,
  campaign: { id: number },
  items: Told[],
  last = true,
) {
  const { value } = await fleet.one("SELECT value FROM system WHERE key = 'generation'");
  await takeOutcomes(fleet.ctx, site, {
    type: "outcomes",
    generation: String(value),
    last,
    items: items.map((item, index) => ({
      campaign: campaign.id,
      phone: `+${972540000001 + index}`,
      token: "c".repeat(32),
      attempt: 3,
      outcome: "sent",
      account: null,
      at: 1,
      edgeAt: item.at ?? 1,
      ...item,
    })),
  });
}

/** What a report says of a delivery's end, but for the attempt and its outcome. */
export const endOf = (campaign: { id: number }, phone: string) => (
  { campaign: campaign.id, phone, temporary: false, reason: null, account: null, tappedAt: 1 }
);

/** The database comes from a backup: the sites find a new generation when they connect again. */
export async function restore(fleet: Fleet, ...sites: TestSite[]) {
  await renewGeneration(fleet.ctx);
  for (const site of sites) await fleet.reconnect(site);
}
