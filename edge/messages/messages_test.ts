import assert from "node:assert/strict";
import { runDueTicks } from "../queue/ticks.ts";
import { acknowledge, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import {
  DAY_MS,
  HOUR_MS,
  isSound,
  list,
  openMessageHouse,
  read,
  refused,
  send,
  sent,
} from "../testing/message_acts.ts";
import { settleTests } from "./settle_tests.ts";

Deno.test("a message by call costs one unit, is leased with its own text, and its state follows the phone", async () => {
  const all = await openMessageHouse(10);
  await using _ = all.house;
  const { fleet, key, dana, site } = all;
  const message = await sent(key, { text: "שלום {{שם}}", values: { שם: "נועה" }, reference: "order-7" });
  assert.deepEqual([message.state, message.mode, message.to, message.text, message.reference], [
    "queued",
    "live",
    "+972540000001",
    "שלום נועה",
    "order-7",
  ]);
  assert.deepEqual(await read(key, message.id), message, "as the answer of the call");
  assert.equal((await (await dana.ask("/api/auth/me")).json()).messageQuota, 9);
  const lease = await pull(fleet, site);
  assert.deepEqual(lease?.items.map(({ phone, text }) => [phone, text]), [["+972540000001", "שלום נועה"]]);
  assert.equal((await read(key, message.id)).state, "queued", "an offer");
  await acknowledge(fleet, site, lease!.token);
  assert.equal((await read(key, message.id)).state, "leased");
  await report(fleet, site, lease!, "sent");
  assert.equal((await read(key, message.id)).state, "sent");
  await isSound(all);
});

Deno.test("messages of a day share a carrier, and a second one to a number goes to the next", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { fleet, key } = all;
  await sent(key);
  await sent(key, { to: "0540000002" });
  await sent(key);
  await sent(key, { sendAfter: fleet.ctx.now() + DAY_MS });
  const { rows } = await fleet.ctx.db.execute(
    "SELECT carrier_no, queued_count, reserved, status FROM campaigns WHERE carrier_until IS NOT NULL ORDER BY id",
  );
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { carrier_no: 1, queued_count: 2, reserved: 2, status: "active" },
    { carrier_no: 2, queued_count: 1, reserved: 1, status: "active" },
    { carrier_no: 1, queued_count: 1, reserved: 1, status: "active" },
  ]);
  await isSound(all);
});

Deno.test("carriers stand in no list, write no event and no line of activity, and are found by no call about campaigns", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { house, fleet, key, dana, site } = all;
  await sent(key);
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "sent");
  const { id } = await fleet.one("SELECT id FROM campaigns WHERE carrier_until IS NOT NULL");
  for (const person of [dana, house.admin]) {
    assert.equal((await person.ask(`/api/campaigns/${id}`)).status, 404);
    assert.equal((await person.ask(`/api/campaigns/${id}/deliveries`)).status, 404);
  }
  assert.deepEqual(await (await dana.ask("/api/campaigns")).json(), []);
  assert.equal((await (await house.admin.ask("/api/admin/campaigns")).json()).items.length, 0);
  const { n } = await fleet.one(
    `SELECT (SELECT count(*) FROM events WHERE campaign = ${id}) + (SELECT count(*) FROM activity WHERE campaign = ${id}) AS n`,
  );
  assert.equal(n, 0);
});

Deno.test("a carrier ends after its day, and not before", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { fleet, key, site } = all;
  await sent(key);
  await report(fleet, site, await take(fleet, site), "sent");
  const status = async () =>
    (await fleet.one("SELECT status FROM campaigns WHERE carrier_until IS NOT NULL")).status;
  await runDueTicks(fleet.ctx);
  assert.equal(await status(), "active");
  fleet.pass(DAY_MS);
  await runDueTicks(fleet.ctx);
  assert.equal(await status(), "completed");
  await isSound(all);
});

