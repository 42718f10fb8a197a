import assert from "node:assert/strict";
import { type Fleet, makeKey, openFleet } from "../testing/fleet.ts";
import {
  balanceOf,
  openRows,
  pull,
  recalled,
  report,
  reportItems,
  sendNew,
  type SentCampaign,
  take,
} from "../testing/queue_acts.ts";
import { endOf, restore, tell, type Told } from "../testing/lost_time.ts";
import { countsAndTold } from "../testing/counts_told.ts";
import { auditQueue } from "../queue/audit.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { flipCancelled } from "../queue/flip_cancelled.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { suppressPhone } from "../queue/suppress.ts";
import { enrollSite } from "./enroll.ts";
import { renewGeneration } from "./generation.ts";
import { createJoinToken } from "./join_token.ts";
import { takeOutcomes } from "./outcomes.ts";
import { startSite } from "./start_site.ts";
import { writeOffSite } from "./write_off_site.ts";

Deno.test("leaseDeliveries() waits until every site has answered a restored database (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 6);
  const [one, two] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, one, two);

  assert.equal(await pull(fleet, one), null);
  await tell(fleet, one, campaign, [], false);
  await tell(fleet, one, campaign, []);
  assert.equal(await pull(fleet, one), null);
  await writeOffSite(fleet.ctx, two.site);
  assert.equal((await pull(fleet, one))?.items.length, 3);
});

Deno.test("leaseDeliveries() waits for a site's last frame, and every frame before it is taken (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await tell(fleet, site, campaign, [{ outcome: "sent" }], false);
  assert.equal(await pull(fleet, site), null, "the rest of what it sent is still to come");
  await tell(fleet, site, campaign, [{ outcome: "void" }, { outcome: "sent" }], true);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "sent", "queued"]);
  assert.equal((await pull(fleet, site))?.items.length, 1);
});

Deno.test("takeOutcomes() leaves to a site what it still has in hand: its report will say (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  await renewGeneration(fleet.ctx);
  await fleet.reconnect(site, { open: openRows(lease, "tapping") });
  await tell(fleet, site, campaign, [{ outcome: "tapping", token: lease.token, attempt: 1 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
  assert.deepEqual(await report(fleet, site, lease, "void"), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
});

Deno.test("reportOutcomes() takes nothing of a site that still tells its lost time, and lets it forget nothing (rule 17)", async (t) => {
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
        await tell(fleet, site, campaign, [], false);
        // It settles, while the frame that says "tapping" of it waits for its turn.
        const end = { ...endOf(campaign, phone), token, attempt: 1, outcome };
        assert.deepEqual(await reportItems(fleet, site, [end]), []);
        await tell(fleet, site, campaign, [{ outcome: "tapping", token, attempt: 1 }]);
        assert.deepEqual(await reportItems(fleet, site, [end]), ["applied"]);
        assert.deepEqual(await fleet.states(campaign.id), [outcome === "sent" ? "sent" : "queued", "queued"]);
        assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 0);
        assert.deepEqual(await auditQueue(fleet.ctx.db), []);
      });
    }
  }
});

Deno.test("takeOutcomes() of a row that another site holds makes it unknown, once, and tells administrators (rules 8 and 17)", async (t) => {
  const words = { sent: "unknown", tapping: "unknown", unknown: "unknown", void: "leased", failed: "leased" };
  for (const [outcome, state] of Object.entries(words)) {
    for (const attempt of [1, 2, 9_007_199_254_740_991]) {
      await t.step(`${outcome} of attempt ${attempt}`, async () => {
        await using fleet = await openFleet();
        const campaign = await sendNew(fleet, 2);
        const [site, holder] = [await fleet.addSite(), await fleet.addSite()];
        const lease = await take(fleet, holder, 1);
        await restore(fleet, site);
        const said = { outcome: outcome as Told["outcome"], attempt, at: Number.MAX_SAFE_INTEGER };
        await tell(fleet, site, campaign, [said], false);
        await tell(fleet, site, campaign, [said], false);
        await tell(fleet, site, campaign, [{ ...said, token: "d".repeat(32) }], false);
        assert.deepEqual(await fleet.states(campaign.id), [state, "queued"]);
        const isTap = state === "unknown";
        assert.equal(
          (await recalled(fleet)).filter(({ token }) => token === lease.token).length,
          isTap ? 1 : 0,
        );
        const alerts = await fleet.one(
          "SELECT count(*) AS n, max(site) AS site FROM activity WHERE code = 'told_of_others'",
        );
        assert.deepEqual(alerts, isTap ? { n: 1, site: site.site } : { n: 0, site: null });
        assert.deepEqual(await auditQueue(fleet.ctx.db), []);
      });
    }
  }
});

