import assert from "node:assert/strict";
import { SupersededError } from "../queue/fence.ts";
import { openFleet } from "../testing/fleet.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { revokeSite } from "./revoke_site.ts";

Deno.test("revokeSite() queues offered rows, and makes rows unknown that may have been sent (rule 16)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const lease = await take(fleet, site, 1);
  await pull(fleet, site, 1);

  await revokeSite(fleet.ctx, site.site);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "queued", "queued"]);
  assert.deepEqual(await fleet.one("SELECT by, reason FROM deliveries WHERE state = 'unknown'"), {
    by: 3,
    reason: "site_revoked",
  });
  await assert.rejects(report(fleet, site, lease, "sent"), SupersededError);
  await assert.rejects(fleet.reconnect(site), /revoked/);
  await assert.rejects(revokeSite(fleet.ctx, site.site), { code: "not_found" });
});

Deno.test("revokeSite(): the machine's later reports as another site are evidence only (rule 16)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  await revokeSite(fleet.ctx, site.site);
  const again = await fleet.addSite();

  assert.deepEqual(await report(fleet, again, lease, "sent"), ["stale"]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
  assert.deepEqual(await fleet.one("SELECT site, outcome, result FROM attempts WHERE by = 1"), {
    site: again.site,
    outcome: "sent",
    result: "stale",
  });
});
