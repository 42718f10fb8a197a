/** Short forms for the tests of health: settings, moments, and whole rounds of a site. */
import type { Settings } from "shared/settings.ts";
import type { Fleet, TestClient, TestSite } from "./fleet.ts";
import { acknowledge, pull, report, sendNew, type SentCampaign } from "./queue_acts.ts";

/** Moves the clock forward to a moment. */
export function passTo(fleet: Fleet, moment: string): void {
  fleet.pass(Date.parse(moment) - fleet.ctx.now());
}

/** Puts settings into force, as if they had been saved. */
export async function setRules(fleet: Fleet, settings: Partial<Settings>): Promise<void> {
  for (const [key, value] of Object.entries(settings)) {
    await fleet.ctx.db.execute({
      sql: "INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, 0)",
      args: [key, JSON.stringify(value)],
    });
  }
}

/** Adds a site whose accounts nobody confirmed. */
export async function addStranger(fleet: Fleet, devices: number): Promise<TestSite> {
  const site = await fleet.addSite(devices);
  await fleet.ctx.db.execute({ sql: "UPDATE accounts SET trusted = 0 WHERE site = ?", args: [site.site] });
  return site;
}

/** Works as sendNew() does, for an advertising campaign. */
export async function sendMarketing(
  fleet: Fleet,
  contacts: number,
  client?: TestClient,
): Promise<SentCampaign> {
  const campaign = await sendNew(fleet, contacts, client);
  await fleet.ctx.db.execute(
    `UPDATE campaigns SET kind = 'marketing', sent_text = message WHERE id = ${campaign.id}`,
  );
  return campaign;
}

/** Leases and reports `outcome` while there is something to lease; returns the number of deliveries. */
export async function sendAll(
  fleet: Fleet,
  site: TestSite,
  { most = 1_000, outcome = "sent" as "sent" | "failed" | "unknown" } = {},
): Promise<number> {
  // The clock does not move meanwhile, and no site taps faster than its pace.
  await fleet.ctx.db.execute(
    "INSERT OR IGNORE INTO settings (key, value, updated_at) VALUES ('rateLimit', '0', 0)",
  );
  let done = 0;
  while (done < most) {
    const lease = await pull(fleet, site, Math.min(3, most - done));
    if (lease === null) break;
    await acknowledge(fleet, site, lease.token);
    await report(fleet, site, lease, outcome);
    done += lease.items.length;
  }
  return done;
}