Deno.test("takeOutcomes() of a row that another site holds: the holder's sent is heard, its void queues nothing (rules 8 and 17)", async (t) => {
  for (const outcome of ["sent", "void", "failed"] as const) {
    await t.step(outcome, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 2);
      const [site, holder] = [await fleet.addSite(), await fleet.addSite()];
      const lease = await take(fleet, holder, 1);
      await restore(fleet, site);
      await tell(fleet, site, campaign, [{ outcome: "sent" }]);
      await fleet.reconnect(holder, { open: openRows(lease, "tapping") });
      await tell(fleet, holder, campaign, [{ outcome: "tapping", token: lease.token, attempt: 1 }]);
      await report(fleet, holder, lease, outcome);
      assert.deepEqual(await fleet.states(campaign.id), [outcome === "sent" ? "sent" : "unknown", "queued"]);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
      // A person decides, and what is told of it is heard as of any resend.
      if (outcome === "sent") return;
      await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
      await report(fleet, holder, await take(fleet, holder, 1), "sent");
      assert.deepEqual((await fleet.states(campaign.id)).filter((one) => one === "sent").length, 1);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    });
  }
});

Deno.test("takeOutcomes() of an attempt long over recalls a later one, and leaves it unknown (rules 8, 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, lost, other);
  await writeOffSite(fleet.ctx, lost.site);
  await tell(fleet, other, campaign, []);
  await report(fleet, other, await take(fleet, other), "void");
  const lease = await take(fleet, other);
  await tell(fleet, lost, campaign, [{ outcome: "tapping", attempt: 1 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
  assert.deepEqual(await report(fleet, other, lease, "failed"), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"], "the one before may have been tapped");
  const [phone = ""] = campaign.phones;
  const end = { ...endOf(campaign, phone), token: "c".repeat(32), attempt: 1, outcome: "void" as const };
  assert.deepEqual(await reportItems(fleet, lost, [end]), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["failed"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an untapped earlier attempt ends its doubt, by its own site's word alone (rules 12 and 17)", async (t) => {
  const cases = {
    "its own site": "failed",
    "another site": "unknown",
    "a site whose journal was doubted": "unknown",
  };
  for (const [name, state] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 1);
      const [site, other] = [await fleet.addSite(), await fleet.addSite()];
      const { token } = await take(fleet, site);
      await fleet.reconnect(site);
      await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
      await report(fleet, other, await take(fleet, other), "failed");
      assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
      if (name.includes("doubted")) await fleet.reconnect(site, { counterAtOpen: 1 });
      await restore(fleet, site, other);
      await tell(fleet, name === "another site" ? other : site, campaign, [{
        outcome: "void",
        token,
        attempt: 1,
      }]);
      await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
      for (const one of [site, other]) await tell(fleet, one, campaign, []);
      await startSite(fleet.ctx, site.site);
      await report(fleet, other, await take(fleet, other), "failed");
      assert.deepEqual(await fleet.states(campaign.id), [state]);
    });
  }
});

Deno.test("enrollSite() of a new machine answers nothing for the site's lost time (rule 17)", async () => {
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

Deno.test("takeOutcomes() takes nothing from a site that has just enrolled: it has no past to tell (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const old = await fleet.addSite();
  await restore(fleet, old);
  const site = await fleet.addSite();
  await tell(fleet, site, campaign, [{ outcome: "sent" }], false);
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
  // So it is with a database that was never restored, and with a site that an older edge enrolled.
  const { told, generation } = await fleet.one(`SELECT told_generation AS told,
    (SELECT value FROM system WHERE key = 'generation') AS generation FROM sites WHERE id = ${site.site}`);
  assert.equal(told, generation);
});

Deno.test("takeOutcomes() calls the sites to work with the last answer that was waited for, and with no other", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 6);
  const sites = [await fleet.addSite(), await fleet.addSite(), await fleet.addSite()];
  const called = async () =>
    (await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'workWaiting'")).n;
  const before = Number(await called());

  await tell(fleet, sites[0], campaign, []);
  assert.equal(await called(), before, "a new site, for which nobody waited");

  await restore(fleet, ...sites);
  await tell(fleet, sites[0], campaign, []);
  await tell(fleet, sites[1], campaign, []);
  assert.equal(await called(), before);
  await tell(fleet, sites[2], campaign, []);
  assert.equal(await called(), before + 1);
});

Deno.test("takeOutcomes() makes sent what a site sent, and unknown what it may have sent (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 5);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await tell(fleet, site, campaign, [
    { outcome: "sent" },
    { outcome: "unknown" },
    { outcome: "tapping" },
    { outcome: "failed" },
    { outcome: "void" },
  ]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "unknown", "unknown", "queued", "queued"]);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM attempts")).n, 5);
  // The next attempt is counted on from the lost time.
  assert.equal((await take(fleet, site)).items[0].attempt, 4);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() calls no journal lost that told the end of an attempt in the lost time (rule 17, I4)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 4);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  assert.equal(lease.items.length, 3);
  // Acknowledged to the database of the lost time, and so no longer listed.
  await restore(fleet, site);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "unknown", "unknown", "queued"]);
  const own = lease.items.map(({ phone, attempt }) => ({ phone, attempt, token: lease.token }));
  await tell(fleet, site, campaign, [
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

Deno.test("reportOutcomes() hears the end of a tap that a restored database learnt of (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 4);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await tell(fleet, site, campaign, [{ outcome: "tapping" }, { outcome: "tapping" }, { outcome: "sent" }]);
  const [one, two, three] = campaign.phones.map((phone) => ({
    token: "c".repeat(32),
    campaign: campaign.id,
    phone,
    attempt: 3,
    outcome: "sent" as const,
    temporary: false,
    reason: null,
    account: null,
    tappedAt: 1,
  }));
  const results = await reportItems(fleet, site, [one, { ...two, outcome: "void" }, three]);
  assert.deepEqual(results, ["applied", "applied", "known"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "queued", "sent", "queued"]);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("reportOutcomes() hears the end of a tap whose row a restored database knows by an earlier lease (rule 17)", async (t) => {
  const meanwhile = {
    "and holds unknown": () => Promise.resolve(),
    "and a person has decided": (fleet: Fleet, campaign: SentCampaign) =>
      resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "failed" }),
  };
  for (const [name, act] of Object.entries(meanwhile)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 2);
      const [site, other] = [await fleet.addSite(), await fleet.addSite()];
      // The backup knows of the first lease alone, which the site has reported since.
      await take(fleet, site, 1);
      await restore(fleet, site, other);
      assert.deepEqual(await fleet.states(campaign.id), ["unknown", "queued"]);
      await act(fleet, campaign);
      await tell(fleet, other, campaign, [{ outcome: "tapping", attempt: 2 }]);
      const item = { campaign: campaign.id, phone: campaign.phones[0], token: "c".repeat(32), attempt: 2 };
      const rest = { outcome: "sent", temporary: false, reason: null, account: null, tappedAt: 1 } as const;
      assert.deepEqual(await reportItems(fleet, other, [{ ...item, ...rest }]), ["applied"]);
      assert.deepEqual(await fleet.states(campaign.id), ["sent", "queued"]);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    });
  }
});

