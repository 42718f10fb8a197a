import assert from "node:assert/strict";
import { openFleet } from "../testing/fleet.ts";
import { acknowledge, openRows, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { SupersededError } from "./fence.ts";

Deno.test("handleHello() queues again what the site was only offered (rule 4)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await pull(fleet, site);
  assert.ok(lease);

  await fleet.reconnect(site, { open: openRows(lease) });
  assert.deepEqual(await fleet.states(campaign.id), ["queued", "queued"]);
  assert.equal((await fleet.one("SELECT sum(used) AS used FROM account_days")).used, 0);
});

Deno.test("handleHello() leaves alone what is acknowledged and listed (rules 3 and 8)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  const [held, tapping, done] = openRows(lease);

  const { drop } = await fleet.reconnect(site, {
    open: [held, { ...tapping, at: "tapping" }, { ...done, at: "done" }],
  });
  assert.deepEqual(drop, []);
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "leased", "leased"]);
  assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied", "applied", "applied"]);
});

Deno.test("handleHello() makes unknown what is acknowledged and not listed (rule 9)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);

  await fleet.reconnect(site, { open: openRows(lease).slice(0, 1) });
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "unknown"]);
  const row = await fleet.one("SELECT by, reason FROM deliveries WHERE state = 'unknown'");
  assert.deepEqual(row, { by: 4, reason: "journal_lost" });
  // The site's word beats it (rule 11).
  assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied", "applied"]);
});

Deno.test("handleHello() drops what is held under a token that no longer holds it, and what is no longer wanted", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  const [first, second, third] = openRows(lease);
  await fleet.ctx.db.execute(
    "INSERT INTO suppressions (phone, source, at) SELECT phone, 'test', 0 FROM deliveries ORDER BY id LIMIT 1",
  );
  const foreign = { ...third, token: "f".repeat(32) };

  const { drop } = await fleet.reconnect(site, { open: [first, second, third, foreign] });
  assert.deepEqual(drop, [
    { token: lease.token, phones: [first.phone] },
    { token: foreign.token, phones: [foreign.phone] },
  ]);
});

Deno.test("handleHello() is taken once, and only with the site's present epoch (rule 1)", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  await assert.rejects(fleet.reconnect(site, { epoch: site.epoch }), SupersededError);
  assert.notEqual(
    (await fleet.one("SELECT epoch FROM sites")).epoch,
    (await fleet.one("SELECT hello_epoch FROM sites")).hello_epoch,
  );
});

Deno.test("handleHello() stops a site whose journal went backwards or is another's (rule 14)", async (t) => {
  const cases = {
    "counter at open": { counterAtOpen: 10 },
    "counter of a later hello": { journalCounter: 10 },
    "foreign journal with rows": { journalId: "f".repeat(32) },
  };
  for (const [name, hello] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      await sendNew(fleet, 3);
      const site = await fleet.addSite();
      const lease = await take(fleet, site, 2);

      const { drop } = await fleet.reconnect(site, { ...hello, open: openRows(lease) });
      assert.deepEqual(drop, [{ token: lease.token, phones: lease.items.map((item) => item.phone) }]);
      const rows = await fleet.one(
        "SELECT count(*) AS n, min(by) AS by, min(reason) AS reason FROM deliveries WHERE state = 'unknown'",
      );
      assert.deepEqual(rows, { n: 2, by: 6, reason: "journal_doubted" });
      assert.equal(await pull(fleet, site), null);
      assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 1);
      // Only sent moves such a row.
      assert.deepEqual(await report(fleet, site, lease, "void"), ["known", "known"]);
      assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied", "applied"]);
    });
  }
});

Deno.test("handleHello() takes a new empty journal for a lost one, not for a copy", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  await take(fleet, site, 1);

  await fleet.reconnect(site, { journalId: "e".repeat(32), counterAtOpen: 0, journalCounter: 0 });
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "queued"]);
  assert.equal((await fleet.one("SELECT reason FROM deliveries ORDER BY id")).reason, "journal_lost");
  const lease = await pull(fleet, site);
  assert.ok(lease);
  assert.equal((await acknowledge(fleet, site, lease.token)).items.length, 1);
});

Deno.test("handleHello() does not take a row under another token for the one it holds (rule 9)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  await fleet.reconnect(site, { open: openRows({ ...lease, token: "d".repeat(32) }, "done") });
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
});
