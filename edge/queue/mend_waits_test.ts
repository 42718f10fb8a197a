import assert from "node:assert/strict";
import { RETRY_DELAYS_MS } from "shared/delivery.ts";
import { openFleet } from "../testing/fleet.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { setRules } from "../testing/rules.ts";
import { runDueTicks } from "./ticks.ts";

const YEAR_MS = 365 * 24 * 3_600_000;
const TICK_MS = 5_000;

Deno.test("mendWaits() ends a retry's wait that began while the clock was a year ahead", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await take(fleet, site, 2);
  fleet.pass(YEAR_MS);
  await report(fleet, site, lease, "void", { temporary: true });
  fleet.pass(-YEAR_MS);
  assert.equal(await pull(fleet, site), null);
  await runDueTicks(fleet.ctx);
  assert.equal((await pull(fleet, site))?.items.length, 2);
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "leased"]);
});

Deno.test("mendWaits() keeps the longest wait of a right clock, also of one that is a minute ahead", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite();
  for (const delayMs of RETRY_DELAYS_MS.slice(0, -1)) {
    await report(fleet, site, await take(fleet, site), "void", { temporary: true });
    fleet.pass(delayMs);
  }
  const lease = await take(fleet, site);
  fleet.pass(60_000);
  await report(fleet, site, lease, "void", { temporary: true });
  fleet.pass(-60_000);
  await runDueTicks(fleet.ctx);
  fleet.pass(RETRY_DELAYS_MS.at(-1)!);
  await runDueTicks(fleet.ctx);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(60_000);
  assert.equal((await pull(fleet, site))?.items.length, 1);
});

Deno.test("mendWaits() keeps rows parked for a lost account", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { autoFailover: false });
  await sendNew(fleet, 1);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  const lease = await take(fleet, site);
  await fleet.ctx.db.execute(`UPDATE accounts SET state = 'banned' WHERE site = ${site.site}`);
  await report(fleet, site, lease, "void", { reason: "account_banned" });
  fleet.pass(TICK_MS);
  await runDueTicks(fleet.ctx);
  assert.equal(await pull(fleet, other), null);
});
