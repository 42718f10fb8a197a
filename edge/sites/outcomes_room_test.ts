import assert from "node:assert/strict";
import { countTrends } from "../admin/count_trends.ts";
import { localDay } from "../time/local_day.ts";
import { openFleet, START } from "../testing/fleet.ts";
import { type LostOutcome, reportLostTime, restore } from "../testing/lost_time.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { setRules } from "../testing/rules.ts";
import { HOUR_FLOOR } from "../health/hour_share.ts";
import { auditQueue } from "../queue/audit.ts";
import { resolveDeliveries } from "../queue/resolve.ts";

Deno.test("takeOutcomes() takes the day's room for messages of the lost time once, and for no known lease", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const used = async () => Number((await fleet.one("SELECT sum(used) AS n FROM account_days")).n);
  const lease = await take(fleet, site, 1);
  const [known] = lease.items;
  await restore(fleet, site);
  const before = await used();
  const { account } = known!;

  const lost: LostOutcome[] = [{}, {}, {}].map((_, index) => ({ account, at: START, attempt: 5 + index }));
  lost[0] = { account, at: START, token: lease.token, phone: known!.phone, attempt: known!.attempt };
  await reportLostTime(fleet, site, campaign, lost, false);
  assert.equal(await used(), before + 2);
  await reportLostTime(fleet, site, campaign, lost);
  assert.equal(await used(), before + 2, "told twice");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() takes no second room of what a person called failed and its site calls sent (I6)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "unknown");
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "failed" });
  await restore(fleet, site);
  const { phone, attempt, account } = lease.items[0]!;
  await reportLostTime(fleet, site, campaign, [{ token: lease.token, phone, attempt, account, at: START }]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await fleet.one("SELECT used FROM account_days"), { used: 1 });
});

Deno.test("takeOutcomes() takes an attempt's room once, though another attempt holds its row (I6)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await restore(fleet, site);
  const account = `${site.devices[0]}/com.whatsapp/0`;
  const taps: LostOutcome[] = ["a", "b"].map((digit, index) => (
    { account, at: START, phone: campaign.phones[0]!, token: digit.repeat(32), attempt: index + 1 }
  ));
  for (const last of [false, true]) {
    await reportLostTime(fleet, site, campaign, taps, last);
    assert.deepEqual(await fleet.one("SELECT used, hour_used FROM account_days"), { used: 2, hour_used: 2 });
  }
});

Deno.test("takeOutcomes() takes the day's room of a phone that joined in the lost time, before its inventory (I6)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite(0);
  await setRules(fleet, { maxMessagesPerDay: 2 });
  await restore(fleet, site);
  const account = "late/com.whatsapp/0";
  await reportLostTime(fleet, site, campaign, [{ account, at: START, attempt: 1 }, {
    account,
    at: START,
    attempt: 1,
    outcome: "tapping",
  }]);
  site.devices.push("late");
  await fleet.show(site);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(24 * 60 * 60_000);
  assert.equal((await pull(fleet, site))?.items.length, 1);
});

Deno.test("takeOutcomes() takes the room for messages to recipients whose rows are lost (I6)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  await setRules(fleet, { maxMessagesPerDay: HOUR_FLOOR + 2, hourlyPercent: 5 });
  await restore(fleet, site);
  const account = `${site.devices[0]}/com.whatsapp/0`;
  const lost = { account, at: START, attempt: 1 };
  const ofCampaign = Array.from({ length: HOUR_FLOOR - 1 }, () => ({ ...lost, campaign: campaign.id + 1 }));
  await reportLostTime(fleet, site, campaign, [...ofCampaign, { ...lost, phone: "+972541234567" }]);
  assert.equal(await pull(fleet, site), null, "the hour's room is taken");
  fleet.pass(60 * 60_000);
  assert.equal((await pull(fleet, site))?.items.length, 2);
  assert.equal(await pull(fleet, site), null);
});