Deno.test("a message is refused for what would forbid a campaign's row, and then nothing is taken", async () => {
  const all = await openMessageHouse(1);
  await using _ = all.house;
  const { edge, fleet, key, dana } = all;
  assert.deepEqual(await refused(key, { to: "12" }), [400, "invalid_input"]);
  assert.deepEqual(await refused(key, { text: "שלום {{שם}}" }), [409, "values_missing"]);
  assert.deepEqual(await refused(key, { text: "שלום {{" }), [409, "placeholder_faulty"]);
  assert.deepEqual(
    await refused(key, { text: "א".repeat(4_000) + "{{x}}", values: { x: "ב".repeat(200) } }),
    [
      409,
      "text_too_long",
    ],
  );
  assert.deepEqual(await refused(key, { kind: "marketing" }), [409, "advertiser_missing"]);
  const now = fleet.ctx.now();
  assert.deepEqual(await refused(key, { sendAfter: now + 8 * DAY_MS }), [400, "invalid_input"]);
  assert.deepEqual(await refused(key, { expiresAt: now }), [400, "invalid_input"]);
  assert.deepEqual(await refused(key, { image: 17 }), [400, "invalid_input"]);
  await dana.ask("/api/suppressions", { method: "POST", json: { numbers: "0540000001" } });
  assert.deepEqual(await refused(key), [409, "opted_out"]);
  assert.deepEqual(await refused(edge.visitor), [401, "not_logged_in"]);
  await sent(key, { to: "0540000002" });
  assert.deepEqual(await refused(key, { to: "0540000003" }), [402, "quota_short"]);
  const { n } = await fleet.one(
    "SELECT count(*) AS n FROM deliveries WHERE campaign IN (SELECT id FROM campaigns WHERE carrier_until IS NOT NULL)",
  );
  assert.equal(n, 1);
  await isSound(all);
});

Deno.test("a message that is not sent by its end expires, and its unit returns", async () => {
  const all = await openMessageHouse(5);
  await using _ = all.house;
  const { fleet, key, site } = all;
  const now = fleet.ctx.now();
  const soon = await sent(key, { expiresAt: now + HOUR_MS });
  const later = await sent(key, { to: "0540000002" });
  const lease = await pull(fleet, site);
  assert.equal(lease?.items.length, 2);
  fleet.pass(HOUR_MS);
  // The offer is not confirmed any more; the tick returns it to the queue, and ends it.
  const go = await acknowledge(fleet, site, lease!.token);
  assert.deepEqual(go.items.map(({ phone }) => phone), ["+972540000002"]);
  await runDueTicks(fleet.ctx);
  fleet.pass(6_000);
  await runDueTicks(fleet.ctx);
  assert.equal((await read(key, soon.id)).state, "expired");
  assert.equal((await read(key, later.id)).state, "leased");
  assert.equal(
    Number(
      (await fleet.one(
        "SELECT message_quota AS n FROM users WHERE username LIKE 'person-%' ORDER BY id DESC LIMIT 1",
      )).n,
    ),
    4,
  );
  await isSound(all);
});

Deno.test("a pull leaves out a message whose end has come before a tick saw it", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { fleet, key, site } = all;
  const { id } = await sent(key, { expiresAt: fleet.ctx.now() + 1_000 });
  const other = await sent(key, { to: "0540000002" });
  fleet.pass(1_000);
  const lease = await take(fleet, site);
  assert.deepEqual(lease.items.map(({ phone }) => phone), [other.to]);
  assert.equal((await read(key, id)).state, "expired");
  await isSound(all);
});

Deno.test("a site may tap a message until its end, and no longer", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { fleet, key, site } = all;
  await sent(key, { expiresAt: fleet.ctx.now() + 90_000 });
  const lease = await pull(fleet, site);
  const go = await acknowledge(fleet, site, lease!.token);
  assert.deepEqual(go.items.map(({ validMs }) => validMs), [90_000]);
});

Deno.test("a message waits for sendAfter, and a mending of clocks does not end its wait", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { fleet, key, site } = all;
  await sent(key, { sendAfter: fleet.ctx.now() + 5 * HOUR_MS });
  fleet.pass(6_000);
  await runDueTicks(fleet.ctx);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(5 * HOUR_MS);
  assert.equal((await take(fleet, site)).items.length, 1);
});

