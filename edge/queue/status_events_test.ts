import assert from "node:assert/strict";
import type { Fleet, TestSite } from "../testing/fleet.ts";
import { openFleet } from "../testing/fleet.ts";
import { report, sendNew, type SentCampaign, take } from "../testing/queue_acts.ts";
import { cancelCampaign } from "./cancel.ts";
import { pauseCampaign } from "./pause.ts";
import { resumeCampaign } from "./resume.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";

type Act = (fleet: Fleet, site: TestSite, campaign: SentCampaign) => Promise<unknown>;

const sendOne: Act = async (fleet, site) => await report(fleet, site, await take(fleet, site, 1), "sent");
const failOne: Act = async (fleet, site) => await report(fleet, site, await take(fleet, site, 1), "failed");
const pauseIt: Act = (fleet, _site, { id, client }) =>
  pauseCampaign(fleet.ctx, { ...client, role: "client" }, id);
const resumeIt: Act = (fleet, _site, { id, client }) =>
  resumeCampaign(fleet.ctx, { ...client, role: "client" }, id);
const cancelIt: Act = (fleet, _site, { id, client }) =>
  cancelCampaign(fleet.ctx, { ...client, role: "client" }, id);

const suppressLast: Act = (fleet, _site, { phones }) =>
  suppressPhone(fleet.ctx, { phone: phones.at(-1)!, client: 0, source: "test" });

/** Changes to a campaign of two, and the last event that its owner receives. */
const LIVES: { name: string; acts: Act[]; type: string; status: string }[] = [
  {
    name: "its first delivery is taken",
    acts: [(fleet, site) => take(fleet, site)],
    type: "campaign_started",
    status: "active",
  },
  { name: "all were sent", acts: [sendOne, sendOne], type: "campaign_completed", status: "completed" },
  {
    name: "one of them failed",
    acts: [sendOne, failOne],
    type: "campaign_ended",
    status: "completed_with_errors",
  },
  {
    name: "one of them asked to be left alone",
    acts: [sendOne, suppressLast],
    type: "campaign_ended",
    status: "completed_with_errors",
  },
  { name: "all failed", acts: [failOne, failOne], type: "campaign_ended", status: "failed" },
  { name: "it is cancelled", acts: [sendOne, cancelIt], type: "campaign_ended", status: "cancelled" },
  { name: "it is paused", acts: [pauseIt], type: "campaign_paused", status: "paused" },
  { name: "it goes on", acts: [pauseIt, resumeIt], type: "campaign_changed", status: "processing" },
];

for (const { name, acts, type, status } of LIVES) {
  Deno.test(`a campaign tells its owner once when ${name}: ${type}, ${status}`, async () => {
    await using fleet = await openFleet();
    const site = await fleet.addSite();
    const campaign = await sendNew(fleet, 2);
    await fleet.ctx.db.execute("DELETE FROM events");
    for (const act of acts) await act(fleet, site, campaign);
    const { rows } = await fleet.ctx.db.execute(
      `SELECT client, type, data ->> 'status' AS status FROM events
       WHERE type LIKE 'campaign\\_%' ESCAPE '\\' AND type <> 'campaign_progress' ORDER BY id`,
    );
    assert.deepEqual({ ...rows.at(-1) }, { client: campaign.client.id, type, status });
    assert.equal(rows.filter((row) => row.type === type && row.status === status).length, 1);
  });
}
