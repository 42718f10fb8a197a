import assert from "node:assert/strict";
import { startSite } from "../sites/start_site.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { acknowledge, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { setRules } from "../testing/rules.ts";
import { auditQueue } from "./audit.ts";

const MINUTE_MS = 60_000;

/** Pulls and reports at once, as a site that sends nothing would. Returns how many it reported as sent. */
async function lieFast(fleet: Fleet, site: TestSite, rounds: number): Promise<number> {
  let claimed = 0;
  for (let round = 0; round < rounds; round++) {
    const lease = await pull(fleet, site, 3);
    if (lease === null) break;
    await report(fleet, site, lease, "sent");
    claimed += lease.items.length;
  }
  return claimed;
}

const stopOf = async (fleet: Fleet) => await fleet.one("SELECT stopped, stop_reason FROM sites");
const STOPPED = { stopped: 1, stop_reason: "impossible_report" };
const AT_WORK = { stopped: 0, stop_reason: null };

Deno.test("reportOutcomes() refuses taps faster than the pace: they become unknown, and the site rests", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100 });
  const { id } = await sendNew(fleet, 200);
  const site = await fleet.addSite(1);
  const claimed = await lieFast(fleet, site, 100);
  assert.deepEqual(await stopOf(fleet), STOPPED);
  const states = await fleet.states(id);
  const sent = states.filter((state) => state === "sent").length;
  assert.ok(sent <= 63, `${sent} of ${claimed} claims within a moment were believed`);
  assert.ok(states.includes("unknown"));
  assert.equal(await pull(fleet, site), null);
  const { n } = await fleet.one("SELECT count(*) AS n FROM activity WHERE code = 'impossible_report'");
  assert.equal(n, 1);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("reportOutcomes() accepts a site that keeps the pace, for hours and after hours without a connection", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100, maxMessagesPerDay: 10_000, warmupEnabled: false });
  await sendNew(fleet, 400);
  const site = await fleet.addSite(1);
  for (let n = 0; n < 100; n++) {
    const lease = await take(fleet, site, 3);
    fleet.pass(lease.items.length * 1_000);
    await report(fleet, site, lease, "sent");
  }
  const late = await take(fleet, site, 3);
  fleet.pass(5 * 60 * MINUTE_MS);
  await report(fleet, site, late, "sent");
  assert.deepEqual(await stopOf(fleet), AT_WORK);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM deliveries WHERE state = 'unknown'")).n, 0);
});

Deno.test("reportOutcomes() judges taps by the pace of their lease when the setting became slower since", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { rateLimit: 0, hourlyPercent: 100 });
  await sendNew(fleet, 100);
  const site = await fleet.addSite(20);
  const lease = await take(fleet, site, 3);
  fleet.pass(100);
  await fleet.ctx.db.execute({
    sql: "UPDATE settings SET value = '3600', updated_at = ? WHERE key = 'rateLimit'",
    args: [fleet.ctx.now()],
  });
  await report(fleet, site, lease, "sent");
  assert.deepEqual(await stopOf(fleet), AT_WORK);
});

Deno.test("reportOutcomes() counts from the start again after a clock was ahead for a moment", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100 });
  await sendNew(fleet, 100);
  const site = await fleet.addSite(1);
  fleet.pass(60 * MINUTE_MS);
  const ahead = await take(fleet, site, 3);
  await report(fleet, site, ahead, "sent");
  const held = await take(fleet, site, 3);
  fleet.pass(-60 * MINUTE_MS);
  await report(fleet, site, held, "sent");
  const next = await take(fleet, site, 3);
  fleet.pass(3_000);
  await report(fleet, site, next, "sent");
  assert.deepEqual(await stopOf(fleet), AT_WORK);
});

Deno.test("reportOutcomes() refuses a tap from long before its lease or from the future", async () => {
  const hourMs = 60 * MINUTE_MS;
  for (const [beforeMs, isTaken] of [[30 * hourMs, false], [-3 * hourMs, false], [1_000, true]] as const) {
    await using fleet = await openFleet();
    const { id } = await sendNew(fleet, 1);
    const site = await fleet.addSite(1);
    const lease = await take(fleet, site);
    fleet.pass(5_000);
    const claim = { tappedAt: 1, edgeAt: fleet.ctx.now() - beforeMs };
    assert.deepEqual(
      await report(fleet, site, lease, "sent", claim),
      ["applied"],
      "so that the agent forgets it",
    );
    assert.deepEqual(await fleet.states(id), [isTaken ? "sent" : "unknown"]);
    assert.deepEqual(await stopOf(fleet), isTaken ? AT_WORK : STOPPED);
  }
});

Deno.test("reportOutcomes() keeps an impossible report, and accepts no more of that attempt from the site", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100 });
  const { id } = await sendNew(fleet, 200);
  const site = await fleet.addSite(1);
  await lieFast(fleet, site, 100);
  const { token, phone, attempt } = await fleet.one(
    "SELECT * FROM deliveries WHERE state = 'unknown' LIMIT 1",
  );
  await startSite(fleet.ctx, site.site);
  const [key] = [`${site.devices[0]}/com.whatsapp/0`];
  const items = [{ phone: `+${phone}`, attempt: Number(attempt), account: key! }];
  const lease = {
    type: "lease" as const,
    token: String(token),
    ttlMs: 1,
    campaign: id,
    text: "",
    image: null,
    items,
  };
  for (const outcome of ["sent", "void", "failed"] as const) {
    assert.deepEqual(await report(fleet, site, lease, outcome), ["known"]);
  }
  assert.deepEqual(
    await fleet.one(
      `SELECT outcome, reason, result FROM attempts WHERE outcome = 'sent' AND token = '${token}'`,
    ),
    { outcome: "sent", reason: "impossible_report", result: "stale" },
  );
  assert.ok((await fleet.states(id)).includes("unknown"));
});

Deno.test("reportOutcomes() refuses `sent` for a returned row when others have filled the day since", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { maxMessagesPerDay: 1, hourlyPercent: 100 });
  const { id } = await sendNew(fleet, 2);
  const site = await fleet.addSite(1);
  const first = await take(fleet, site);
  await report(fleet, site, first, "void", { reason: "chat_not_opened", temporary: true });
  const second = await take(fleet, site);
  fleet.pass(2_000);
  await report(fleet, site, second, "sent");
  await report(fleet, site, first, "sent");
  assert.deepEqual(await fleet.states(id), ["unknown", "sent"]);
  assert.deepEqual(await stopOf(fleet), STOPPED);
  assert.equal((await fleet.one("SELECT sum(used) AS used FROM account_days")).used, 1);
});

Deno.test("reportOutcomes() applies the pace also to rows that were returned or lost before `sent`", async () => {
  for (const how of ["void", "hello"] as const) {
    await using fleet = await openFleet();
    await setRules(fleet, { hourlyPercent: 100, maxMessagesPerDay: 500, warmupEnabled: false });
    const { id } = await sendNew(fleet, 400);
    const site = await fleet.addSite(1);
    for (let round = 0; round < 100; round++) {
      const lease = await pull(fleet, site, 3);
      if (lease === null) break;
      await acknowledge(fleet, site, lease.token);
      if (how === "void") await report(fleet, site, lease, "void", { reason: "draining" });
      else await fleet.reconnect(site, { open: [] });
      await report(fleet, site, lease, "sent");
    }
    assert.deepEqual(await stopOf(fleet), STOPPED, how);
    const sent = (await fleet.states(id)).filter((state) => state === "sent").length;
    assert.ok(sent <= 66, `${sent} sent within a moment by ${how}`);
  }
});