Deno.test("a message is cancelled until a site has confirmed it, once", async () => {
  const all = await openMessageHouse(3);
  await using _ = all.house;
  const { fleet, key, dana, site } = all;
  const cancel = (id: number) => key.ask(`/api/messages/${id}/cancel`, { method: "POST" });
  const [queued, offered, held] = [
    await sent(key),
    await sent(key, { to: "0540000002" }),
    await sent(key, { to: "0540000003" }),
  ];
  assert.equal((await cancel(queued.id)).status, 200);
  assert.equal((await cancel(queued.id)).status, 200, "again");
  const lease = await pull(fleet, site, 10);
  assert.equal(lease?.items.length, 2);
  assert.equal((await cancel(offered.id)).status, 200);
  await acknowledge(fleet, site, lease!.token);
  assert.equal((await cancel(held.id)).status, 409);
  assert.deepEqual((await list(dana)).items.map(({ state }) => state), ["leased", "cancelled", "cancelled"]);
  assert.equal((await (await dana.ask("/api/auth/me")).json()).messageQuota, 2);
  await isSound(all);
});

Deno.test("a call made again with its Idempotency-Key is one message", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, dana } = all;
  const init = { headers: { "idempotency-key": "order-7" } };
  const [first, second] = [await send(key, {}, init), await send(key, {}, init)];
  assert.deepEqual([first.status, second.status], [202, 202]);
  assert.equal(second.headers.get("idempotency-replayed"), "true");
  assert.deepEqual(await second.json(), await first.json());
  assert.equal((await list(dana)).items.length, 1);
  assert.equal((await send(key, { text: "אחר" }, init)).status, 422);
});

Deno.test("a client's messages go first, but at most every second lease, and its carriers take turns", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { fleet, key, dana, site } = all;
  const campaign = await sendNew(fleet, 40, dana);
  for (let n = 0; n < 10; n++) {
    await sent(key, { to: `054111000${n}` });
    await sent(key, { to: `054111000${n}` });
  }
  fleet.pass(1_000);
  const from: number[] = [];
  for (let n = 0; n < 6; n++) {
    const lease = await take(fleet, site, 1);
    from.push(lease.campaign);
    await report(fleet, site, lease, "sent");
    fleet.pass(1_000);
  }
  const [first, second] = [campaign.id + 1, campaign.id + 2];
  assert.deepEqual(from, [first, campaign.id, second, campaign.id, first, campaign.id]);
  await isSound(all);
});

Deno.test("messages of a test key are checked, change nothing of the client's, and end as their number says", async () => {
  const all = await openMessageHouse(1);
  await using _ = all.house;
  const { fleet, edge, testKey, key, dana, site } = all;
  const numbers = ["+12025550111", "+12025550122", "+12025550133", "+12025550144", "0540000001"];
  const made = [];
  for (const to of numbers) made.push(await sent(testKey, { to }));
  assert.deepEqual(new Set(made.map(({ mode, state }) => `${mode} ${state}`)), new Set(["test queued"]));
  assert.equal(await pull(fleet, site), null, "no phone hears of them");
  await settleTests(edge.ctx);
  const ended = [];
  for (const { id } of made) ended.push(await read(testKey, id));
  assert.deepEqual(ended.map(({ state, reason }) => [state, reason]), [
    ["sent", null],
    ["failed", "retries_exhausted"],
    ["unknown", "send_not_verified"],
    ["failed", "not_on_app"],
    ["sent", null],
  ]);
  assert.equal((await key.ask(`/api/messages/${made[0]!.id}`)).status, 404, "a live key sees none");
  assert.deepEqual((await list(dana)).items, []);
  assert.equal((await list(dana, "?mode=test")).items.length, 5);
  assert.equal((await (await dana.ask("/api/auth/me")).json()).messageQuota, 1);
  await dana.ask("/api/suppressions", { method: "POST", json: { numbers: "0540000001" } });
  assert.deepEqual(await refused(testKey), [409, "opted_out"]);
  const { n } = await fleet.one(
    "SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM quota_ledger WHERE kind = 'reserve') AS n",
  );
  assert.equal(n, 0);
  await isSound(all);
});