Deno.test("reportOutcomes() hears of both attempts that a restored database learnt of (rules 12 and 17)", async (t) => {
  const [earlier, later] = [{ attempt: 1, token: "b".repeat(32) }, { attempt: 2, token: "c".repeat(32) }];
  const stateAfter = { sent: "sent", void: "failed", unknown: "unknown" } as const;
  for (const isInBackup of [true, false]) {
    for (const order of [[earlier, later], [later, earlier]]) {
      for (const outcome of ["sent", "void", "unknown"] as const) {
        const name =
          `the earlier ${isInBackup ? "is" : "is not"} in the backup, attempt ${order[0]!.attempt} ` +
          `is told first, and the earlier ends ${outcome}`;
        await t.step(name, async () => {
          await using fleet = await openFleet();
          const campaign = await sendNew(fleet, 1);
          const [site, other] = [await fleet.addSite(), await fleet.addSite()];
          const first = { ...earlier, token: isInBackup ? (await take(fleet, site)).token : earlier.token };
          await restore(fleet, site, other);
          for (const one of order) {
            const [by, attempt] = one === earlier ? [site, first] : [other, later];
            await tell(fleet, by, campaign, [{ outcome: "tapping", ...attempt }]);
          }
          const about = { campaign: campaign.id, phone: campaign.phones[0]!, temporary: false, reason: null };
          const say = { ...about, account: null, tappedAt: 1 };
          await reportItems(fleet, other, [{ ...say, ...later, outcome: "failed" }]);
          assert.deepEqual(await fleet.states(campaign.id), ["unknown"], "the earlier is still in doubt");
          await reportItems(fleet, site, [{ ...say, ...first, outcome }]);
          assert.deepEqual(await fleet.states(campaign.id), [stateAfter[outcome]]);
          assert.deepEqual(await auditQueue(fleet.ctx.db), []);
        });
      }
    }
  }
});

