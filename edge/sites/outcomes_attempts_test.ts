import assert from "node:assert/strict";
import { type Fleet, openFleet } from "../testing/fleet.ts";
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
import { endOf, type LostOutcome, reportLostTime, restore } from "../testing/lost_time.ts";
import { auditQueue } from "../queue/audit.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { takeOutcomes } from "./outcomes.ts";
import { startSite } from "./start_site.ts";
import { writeOffSite } from "./write_off_site.ts";

Deno.test("takeOutcomes() of a row that another site holds makes it unknown once, and alerts administrators (rules 8 and 17)", async (t) => {
  const words = { sent: "unknown", tapping: "unknown", unknown: "unknown", void: "leased", failed: "leased" };
  for (const [outcome, state] of Object.entries(words)) {
    for (const attempt of [1, 2, 9_007_199_254_740_991]) {
      await t.step(`${outcome} of attempt ${attempt}`, async () => {
        await using fleet = await openFleet();
        const campaign = await sendNew(fleet, 2);
        const [site, holder] = [await fleet.addSite(), await fleet.addSite()];
        const lease = await take(fleet, holder, 1);
        await restore(fleet, site);
        const outcomeSent = {
          outcome: outcome as LostOutcome["outcome"],
          attempt,
          at: Number.MAX_SAFE_INTEGER,
        };
        await reportLostTime(fleet, site, campaign, [outcomeSent], false);
        await reportLostTime(fleet, site, campaign, [outcomeSent], false);
        await reportLostTime(fleet, site, campaign, [{ ...outcomeSent, token: "d".repeat(32) }], false);
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

Deno.test("takeOutcomes() of another site's row: the holder's `sent` counts, its `void` queues nothing (rules 8 and 17)", async (t) => {
  for (const outcome of ["sent", "void", "failed"] as const) {
    await t.step(outcome, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 2);
      const [site, holder] = [await fleet.addSite(), await fleet.addSite()];
      const lease = await take(fleet, holder, 1);
      await restore(fleet, site);
      await reportLostTime(fleet, site, campaign, [{ outcome: "sent" }]);
      await fleet.reconnect(holder, { open: openRows(lease, "tapping") });
      await reportLostTime(fleet, holder, campaign, [{ outcome: "tapping", token: lease.token, attempt: 1 }]);
      await report(fleet, holder, lease, outcome);
      assert.deepEqual(await fleet.states(campaign.id), [outcome === "sent" ? "sent" : "unknown", "queued"]);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
      // A person decides, and later reports are handled as after any resend.
      if (outcome === "sent") return;
      await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
      await report(fleet, holder, await take(fleet, holder, 1), "sent");
      assert.deepEqual((await fleet.states(campaign.id)).filter((one) => one === "sent").length, 1);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    });
  }
});

Deno.test("takeOutcomes() of a row that was only offered to another site does not make it unknown (rules 3, 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await pull(fleet, other, 1);
  await restore(fleet, site);
  const tapping = { token: "c".repeat(32), attempt: 1, outcome: "tapping" } as const;
  await reportLostTime(fleet, site, campaign, [tapping]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "queued"]);
  const end = { ...endOf(campaign, campaign.phones[0]!), ...tapping, outcome: "void" } as const;
  await reportItems(fleet, site, [end]);
  assert.deepEqual(await fleet.states(campaign.id), ["failed", "queued"], "nobody else can have tapped it");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an earlier attempt recalls a later one, and leaves it unknown (rules 8, 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, lost, other);
  await writeOffSite(fleet.ctx, lost.site);
  await reportLostTime(fleet, other, campaign, []);
  await report(fleet, other, await take(fleet, other), "void");
  const lease = await take(fleet, other);
  await reportLostTime(fleet, lost, campaign, [{ outcome: "tapping", attempt: 1 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
  assert.deepEqual(await report(fleet, other, lease, "failed"), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"], "the one before may have been tapped");
  const [phone = ""] = campaign.phones;
  const end = { ...endOf(campaign, phone), token: "c".repeat(32), attempt: 1, outcome: "void" as const };
  assert.deepEqual(await reportItems(fleet, lost, [end]), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["failed"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of a sent attempt numbers its row, so that a lower one is known as earlier (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, site, other);
  await reportLostTime(fleet, site, campaign, [{ attempt: 3 }]);
  await reportLostTime(fleet, other, campaign, [{ outcome: "tapping", token: "d".repeat(32), attempt: 2 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  const numbers = await fleet.one(
    "SELECT d.attempt, r.attempt AS earlier FROM deliveries d LEFT JOIN resends r",
  );
  assert.deepEqual(numbers, { attempt: 3, earlier: 2 });
});

Deno.test("takeOutcomes() of an untapped earlier attempt resolves it, from its own site only (rules 12 and 17)", async (t) => {
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
      await reportLostTime(fleet, name === "another site" ? other : site, campaign, [{
        outcome: "void",
        token,
        attempt: 1,
      }]);
      await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
      for (const one of [site, other]) await reportLostTime(fleet, one, campaign, []);
      await startSite(fleet.ctx, site.site);
      await report(fleet, other, await take(fleet, other), "failed");
      assert.deepEqual(await fleet.states(campaign.id), [state]);
    });
  }
});

Deno.test("takeOutcomes() of an untapped attempt does not undo `sent` that its site had reported (rules 11 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, holder] = [await fleet.addSite(), await fleet.addSite()];
  const first = await take(fleet, site);
  await report(fleet, site, first, "unknown");
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
  const second = await take(fleet, holder);
  await report(fleet, site, first, "sent");
  await restore(fleet, site);
  await fleet.reconnect(holder, { open: openRows(second) });
  await reportLostTime(fleet, site, campaign, [{ outcome: "void", token: first.token, attempt: 1 }]);
  await reportLostTime(fleet, holder, campaign, []);
  await report(fleet, holder, second, "failed");
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("reportOutcomes() accepts the end of a tap whose row has an earlier lease in a restored database (rule 17)", async (t) => {
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
      // The backup knows only the first lease, which the site has reported since.
      await take(fleet, site, 1);
      await restore(fleet, site, other);
      assert.deepEqual(await fleet.states(campaign.id), ["unknown", "queued"]);
      await act(fleet, campaign);
      await reportLostTime(fleet, other, campaign, [{ outcome: "tapping", attempt: 2 }]);
      const end = { ...endOf(campaign, campaign.phones[0]!), token: "c".repeat(32), attempt: 2 };
      assert.deepEqual(await reportItems(fleet, other, [{ ...end, outcome: "sent" }]), ["applied"]);
      assert.deepEqual(await fleet.states(campaign.id), ["sent", "queued"]);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    });
  }
});

Deno.test("reportOutcomes() accepts both attempts that a restored database learned of (rules 12 and 17)", async (t) => {
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
            await reportLostTime(fleet, by, campaign, [{ outcome: "tapping", ...attempt }]);
          }
          const end = endOf(campaign, campaign.phones[0]!);
          await reportItems(fleet, other, [{ ...end, ...later, outcome: "failed" }]);
          assert.deepEqual(await fleet.states(campaign.id), ["unknown"], "the earlier is still in doubt");
          await reportItems(fleet, site, [{ ...end, ...first, outcome }]);
          assert.deepEqual(await fleet.states(campaign.id), [stateAfter[outcome]]);
          assert.deepEqual(await auditQueue(fleet.ctx.db), []);
        });
      }
    }
  }
});

