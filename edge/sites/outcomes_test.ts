import assert from "node:assert/strict";
import { makeKey, openFleet } from "../testing/fleet.ts";
import { openRows, pull, report, reportItems, sendNew, take } from "../testing/queue_acts.ts";
import { endOf, type LostOutcome, reportLostTime, restore } from "../testing/lost_time.ts";
import { auditQueue } from "../queue/audit.ts";
import { enrollSite } from "./enroll.ts";
import { renewGeneration } from "./generation.ts";
import { createJoinToken } from "./join_token.ts";
import { takeOutcomes } from "./outcomes.ts";
import { writeOffSite } from "./write_off_site.ts";

Deno.test("leaseDeliveries() waits until every site has answered a restored database (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 6);
  const [one, two] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, one, two);

  assert.equal(await pull(fleet, one), null);
  await reportLostTime(fleet, one, campaign, [], false);
  await reportLostTime(fleet, one, campaign, []);
  assert.equal(await pull(fleet, one), null);
  await writeOffSite(fleet.ctx, two.site);
  assert.equal((await pull(fleet, one))?.items.length, 3);
});

Deno.test("leaseDeliveries() waits for a site's last frame, and every frame before it is taken (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await reportLostTime(fleet, site, campaign, [{ outcome: "sent" }], false);
  assert.equal(await pull(fleet, site), null, "the rest of what it sent is still to come");
  await reportLostTime(fleet, site, campaign, [{ outcome: "void" }, { outcome: "sent" }], true);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "sent", "queued"]);
  assert.equal((await pull(fleet, site))?.items.length, 1);
});

Deno.test("takeOutcomes() leaves rows that a site still holds to its later report (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  await renewGeneration(fleet.ctx);
  await fleet.reconnect(site, { open: openRows(lease, "tapping") });
  await reportLostTime(fleet, site, campaign, [{ outcome: "tapping", token: lease.token, attempt: 1 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
  assert.deepEqual(await report(fleet, site, lease, "void"), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
});

Deno.test("reportOutcomes() accepts nothing from a site that still owes outcomes, and lets it forget nothing (rule 17)", async (t) => {
  for (const outcome of ["sent", "void"] as const) {
    for (const isKnown of [true, false]) {
      await t.step(`${outcome} of a token that the backup ${isKnown ? "knows" : "lost"}`, async () => {
        await using fleet = await openFleet();
        const campaign = await sendNew(fleet, 2);
        const site = await fleet.addSite();
        const [phone = ""] = campaign.phones;
        const token = isKnown ? (await take(fleet, site, 1)).token : "b".repeat(32);
        await renewGeneration(fleet.ctx);
        const open = [{ token, campaign: campaign.id, phone, attempt: 1, at: "tapping" as const }];
        await fleet.reconnect(site, { open });
        await reportLostTime(fleet, site, campaign, [], false);
        // The row settles while the frame that reports "tapping" waits for its turn.
        const end = { ...endOf(campaign, phone), token, attempt: 1, outcome };
        assert.deepEqual(await reportItems(fleet, site, [end]), []);
        await reportLostTime(fleet, site, campaign, [{ outcome: "tapping", token, attempt: 1 }]);
        assert.deepEqual(await reportItems(fleet, site, [end]), ["applied"]);
        assert.deepEqual(await fleet.states(campaign.id), [outcome === "sent" ? "sent" : "queued", "queued"]);
        assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 0);
        assert.deepEqual(await auditQueue(fleet.ctx.db), []);
      });
    }
  }
});

Deno.test("enrollSite() of a new machine does not count as the site's outcomes (rule 17)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, site, other);
  await writeOffSite(fleet.ctx, other.site);
  const { joinToken } = await createJoinToken(fleet.ctx, site.site);
  await enrollSite(fleet.ctx, { joinToken, publicKey: (await makeKey()).publicKey });
  await fleet.reconnect(site);
  assert.equal(await pull(fleet, other), null, "what the machine before it sent, nobody has told");
});

Deno.test("takeOutcomes() accepts nothing from a newly enrolled site, which has no past to report (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const old = await fleet.addSite();
  await restore(fleet, old);
  const site = await fleet.addSite();
  await reportLostTime(fleet, site, campaign, [{ outcome: "sent" }], false);
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
  // The same is true of a database that was never restored, and of a site that an older edge enrolled.
  const { reported, generation } = await fleet.one(`SELECT told_generation AS reported,
    (SELECT value FROM system WHERE key = 'generation') AS generation FROM sites WHERE id = ${site.site}`);
  assert.equal(reported, generation);
});

