import assert from "node:assert/strict";
import { openFleet, type TestSite } from "../testing/fleet.ts";
import { openRows, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { openTestApp, PROOF } from "../testing/test_app.ts";
import { createSite } from "./create_site.ts";
import { renewGeneration } from "./generation.ts";
import { startSite } from "./start_site.ts";
import { writeOffSite } from "./write_off_site.ts";

Deno.test("startSite() allows leases to a site that was stopped because of its journal (rule 14)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await take(fleet, site, 1);
  await fleet.reconnect(site, { counterAtOpen: 1, open: openRows(lease) });
  assert.equal(await pull(fleet, site), null);

  await startSite(fleet.ctx, site.site);
  assert.equal((await pull(fleet, site))?.items[0].phone, campaign.phones[1]);
  // The rows of the doubted journal stay for a person to settle.
  assert.deepEqual(await report(fleet, site, lease, "void"), ["known"]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "leased"]);
});

Deno.test("POST /api/admin/sites/{id}/start and /write-off allow leases to a site again", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const { siteId } = await createSite(edge.ctx, "חיפה");
  await edge.ctx.db.execute(
    "UPDATE sites SET stopped = 1, stop_reason = 'two_machines', superseded_count = 5",
  );
  await renewGeneration(edge.ctx);
  for (const act of ["start", "write-off"]) {
    await edge.ctx.db.execute("DELETE FROM events");
    const answer = await admin.ask(`/api/admin/sites/${siteId}/${act}`, {
      method: "POST",
      json: { proof: PROOF },
    });
    assert.equal(answer.status, 204, act);
    const { rows: calls } = await edge.ctx.db.execute("SELECT 1 FROM events WHERE type = 'workWaiting'");
    assert.equal(calls.length, 1, "sites that wait ask again");
  }
  const { rows: [site] } = await edge.ctx.db.execute(
    `SELECT stopped, stop_reason, superseded_count,
      answered_generation = (SELECT value FROM system WHERE key = 'generation') AS answered FROM sites`,
  );
  assert.deepEqual({ ...site }, { stopped: 0, stop_reason: null, superseded_count: 0, answered: 1 });
});

Deno.test("startSite() and writeOffSite() refuse a revoked or unknown site", async () => {
  await using fleet = await openFleet();
  const site: TestSite = await fleet.addSite();
  await fleet.ctx.db.execute("UPDATE sites SET revoked = 1");
  for (const act of [startSite, writeOffSite]) {
    await assert.rejects(act(fleet.ctx, site.site), { code: "not_found" });
    await assert.rejects(act(fleet.ctx, 99), { code: "not_found" });
  }
});
