import assert from "node:assert/strict";
import { RETRY_DELAYS_MS } from "shared/delivery.ts";
import { countTurns } from "../testing/count_turns.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { balanceOf, report, sendNew, statusOf, take } from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";
import { cancelCampaign } from "./cancel.ts";
import { RESOLVE_SLICE, resolveDeliveries } from "./resolve.ts";

/** Returns whether agents are notified that there may be work. */
async function calls(fleet: Fleet): Promise<boolean> {
  return (await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'workWaiting'")).n === 1;
}

Deno.test("resolveDeliveries() lets the owner settle unknown deliveries as sent or failed", async () => {
  await using fleet = await openFleet();
  const { id, client } = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  await report(fleet, site, await take(fleet, site), "unknown");
  const { id: first } = await fleet.one("SELECT id FROM deliveries ORDER BY id");

  assert.deepEqual(
    await resolveDeliveries(fleet.ctx, client, id, { ids: [Number(first)], as: "failed" }),
    { changed: 1 },
  );
  assert.deepEqual(await resolveDeliveries(fleet.ctx, client, id, { ids: "all", as: "sent" }), {
    changed: 2,
  });
  assert.deepEqual(await fleet.states(id), ["failed", "sent", "sent"]);
  const audited = await fleet.one(
    "SELECT sum(sent) AS sent, sum(failed) AS failed, sum(unknown) AS unknown FROM account_hours",
  );
  assert.deepEqual(
    audited,
    { sent: 0, failed: 0, unknown: 3 },
    "nothing a person says is held against an account",
  );
  assert.equal(await balanceOf(fleet, client), 1);
});

Deno.test("resolveDeliveries() opens a finished campaign when it sends again", async () => {
  await using fleet = await openFleet();
  const { id, client } = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await report(fleet, site, await take(fleet, site), "unknown");
  assert.equal(await statusOf(fleet, { id }), "completed_with_errors");

  await fleet.ctx.db.execute("DELETE FROM events");
  await resolveDeliveries(fleet.ctx, client, id, { ids: "all", as: "resend" });
  assert.equal(await statusOf(fleet, { id }), "active");
  const { completed_at } = await fleet.one("SELECT completed_at FROM campaigns");
  assert.equal(completed_at, null, "when it ended is not known yet");
  assert.ok(await calls(fleet), "sites that have nothing to do ask again");
  assert.equal(await balanceOf(fleet, client), 0);
  const again = await take(fleet, site);
  assert.equal(again.items[0].attempt, 2);
  await report(fleet, site, again, "sent");
  assert.equal(await statusOf(fleet, { id }), "completed");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("resolveDeliveries() gives a resent delivery all its tries again", async () => {
  await using fleet = await openFleet();
  const { id, client } = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  for (const delayMs of RETRY_DELAYS_MS) {
    await report(fleet, site, await take(fleet, site), "void", { temporary: true });
    fleet.pass(delayMs);
  }
  await report(fleet, site, await take(fleet, site), "unknown");
  await resolveDeliveries(fleet.ctx, client, id, { ids: "all", as: "resend" });
  await report(fleet, site, await take(fleet, site), "void", { temporary: true });
  assert.deepEqual(await fleet.states(id), ["queued"]);
});

Deno.test("resolveDeliveries() moves nothing but unknown rows, of the user's own campaign", async () => {
  await using fleet = await openFleet();
  const { id, client } = await sendNew(fleet, 2);
  const stranger = await fleet.addClient(0);
  const site = await fleet.addSite();
  const lease = await take(fleet, site, 1);
  for (const as of ["sent", "failed", "resend"] as const) {
    const refused = resolveDeliveries(fleet.ctx, client, id, { ids: "all", as });
    await assert.rejects(refused, { code: "campaign_state" });
  }
  await report(fleet, site, lease, "unknown");
  const foreign = resolveDeliveries(fleet.ctx, stranger, id, { ids: "all", as: "resend" });
  await assert.rejects(foreign, { code: "not_found" });
  assert.deepEqual(await fleet.states(id), ["unknown", "queued"]);
});

Deno.test("resolveDeliveries() sends nothing again in a cancelled campaign (rule 13)", async () => {
  await using fleet = await openFleet();
  const { id, client } = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  await report(fleet, site, await take(fleet, site, 1), "unknown");
  await cancelCampaign(fleet.ctx, { client: client.id, person: client.id, role: "client" }, id);

  const refused = resolveDeliveries(fleet.ctx, client, id, { ids: "all", as: "resend" });
  await assert.rejects(refused, { code: "campaign_state" });
  assert.equal((await fleet.one("SELECT count(*) AS n FROM resends")).n, 0);
  assert.deepEqual(await resolveDeliveries(fleet.ctx, client, id, { ids: "all", as: "failed" }), {
    changed: 1,
  });
});

for (const as of ["failed", "resend"] as const) {
  Deno.test(`resolveDeliveries() settles a long list as ${as} in slices, and yields to the event loop between them`, async () => {
    await using fleet = await openFleet();
    const client = await fleet.addClient(0);
    const slices = 4;
    const unknown = slices * RESOLVE_SLICE + 7;
    const rows = { sent: 3, unknown };
    const id = await makeCampaign(fleet.ctx, { client: client.id, status: "completed_with_errors", rows });
    using turns = countTurns();
    assert.deepEqual(await resolveDeliveries(fleet.ctx, client, id, { ids: "all", as }), {
      changed: unknown,
    });
    assert.ok(turns.count >= slices, `${turns.count} turns`);
    const audited = await fleet.one(
      `SELECT count(*) AS lines, sum(data->>'changed') AS changed FROM audit_log WHERE kind = 'deliveries_resolved'`,
    );
    assert.deepEqual({ ...audited }, { lines: slices + 1, changed: unknown });
    const counts = await fleet.one("SELECT unknown_count, queued_count, failed_count FROM campaigns");
    const moved = {
      queued_count: as === "resend" ? unknown : 0,
      failed_count: as === "failed" ? unknown : 0,
    };
    assert.deepEqual({ ...counts }, { unknown_count: 0, ...moved });
    if (as === "failed") return;
    const mark = await fleet.one("SELECT outcomes, unknown FROM campaign_marks");
    assert.deepEqual({ ...mark }, { outcomes: 3, unknown: 0 }, "none of them is news to the breaker");
  });
}