Deno.test("takeOutcomes() notifies the sites of waiting work after the last awaited answer, and after no other", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 6);
  const sites = [await fleet.addSite(), await fleet.addSite(), await fleet.addSite()];
  const called = async () =>
    (await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'workWaiting'")).n;
  const before = Number(await called());

  await reportLostTime(fleet, sites[0], campaign, []);
  assert.equal(await called(), before, "a new site, for which nobody waited");

  await restore(fleet, ...sites);
  await reportLostTime(fleet, sites[0], campaign, []);
  await reportLostTime(fleet, sites[1], campaign, []);
  assert.equal(await called(), before);
  await reportLostTime(fleet, sites[2], campaign, []);
  assert.equal(await called(), before + 1);
});

Deno.test("takeOutcomes() makes rows sent that a site sent, and unknown those that it may have sent (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 5);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await reportLostTime(fleet, site, campaign, [
    { outcome: "sent" },
    { outcome: "unknown" },
    { outcome: "tapping" },
    { outcome: "failed" },
    { outcome: "void" },
  ]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "unknown", "unknown", "queued", "queued"]);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM attempts")).n, 5);
  // The next attempt continues the numbering of the lost time.
  assert.equal((await take(fleet, site)).items[0].attempt, 4);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() treats no journal as lost that reported an attempt's end in the lost time (rule 17, I4)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 4);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  assert.equal(lease.items.length, 3);
  // Acknowledged to the database of the lost time, and so no longer listed.
  await restore(fleet, site);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "unknown", "unknown", "queued"]);
  const own = lease.items.map(({ phone, attempt }) => ({ phone, attempt, token: lease.token }));
  await reportLostTime(fleet, site, campaign, [
    { ...own[0], outcome: "void" },
    { ...own[1], outcome: "failed" },
    { ...own[2], outcome: "sent" },
  ]);
  assert.deepEqual(await fleet.states(campaign.id), ["queued", "failed", "sent", "queued"]);
  assert.deepEqual((await take(fleet, site)).items.map(({ phone }) => phone), [
    campaign.phones[0],
    campaign.phones[3],
  ]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("reportOutcomes() accepts the end of a tap that a restored database learned of (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 4);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await reportLostTime(fleet, site, campaign, [{ outcome: "tapping" }, { outcome: "tapping" }, {
    outcome: "sent",
  }]);
  const [one, two, three] = campaign.phones.map((phone) => ({
    ...endOf(campaign, phone),
    token: "c".repeat(32),
    attempt: 3,
    outcome: "sent" as const,
  }));
  const results = await reportItems(fleet, site, [one, { ...two, outcome: "void" }, three]);
  assert.deepEqual(results, ["applied", "applied", "known"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "queued", "sent", "queued"]);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() ignores outcomes for another generation", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const frame = { campaign: campaign.id, phone: campaign.phones[0], token: "c".repeat(32), attempt: 1 };
  await takeOutcomes(fleet.ctx, site, {
    type: "outcomes",
    generation: "older",
    last: true,
    items: [{ ...frame, outcome: "sent", account: null, at: 1 }],
  });
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
});

Deno.test("takeOutcomes() accepts nothing that a site adds after its last frame", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, site, other);
  await reportLostTime(fleet, site, campaign, [{ outcome: "sent" }]);
  await reportLostTime(fleet, site, campaign, [{}, { outcome: "sent" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "queued"]);
  // A site that was written off may still connect and report.
  await writeOffSite(fleet.ctx, other.site);
  await reportLostTime(fleet, other, campaign, [{}, { outcome: "sent" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "sent"]);
});

Deno.test("takeOutcomes() takes as few round trips for many outcomes: a remote database ends long transactions", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 40);
  const site = await fleet.addSite();
  await restore(fleet, site);
  let asked = 0;
  const { db } = fleet.ctx;
  const transaction = async (mode: "write") => {
    const tx = await db.transaction(mode);
    const counted =
      <A extends unknown[], R>(act: (...args: A) => R) => (...args: A) => (asked++, act(...args));
    return {
      execute: counted(tx.execute.bind(tx)),
      batch: counted(tx.batch.bind(tx)),
      commit: () => tx.commit(),
      close: () => tx.close(),
    };
  };
  const ctx = { ...fleet.ctx, db: { execute: db.execute.bind(db), transaction } as unknown as typeof db };
  const reported = Array.from({ length: 40 }, (): LostOutcome => ({ attempt: 1 }));
  await reportLostTime({ ...fleet, ctx }, site, campaign, reported.slice(0, 1), false);
  const ofOne = asked;
  await reportLostTime({ ...fleet, ctx }, site, campaign, reported, false);
  assert.equal(asked, 2 * ofOne);
  assert.deepEqual(await fleet.states(campaign.id), reported.map(() => "sent"));
});