Deno.test("takeOutcomes() of a written-off site recalls the row from another site, and accepts both outcomes (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, lost, other);
  await writeOffSite(fleet.ctx, lost.site);
  await reportLostTime(fleet, other, campaign, []);
  const lease = await take(fleet, other);
  await reportLostTime(fleet, lost, campaign, [{ outcome: "tapping", attempt: 1 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
  assert.ok((await recalled(fleet)).some((one) => one.token === lease.token));
  assert.deepEqual(await report(fleet, other, lease, "sent"), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() keeps two attempts of one number separate, so that a resend loses neither (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  const lease = await take(fleet, other);
  await restore(fleet, lost, other);
  // Both sites made a first attempt: one of them in the lost time.
  const tap = { attempt: lease.items[0]!.attempt, token: "b".repeat(32) };
  await reportLostTime(fleet, lost, campaign, [{ outcome: "tapping", ...tap }]);
  await reportLostTime(fleet, other, campaign, []);
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

Deno.test("takeOutcomes() does not mistake a person's `failed` for a site's report of the earlier attempt (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  const { token } = await take(fleet, site);
  await restore(fleet, site, other);
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "failed" });
  await reportLostTime(fleet, other, campaign, [{ outcome: "tapping", attempt: 2 }]);
  const sent = { ...endOf(campaign, campaign.phones[0]!), token, attempt: 1, outcome: "sent" as const };
  await reportLostTime(fleet, site, campaign, []);
  assert.deepEqual(await reportItems(fleet, site, [sent]), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of `sent` replaces a person's `sent`, and no earlier attempt undoes it (rules 11 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  const { token } = await take(fleet, site);
  await restore(fleet, site, other);
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "sent" });
  // In the lost time a person sent it again.
  await reportLostTime(fleet, other, campaign, [{ outcome: "sent", attempt: 2 }]);
  const first = { ...endOf(campaign, campaign.phones[0]!), token, attempt: 1 };
  await reportItems(fleet, site, [{ ...first, outcome: "void" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.equal(await balanceOf(fleet, campaign.client), 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of a tap makes a row that failed before unknown, and accepts the tap's end (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "failed");
  await restore(fleet, site, other);
  // In the lost time the first try was void, and the second belongs to the other site.
  const later = { token: "b".repeat(32), attempt: 2 };
  await reportLostTime(fleet, other, campaign, [{ outcome: "tapping", ...later }, {
    outcome: "tapping",
    ...later,
  }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "unknown"]);
  assert.equal(await balanceOf(fleet, campaign.client), 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  const [one, two] = campaign.phones.map((phone) => ({ ...endOf(campaign, phone), ...later }));
  const ends = [{ ...one, outcome: "sent" as const }, { ...two, outcome: "void" as const }];
  assert.deepEqual(await reportItems(fleet, other, ends), ["applied", "applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "failed"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an earlier tap keeps a row that failed since unknown until the tap is resolved (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, lost, other);
  await writeOffSite(fleet.ctx, lost.site);
  await reportLostTime(fleet, other, campaign, []);
  for (const outcome of ["void", "failed"] as const) {
    await report(fleet, other, await take(fleet, other), outcome);
  }
  assert.deepEqual(await fleet.states(campaign.id), ["failed", "failed"]);
  const earlier = { token: "b".repeat(32), attempt: 1 };
  await reportLostTime(fleet, lost, campaign, [{ outcome: "tapping", ...earlier }, {
    outcome: "tapping",
    ...earlier,
  }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "unknown"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  const [one, two] = campaign.phones.map((phone) => ({ ...endOf(campaign, phone), ...earlier }));
  const ends = [{ ...one, outcome: "sent" as const }, { ...two, outcome: "void" as const }];
  assert.deepEqual(await reportItems(fleet, lost, ends), ["applied", "applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "failed"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an earlier tap makes a row that was skipped since unknown, and charges it (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, lost, other);
  await writeOffSite(fleet.ctx, lost.site);
  await reportLostTime(fleet, other, campaign, []);
  for (let attempt = 1; attempt <= 2; attempt++) await report(fleet, other, await take(fleet, other), "void");
  await suppressPhone(fleet.ctx, { phone: campaign.phones[0]!, client: 0, source: "manual" });
  assert.equal(await balanceOf(fleet, campaign.client), 1);
  await reportLostTime(fleet, lost, campaign, [{ outcome: "tapping", token: "b".repeat(32), attempt: 1 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
  assert.equal(await balanceOf(fleet, campaign.client), 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an earlier tap keeps a person's later decision (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [lost, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, lost, other);
  await writeOffSite(fleet.ctx, lost.site);
  await reportLostTime(fleet, other, campaign, []);
  for (const outcome of ["void", "unknown"] as const) {
    await report(fleet, other, await take(fleet, other), outcome);
  }
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "failed" });
  await reportLostTime(fleet, lost, campaign, [{ outcome: "tapping", token: "b".repeat(32), attempt: 1 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["failed"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an impossibly high attempt number leaves the row leasable", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await reportLostTime(fleet, site, campaign, [{ outcome: "void", attempt: Number.MAX_SAFE_INTEGER }]);
  assert.equal((await take(fleet, site)).items[0]!.attempt, 1_000_001);
});

Deno.test("takeOutcomes() accepts a third site's outcome once the contesting report is withdrawn (rules 12 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, holder, third] = [await fleet.addSite(), await fleet.addSite(), await fleet.addSite()];
  await take(fleet, holder);
  await restore(fleet, site, third);
  const contest = { token: "b".repeat(32), attempt: 1 };
  await reportLostTime(fleet, site, campaign, [{ outcome: "tapping", ...contest }]);
  const end = { ...endOf(campaign, campaign.phones[0]!), ...contest, outcome: "void" } as const;
  await reportItems(fleet, site, [end]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"], "what the holder did is still open");
  await reportLostTime(fleet, third, campaign, [{ outcome: "sent", token: "d".repeat(32), attempt: 2 }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() repeated leaves a delivery with the site that holds it since (rules 8 and 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, site, other);
  // Its first frame is applied, and it is cut off before its last one.
  await reportLostTime(fleet, site, campaign, [{ outcome: "tapping" }], false);
  await reportLostTime(fleet, other, campaign, []);
  await writeOffSite(fleet.ctx, site.site);
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
  const lease = await take(fleet, other);
  // The site has connected again, and reports everything from the beginning.
  await reportLostTime(fleet, site, campaign, [{ outcome: "tapping" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
  assert.deepEqual(await report(fleet, other, lease, "sent"), ["applied"]);
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