Deno.test("takeOutcomes() of a site that was written off recalls what another took in its place, and hears both (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, lost, other);
  await writeOffSite(fleet.ctx, lost.site);
  await tell(fleet, other, campaign, []);
  const lease = await take(fleet, other);
  await tell(fleet, lost, campaign, [{ outcome: "tapping", attempt: 1 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
  assert.ok((await recalled(fleet)).some((one) => one.token === lease.token));
  assert.deepEqual(await report(fleet, other, lease, "sent"), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() tells two attempts of one number apart, so that a resend forgets neither (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  const lease = await take(fleet, other);
  await restore(fleet, lost, other);
  // Both sites made a first attempt: one of them in the lost time.
  const tap = { attempt: lease.items[0]!.attempt, token: "b".repeat(32) };
  await tell(fleet, lost, campaign, [{ outcome: "tapping", ...tap }]);
  await tell(fleet, other, campaign, []);
  await report(fleet, other, lease, "failed");
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
  await report(fleet, other, await take(fleet, other), "failed");
  assert.deepEqual(
    await fleet.states(campaign.id),
    ["unknown"],
    "the tap of the lost time is still in doubt",
  );
  const sent = { ...endOf(campaign, campaign.phones[0]!), ...tap, outcome: "sent" as const };
  assert.deepEqual(await reportItems(fleet, lost, [sent]), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() does not take a person's failed for a site's word of the earlier attempt (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  const { token } = await take(fleet, site);
  await restore(fleet, site, other);
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "failed" });
  await tell(fleet, other, campaign, [{ outcome: "tapping", attempt: 2 }]);
  const [phone = ""] = campaign.phones;
  const about = { campaign: campaign.id, phone, temporary: false, reason: null, account: null, tappedAt: 1 };
  const sent = { ...about, token, attempt: 1, outcome: "sent" as const };
  await tell(fleet, site, campaign, []);
  assert.deepEqual(await reportItems(fleet, site, [sent]), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of sent is the site's word where a person had said so: no earlier attempt takes it back (rules 11 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  const { token } = await take(fleet, site);
  await restore(fleet, site, other);
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "sent" });
  // In the lost time a person sent it again.
  await tell(fleet, other, campaign, [{ outcome: "sent", attempt: 2 }]);
  const first = { ...endOf(campaign, campaign.phones[0]!), token, attempt: 1 };
  await reportItems(fleet, site, [{ ...first, outcome: "void" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.equal(await balanceOf(fleet, campaign.client), 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an earlier tap puts what was cancelled since in doubt, flipped or not (rules 12 and 17)", async (t) => {
  for (const isFlipped of [false, true]) {
    await t.step(isFlipped ? "flipped" : "not flipped", async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 2);
      const [site, other] = [await fleet.addSite(), await fleet.addSite()];
      await restore(fleet, site, other);
      await tell(fleet, other, campaign, [{ outcome: "void", attempt: 2 }]);
      await cancelCampaign(fleet.ctx, { id: 0, role: "admin" }, campaign.id);
      if (isFlipped) await flipCancelled(fleet.ctx);
      await tell(fleet, site, campaign, [{ outcome: "tapping", attempt: 1, token: "b".repeat(32) }]);
      await flipCancelled(fleet.ctx);
      assert.deepEqual(await fleet.states(campaign.id), ["unknown", "cancelled"]);
      assert.equal(await balanceOf(fleet, campaign.client), 1);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    });
  }
});

Deno.test("takeOutcomes() of a tap makes unknown what failed before it, and hears its end (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "failed");
  await restore(fleet, site, other);
  // In the lost time the first try was void, and the second is the other site's.
  const later = { token: "b".repeat(32), attempt: 2 };
  await tell(fleet, other, campaign, [{ outcome: "tapping", ...later }, { outcome: "tapping", ...later }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "unknown"]);
  assert.equal(await balanceOf(fleet, campaign.client), 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  const [one, two] = campaign.phones.map((phone) => ({ ...endOf(campaign, phone), ...later }));
  const ends = [{ ...one, outcome: "sent" as const }, { ...two, outcome: "void" as const }];
  assert.deepEqual(await reportItems(fleet, other, ends), ["applied", "applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "failed"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an earlier tap leaves what failed since in its doubt, until it ends (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, lost, other);
  await writeOffSite(fleet.ctx, lost.site);
  await tell(fleet, other, campaign, []);
  for (const outcome of ["void", "failed"] as const) {
    await report(fleet, other, await take(fleet, other), outcome);
  }
  assert.deepEqual(await fleet.states(campaign.id), ["failed", "failed"]);
  const earlier = { token: "b".repeat(32), attempt: 1 };
  await tell(fleet, lost, campaign, [{ outcome: "tapping", ...earlier }, { outcome: "tapping", ...earlier }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "unknown"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  const [one, two] = campaign.phones.map((phone) => ({ ...endOf(campaign, phone), ...earlier }));
  const ends = [{ ...one, outcome: "sent" as const }, { ...two, outcome: "void" as const }];
  assert.deepEqual(await reportItems(fleet, lost, ends), ["applied", "applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "failed"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() told again leaves a delivery to the site that holds it since (rules 8 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, site, other);
  // Its first frame is taken, and it is cut off before its last one.
  await tell(fleet, site, campaign, [{ outcome: "tapping" }], false);
  await tell(fleet, other, campaign, []);
  await writeOffSite(fleet.ctx, site.site);
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
  const lease = await take(fleet, other);
  // The site has connected again, and tells everything from the beginning.
  await tell(fleet, site, campaign, [{ outcome: "tapping" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
  assert.deepEqual(await report(fleet, other, lease, "sent"), ["applied"]);
});

Deno.test("takeOutcomes() of sent beats every state but another site's lease, and charges what was refunded", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const [site, holder] = [await fleet.addSite(), await fleet.addSite()];
  const held = await take(fleet, holder, 1);
  await cancelCampaign(fleet.ctx, { id: 0, role: "admin" }, campaign.id);
  assert.equal(await balanceOf(fleet, campaign.client), 2);

  await restore(fleet, site);
  const before = (await recalled(fleet)).length;
  await tell(fleet, site, campaign, [{ outcome: "sent" }, { outcome: "sent" }]);
  assert.deepEqual((await fleet.states(campaign.id)).slice(0, 2), ["unknown", "sent"]);
  assert.equal(await balanceOf(fleet, campaign.client), 1);
  assert.deepEqual((await recalled(fleet)).slice(before).map(({ token }) => token), [held.token]);
  const { held: counts, told } = await countsAndTold(fleet.ctx.db);
  assert.deepEqual(told, counts);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of a tap without an outcome makes unknown what was cancelled or skipped since, and charges it (rule 17)", async (t) => {
  const acts = {
    cancelled: (fleet: Fleet, id: number) => cancelCampaign(fleet.ctx, { id: 0, role: "admin" }, id),
    "cancelled and flipped": async (fleet: Fleet, id: number) => {
      await cancelCampaign(fleet.ctx, { id: 0, role: "admin" }, id);
      await flipCancelled(fleet.ctx);
    },
    skipped: (fleet: Fleet) =>
      suppressPhone(fleet.ctx, { phone: "+972540000001", client: 0, source: "test" }),
  };
  for (const [name, act] of Object.entries(acts)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 1);
      const site = await fleet.addSite();
      await restore(fleet, site);
      await act(fleet, campaign.id);
      assert.equal(await balanceOf(fleet, campaign.client), 1);

      await tell(fleet, site, campaign, [{ outcome: "tapping" }]);
      assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
      assert.equal(await balanceOf(fleet, campaign.client), 0);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    });
  }
});

Deno.test("takeOutcomes() passes over an answer to another generation", async () => {
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

Deno.test("takeOutcomes() takes nothing that a site adds after its last frame: these rows never were its own", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, site, other);
  await tell(fleet, site, campaign, [{ outcome: "sent" }]);
  await tell(fleet, site, campaign, [{}, { outcome: "sent" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "queued"]);
  // Whoever was written off may still come and tell.
  await writeOffSite(fleet.ctx, other.site);
  await tell(fleet, other, campaign, [{}, { outcome: "sent" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "sent"]);
});

Deno.test("takeOutcomes() asks no more often for many outcomes: a remote database ends a long transaction", async () => {
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
  const told = Array.from({ length: 40 }, (): Told => ({ attempt: 1 }));
  await tell({ ...fleet, ctx }, site, campaign, told.slice(0, 1), false);
  const ofOne = asked;
  await tell({ ...fleet, ctx }, site, campaign, told, false);
  assert.equal(asked, 2 * ofOne);
  assert.deepEqual(await fleet.states(campaign.id), told.map(() => "sent"));
});

Deno.test("takeOutcomes() keeps a bounded number of attempts and doubts of one delivery, however many a site invents", async () => {
  await using fleet = await openFleet();
  const { id, phones } = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await restore(fleet, site);
  const generation = String((await fleet.one("SELECT value FROM system WHERE key = 'generation'")).value);
  for (let frame = 0; frame < 4; frame++) {
    const items = Array.from({ length: 60 }, (_, no) => ({
      campaign: id,
      phone: phones[0]!,
      token: (1 + frame * 60 + no).toString(16).padStart(32, "0"),
      attempt: 1 + frame * 60 + no,
      outcome: "unknown" as const,
      account: null,
      at: fleet.ctx.now(),
    }));
    await takeOutcomes(fleet.ctx, site, { type: "outcomes", generation, items, last: false });
  }
  const count = async (table: string) => Number((await fleet.one(`SELECT count(*) AS n FROM ${table}`)).n);
  assert.ok(await count("attempts WHERE by = 1") <= 50);
  assert.ok(await count("resends") <= 50);
  assert.deepEqual(await fleet.states(id), ["unknown"]);
});