Deno.test("takeOutcomes() counts a sent message once in its hour, for its account, its client and the fleet", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  await restore(fleet, site);
  const account = `${site.devices[0]}/com.whatsapp/0`;
  const at = START - 5 * 60 * 60_000;
  const sent = { account, at, attempt: 1 };
  for (const last of [false, true]) {
    await reportLostTime(fleet, site, campaign, [sent, { ...sent, outcome: "tapping" }], last);
    const hour = Math.floor(at / (60 * 60_000));
    assert.deepEqual(await fleet.one("SELECT hour, sent FROM account_hours"), { hour, sent: 1 });
    assert.deepEqual(await fleet.one("SELECT hour, sent FROM fleet_hours"), { hour, sent: 1 });
    assert.deepEqual(await fleet.one("SELECT hour, client, sent FROM client_hours"), {
      hour,
      client: campaign.client.id,
      sent: 1,
    });
  }
});

Deno.test("takeOutcomes() lets the trends count an ended day again", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  await restore(fleet, site);
  fleet.pass(3 * 24 * 60 * 60_000);
  await countTrends(fleet.ctx);
  const account = `${site.devices[0]}/com.whatsapp/0`;
  await reportLostTime(fleet, site, campaign, [{ account, at: START, attempt: 1 }]);
  await countTrends(fleet.ctx);
  const counted = { day: localDay(START), sent: 1 };
  assert.deepEqual(await fleet.one("SELECT day, sent FROM account_trends"), counted);
  assert.deepEqual(await fleet.one("SELECT day, sent FROM client_trends"), counted);
});

Deno.test("takeOutcomes() returns the room of an untapped row in an ended campaign once", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const { token, items: [item] } = await take(fleet, site);
  await restore(fleet, site);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
  const { phone, attempt, account } = item!;
  const own: LostOutcome = { token, phone, attempt, account, outcome: "void" };
  for (const last of [false, true]) {
    await reportLostTime(fleet, site, campaign, [own], last);
    assert.deepEqual(await fleet.states(campaign.id), ["failed"]);
    assert.deepEqual(await fleet.one("SELECT used FROM account_days"), { used: 0 });
  }
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() returns the room of an untapped row that waits again once (I6)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const { token, items: [item] } = await take(fleet, site, 2);
  await restore(fleet, site);
  const { phone, attempt, account } = item!;
  await reportLostTime(fleet, site, campaign, [{ token, phone, attempt, account, outcome: "void" }]);
  assert.deepEqual(await fleet.states(campaign.id), ["queued", "unknown", "queued"]);
  assert.deepEqual(await fleet.one("SELECT used FROM account_days"), { used: 1 });
});

Deno.test("takeOutcomes() takes the room of the day of the tap, whenever it is reported", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await reportLostTime(fleet, site, campaign, [{
    account: `${site.devices[0]}/com.whatsapp/0`,
    at: START - 24 * 60 * 60_000,
  }]);
  assert.deepEqual(await fleet.one("SELECT day, used FROM account_days"), { day: 20261120, used: 1 });
});

Deno.test("takeOutcomes() takes today's room for a message sent today, with any error of the site's clock (I6)", async (t) => {
  const DAY_MS = 24 * 60 * 60_000;
  for (const aheadMs of [-40 * DAY_MS, -DAY_MS, 0, DAY_MS, 400 * DAY_MS]) {
    for (const times of ["the edge's time", "its own alone"]) {
      await t.step(`${aheadMs / DAY_MS} days ahead, it says ${times}`, async () => {
        await using fleet = await openFleet();
        await setRules(fleet, { maxMessagesPerDay: 2 });
        const campaign = await sendNew(fleet, 4);
        const site = await fleet.addSite();
        await restore(fleet, site);
        const account = `${site.devices[0]}/com.whatsapp/0`;
        const edgeAt = times === "its own alone" ? undefined : START;
        const sent = (attempt: number): LostOutcome => ({ account, at: START + aheadMs, edgeAt, attempt });
        await reportLostTime(fleet, site, campaign, [sent(1), sent(2)]);
        assert.equal(await pull(fleet, site), null);
      });
    }
  }
});
