import assert from "node:assert/strict";
import { tripCampaign } from "../health/trip_campaign.ts";
import type { LogFields } from "../log.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { sendAll } from "../testing/rules.ts";
import { logCampaignChanges } from "./log_changes.ts";

type Line = LogFields & { event: string };

/** Two edges on one database, each with its own log. */
function edgesOf({ ctx }: Fleet) {
  return [0, 1].map(() => {
    const lines: Line[] = [];
    const info = (event: string, fields: LogFields = {}) => void lines.push({ event, ...fields });
    return { lines, look: () => logCampaignChanges({ ...ctx, log: { ...ctx.log, info } }) };
  });
}

for (const remote of [false, true]) {
  Deno.test(`logCampaignChanges() logs each change once among edges, with its actor (${remote ? "remote" : "file"})`, async () => {
    await using fleet = await openFleet({ remote });
    const [one, other] = edgesOf(fleet);
    await one!.look();
    const changes = async () => {
      await Promise.all([one!.look(), other!.look()]);
      fleet.pass(1_000);
      const lines = [...one!.lines.splice(0), ...other!.lines.splice(0)];
      return lines.map(({ event, by, user, queued, sent }) => ({ event, by, user, queued, sent }));
    };
    const campaign = await sendNew(fleet, 4);
    const { client } = await fleet.one(`SELECT client FROM campaigns WHERE id = ${campaign.id}`);
    const owner = { client: Number(client), person: Number(client), role: "client" as const };
    const acted = { by: "client", user: owner.person };
    assert.deepEqual(await changes(), [{ event: "campaign_sent", ...acted, queued: 4, sent: 0 }]);

    const site = await fleet.addSite(1);
    await sendAll(fleet, site, { most: 1 });
    assert.deepEqual(await changes(), [], "that it began is no change of anybody's");
    await pauseCampaign(fleet.ctx, owner, campaign.id);
    assert.deepEqual(await changes(), [{ event: "campaign_paused", ...acted, queued: 3, sent: 1 }]);
    await resumeCampaign(fleet.ctx, owner, campaign.id);
    assert.deepEqual(await changes(), [{ event: "campaign_resumed", ...acted, queued: 3, sent: 1 }]);
    const name = "שם של לקוח";
    await tripCampaign(fleet.ctx, { id: campaign.id, name }, { signal: "failed", count: 6, sample: 50 });
    const tripped = { event: "campaign_tripped", by: "rule", user: null, queued: 3, sent: 1 };
    assert.deepEqual(await changes(), [tripped]);
    const { trip } = await fleet.one(`SELECT trip FROM campaigns WHERE id = ${campaign.id}`);
    await resumeCampaign(fleet.ctx, owner, campaign.id, Number(trip));
    await changes();
    await sendAll(fleet, site, { most: 3 });
    const ended = { event: "campaign_ended", by: "edge", user: null, queued: 0, sent: 4 };
    assert.deepEqual(await changes(), [ended]);

    const next = await sendNew(fleet, 2);
    await changes();
    const { client: nextClient } = await fleet.one(`SELECT client FROM campaigns WHERE id = ${next.id}`);
    await cancelCampaign(fleet.ctx, {
      client: Number(nextClient),
      person: Number(nextClient),
      role: "client",
    }, next.id);
    const cancelled = {
      event: "campaign_cancelled",
      by: "client",
      user: Number(nextClient),
      queued: 0,
      sent: 0,
    };
    assert.deepEqual(await changes(), [cancelled]);
  });
}

Deno.test("logCampaignChanges() logs no name, number or text, and nothing from before its first run", async () => {
  await using fleet = await openFleet();
  const [edge] = edgesOf(fleet);
  await sendNew(fleet, 1);
  await edge!.look();
  assert.equal(edge!.lines.length, 0);
  const campaign = await sendNew(fleet, 1);
  await edge!.look();
  const known = ["event", "campaign", "client", "status", "by", "user", "changedAt"];
  const counts = ["queued", "leased", "sent", "failed", "unknown", "skipped", "cancelled"];
  assert.deepEqual(Object.keys(edge!.lines[0]!), [...known, ...counts]);
  assert.equal(edge!.lines[0]!.campaign, campaign.id);
});
