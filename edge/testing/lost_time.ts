/** For tests: the lost time of a restored database, as its sites report it. */
import { renewGeneration } from "../sites/generation.ts";
import { type OutcomesFrame, takeOutcomes } from "../sites/outcomes.ts";
import type { Fleet, TestSite } from "./fleet.ts";

/** An outcome; the fields that tests set. */
export type LostOutcome = Partial<OutcomesFrame["items"][number]>;

/** Answers the present generation for a site. Each outcome is for the campaign's next number, and `sent` by default. */
export async function reportLostTime(
  fleet: Fleet,
  site: TestSite,
  campaign: { id: number },
  items: LostOutcome[],
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

/** A report about a delivery's end, without the attempt and its outcome. */
export const endOf = (campaign: { id: number }, phone: string) => (
  { campaign: campaign.id, phone, temporary: false, reason: null, account: null, tappedAt: 1 }
);

/** Marks the database as restored: the sites find a new generation when they connect again. */
export async function restore(fleet: Fleet, ...sites: TestSite[]) {
  await renewGeneration(fleet.ctx);
  for (const site of sites) await fleet.reconnect(site);
}
