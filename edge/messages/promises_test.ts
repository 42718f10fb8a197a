/** What holds for a campaign's row holds for a message by call. */
import assert from "node:assert/strict";
import { takeAlong } from "../backup/take_along.ts";
import { endCarriers } from "../queue/end_carriers.ts";
import { runDueTicks } from "../queue/ticks.ts";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { startErasure } from "../privacy/start_erasure.ts";
import { forgetNumbers } from "../privacy/forget_numbers.ts";
import { OPT_IN, paste, saveProfile } from "../testing/advertising.ts";
import { reportLostTime, restore } from "../testing/lost_time.ts";
import { pull, report, take } from "../testing/queue_acts.ts";
import { makeDraft } from "../testing/advertising.ts";
import {
  DAY_MS,
  HOUR_MS,
  isSound,
  list,
  openMessageHouse,
  read,
  refused,
  search,
  sent,
} from "../testing/message_acts.ts";
import { dropMessageImages } from "./add_image.ts";
import { settleTests } from "./settle_tests.ts";

const AD = { kind: "marketing", text: "מבצע" };

async function carrierOf({ fleet }: Awaited<ReturnType<typeof openMessageHouse>>) {
  return await fleet.one("SELECT * FROM campaigns WHERE carrier_until IS NOT NULL ORDER BY id DESC LIMIT 1");
}

Deno.test("an advertisement needs an advertiser and a declared consent, and says what the law asks", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { fleet, key, dana, site } = all;
  assert.deepEqual(await refused(key, AD), [409, "advertiser_missing"]);
  await saveProfile(dana);
  assert.deepEqual(await refused(key, AD), [409, "consent_missing"]);
  const { id } = await makeDraft(dana, "marketing");
  await paste(dana, id, "0540000001", OPT_IN);
  const message = await sent(key, AD);
  assert.match(message.text!, /^פרסומת\nמבצע\nמשק הדר.*להסרה/s);
  const lease = await take(fleet, site);
  assert.deepEqual(lease.items.map(({ text }) => text), [message.text]);
  await report(fleet, site, lease, "sent");
  const second = await sent(key, AD);
  assert.equal(await pull(fleet, site), null, "one advertisement a week");
  assert.deepEqual([(await read(key, second.id)).state, (await read(key, second.id)).reason], [
    "skipped",
    "frequency_cap",
  ]);
  await isSound(all);
});

Deno.test("a recipient's own link for removal ends each advertisement, and removes its recipient", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { fleet, key, dana, site, edge } = all;
  edge.ctx.linkOrigin = "https://shigur.example";
  await saveProfile(dana, { removalLink: true });
  const { id } = await makeDraft(dana, "marketing");
  await paste(dana, id, "0540000001\n0540000002", OPT_IN);
  await sent(key, AD);
  await sent(key, { ...AD, to: "0540000002" });
  const lease = await take(fleet, site);
  const links = lease.items.map(({ text }) => /https:\/\/shigur\.example(\/r\/)(\w+)$/.exec(text!)![2]!);
  assert.equal(new Set(links).size, 2);
  await report(fleet, site, lease, "sent", { tappedAt: edge.clock.now });
  const answer = await edge.visitor.ask(`/api/removals/${links[0]}`, { method: "POST", json: {} });
  assert.equal(answer.status, 200, await answer.clone().text());
  const removed = lease.items[0]!.phone;
  assert.deepEqual(await refused(key, { to: removed }), [409, "opted_out"]);
});

Deno.test("a removal meanwhile leaves a waiting message out, and its unit returns", async () => {
  const all = await openMessageHouse(1);
  await using _ = all.house;
  const { key, dana, fleet, site } = all;
  const { id } = await sent(key);
  await dana.ask("/api/suppressions", { method: "POST", json: { numbers: "0540000001" } });
  assert.equal(await pull(fleet, site), null);
  const { state, reason } = await read(key, id);
  assert.deepEqual([state, reason], ["skipped", "opted_out"]);
  await sent(key, { to: "0540000002" });
  await isSound(all);
});

Deno.test("a breaker's pause refuses further messages of its kind until a person has read its reason", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, dana, fleet, house } = all;
  await sent(key);
  const { id } = await carrierOf(all);
  const { rows: [trip] } = await fleet.ctx.db.execute(
    `INSERT INTO breaker_trips (at, campaign, signal, count, sample) VALUES (0, ${id}, 'failed', 12, 20) RETURNING id`,
  );
  await fleet.ctx.db.execute(
    `UPDATE campaigns SET status = 'paused', paused_by = 'failed', trip = ${trip!.id} WHERE id = ${id}`,
  );
  assert.deepEqual(await refused(key, { to: "0540000002" }), [409, "messages_paused"]);
  await sent(await all.edge.addKey(dana, { mode: "test", scopes: ["messages:send"] }));
  const { paused: [paused] } = await list(dana);
  assert.deepEqual([paused!.kind, paused!.waiting, paused!.trip], ["service", 1, Number(trip!.id)]);
  assert.match(paused!.why!, /12 מתוך 20/);
  const alerts = await house.read("/api/admin/alerts") as { causes?: unknown };
  assert.match(JSON.stringify(alerts), /campaign_paused_by_rule/);
  const resume = (json: object) => dana.ask(`/api/campaigns/${id}/resume`, { method: "POST", json });
  assert.equal((await (await resume({})).json()).code, "reason_not_confirmed");
  assert.equal((await resume({ trip: paused!.trip })).status, 200);
  await sent(key, { to: "0540000002" });
  await isSound(all);
});

Deno.test("messages go to another carrier after the queues were cleared", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, house } = all;
  const { id } = await sent(key);
  assert.equal((await house.admin.ask("/api/admin/queues/clear", { method: "POST" })).status, 200);
  const { state, reason } = await read(key, id);
  assert.deepEqual([state, reason === null || reason === "queues_cleared"], ["cancelled", true]);
  await sent(key);
  assert.equal((await carrierOf(all)).carrier_no, 2);
  await runDueTicks(all.fleet.ctx);
  await isSound(all);
});

Deno.test("a disabled client's messages wait, its keys open nothing, and afterwards it lets them go on", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, dana, house, fleet, site, edge } = all;
  const full = await edge.addKey(dana);
  await sent(key);
  const set = async (disabled: boolean) => {
    const json = { disabled, proof: { password: "correct horse" } };
    const answer = await house.admin.ask(`/api/users/${dana.id}`, { method: "PATCH", json });
    assert.equal(answer.status, 200, await answer.clone().text());
  };
  await set(true);
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual(await refused(key), [401, "key_invalid"]);
  await set(false);
  assert.deepEqual(await refused(key, { to: "0540000002" }), [409, "messages_paused"]);
  const { paused: [paused] } = await list(full);
  const resumed = await full.ask(`/api/campaigns/${paused!.carrier}/resume`, { method: "POST", json: {} });
  assert.equal(resumed.status, 200);
  assert.equal((await take(fleet, site)).items.length, 1);
  await sent(key, { to: "0540000002" });
});

Deno.test("a person is erased from messages: the number, the text and the caller's own word", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, dana, testKey, edge, house, fleet, site } = all;
  const one = await sent(key, { text: "שלום נועה", reference: "נועה 7" });
  await report(fleet, site, await take(fleet, site), "sent");
  await sent(testKey, { text: "שלום נועה" });
  const other = await sent(key, { to: "0540000002", reference: "דנה 8" });
  await startErasure(edge.ctx, { person: house.admin.id }, {
    phone: "0540000001",
    reason: "בקשה",
    block: true,
  });
  fleet.pass(2 * 60_000);
  await eraseNumbers(edge.ctx);
  const { to, text, reference, state } = await read(dana, one.id);
  assert.deepEqual([to, text, reference, state], ["", null, null, "sent"]);
  assert.equal((await read(dana, other.id)).reference, "דנה 8");
  assert.deepEqual((await list(dana, "?mode=test")).items, []);
  assert.deepEqual(await refused(key), [409, "opted_out"], "a blocked number");
  const { rows } = await edge.ctx.db.execute("SELECT * FROM messages");
  assert.ok(!JSON.stringify(rows).includes("נועה"));
  await isSound(all);
});

Deno.test("numbers, texts and references are forgotten by the day of their carrier", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, dana, edge, fleet, site } = all;
  const one = await sent(key, { reference: "order-7" });
  await report(fleet, site, await take(fleet, site), "sent");
  fleet.pass(DAY_MS);
  await endCarriers(edge.ctx);
  fleet.pass(400 * DAY_MS);
  while (await forgetNumbers(edge.ctx) > 0);
  const row = await fleet.one(
    `SELECT m.reference, d.fields, d.phone < 0 AS gone, d.state FROM messages m JOIN deliveries d ON d.id = m.delivery
      WHERE m.id = ${one.id} AND m.client = ${dana.id}`,
  );
  assert.deepEqual(row, { reference: null, fields: null, gone: 1, state: "sent" });
  assert.notEqual((await carrierOf(all)).forgotten_at, null);
  await isSound(all);
});

Deno.test("after a restore a number that may have a message is refused, unless the call insists", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, fleet, site } = all;
  await sent(key, { to: "0540000009" });
  await restore(fleet);
  assert.deepEqual(await refused(key, { to: "0540000002" }), [409, "may_have_been_sent"], "a site owes");
  await fleet.reconnect(site);
  const { id } = await carrierOf(all);
  await reportLostTime(fleet, site, { id: Number(id) }, [{ at: fleet.ctx.now(), edgeAt: fleet.ctx.now() }]);
  assert.deepEqual(await refused(key, { to: "0540000001" }), [409, "may_have_been_sent"]);
  await sent(key, { to: "0540000002" });
  await sent(key, { to: "0540000001", evenIfSent: true });
  fleet.pass(DAY_MS);
  await sent(key, { to: "0540000001" });
});

Deno.test("a restore takes the stop of a carrier along", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, edge, database } = { ...all, database: all.edge.database };
  await sent(key);
  const { id } = await carrierOf(all);
  await edge.ctx.db.execute(
    "INSERT INTO audit_log (at, kind, data) SELECT 0, 'exported', '{}' WHERE NOT EXISTS (SELECT 1 FROM audit_log)",
  );
  const { sealAudit } = await import("../audit_log/seal.ts");
  await sealAudit(edge.ctx);
  const draft = `${database.path}.draft`;
  await edge.ctx.db.execute({ sql: "VACUUM INTO ?", args: [draft] });
  await edge.ctx.db.execute(`UPDATE campaigns SET status = 'paused', paused_by = 'client' WHERE id = ${id}`);
  const taken = await takeAlong(database.path, draft, {
    now: edge.clock.now,
    opensKey: () => Promise.resolve(false),
  });
  await Deno.remove(draft);
  assert.deepEqual([taken.isKnown, taken.stopped], [true, 1]);
});

Deno.test("messages are found by number, by its first digits, by reference, state and time, in pages", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, dana, fleet, site } = all;
  const first = await sent(key, { reference: "a" });
  fleet.pass(1_000);
  const second = await sent(key, { to: "0540000002", reference: "b" });
  await report(fleet, site, await take(fleet, site, 1), "failed");
  fleet.pass(1_000);
  const third = await sent(key, { to: "0521234567" });
  const ids = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);
  assert.deepEqual(ids(await list(dana)), [third.id, second.id, first.id]);
  assert.deepEqual(ids(await list(dana, "?reference=b")), [second.id]);
  assert.deepEqual(ids(await list(dana, "?state=failed")).length, 2);
  assert.deepEqual(ids(await list(dana, `?from=${second.createdAt}&until=${third.createdAt}`)), [second.id]);
  assert.deepEqual(ids(await search(dana, { q: "054-000" })), [second.id, first.id]);
  assert.deepEqual(ids(await search(dana, { q: "052-123-4567" })), [third.id]);
  assert.deepEqual(ids(await search(dana, { q: "a" })), [first.id]);
  const page = await list(dana, "?limit=2");
  assert.deepEqual(ids(await list(dana, `?limit=2&cursor=${page.nextCursor}`)), [first.id]);
  assert.equal((await dana.ask("/api/messages?cursor=x")).status, 400);
});

Deno.test("an administrator sees a client's messages without text and with hidden numbers, and searches few of them", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, dana, house } = all;
  const { id } = await sent(key, { reference: "order-7" });
  const { items: [message] } = await list(house.admin, `?client=${dana.id}`);
  assert.deepEqual([message!.to, message!.text, message!.reference], ["+97254•••••••", null, null]);
  assert.deepEqual((await list(house.admin)).items, [], "of nobody named");
  assert.equal((await read(house.admin, id)).text, null);
  assert.equal((await search(house.admin, { q: "0540000001", client: dana.id })).items.length, 1);
  assert.equal((await search(house.admin, { q: "054000000", client: dana.id })).items.length, 0);
  for (let n = 0; n < 9; n++) await search(house.admin, { q: `054000001${n}`, client: dana.id });
  const tooMany = { method: "POST", json: { q: "0540000099", client: dana.id } };
  assert.equal((await house.admin.ask("/api/messages/search", tooMany)).status, 429);
});

Deno.test("the exported file has every message with its reason", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, dana, fleet, site } = all;
  await sent(key, { reference: "=1+1", text: "שלום" });
  await report(fleet, site, await take(fleet, site), "failed");
  const answer = await dana.ask("/api/messages.csv");
  const lines = (await answer.text()).trim().split("\r\n");
  assert.equal(lines.length, 2);
  assert.match(lines[1]!, /"054-000-0001","'=1\+1","שירות","שלום","נכשל","אין חשבון במספר הזה"/);
});

Deno.test("a message of unknown outcome is resolved by a person, and sent again at most by their word", async () => {
  const all = await openMessageHouse(2);
  await using _ = all.house;
  const { key, testKey, edge, fleet, site } = all;
  const { id } = await sent(key, { expiresAt: fleet.ctx.now() + HOUR_MS });
  const resolve = (as: string, one = id, by = key) =>
    by.ask(`/api/messages/${one}/resolve`, { method: "POST", json: { as } });
  assert.equal((await (await resolve("failed")).json()).code, "message_state");
  await report(fleet, site, await take(fleet, site), "unknown");
  fleet.pass(2 * HOUR_MS);
  assert.equal((await resolve("resend")).status, 200);
  assert.equal((await take(fleet, site)).items.length, 1, "past its end, by a person's word");
  const doubtful = await sent(testKey, { to: "+12025550133" });
  await settleTests(edge.ctx);
  assert.equal((await (await resolve("sent", doubtful.id, testKey)).json()).state, "sent");
  await isSound(all);
});

Deno.test("a message carries a picture that was uploaded for messages, until that is dropped", async () => {
  const all = await openMessageHouse();
  await using _ = all.house;
  const { key, edge, fleet, site, house } = all;
  const picture = await Deno.readFile(new URL("../campaigns/testdata/picture.png", import.meta.url));
  const upload = async (by: { ask: typeof key.ask }) => {
    const form = new FormData();
    form.set("image", new File([picture], "picture.png"));
    const answer = await by.ask("/api/messages/images", { method: "POST", body: form });
    assert.equal(answer.status, 201, await answer.clone().text());
    return (await answer.json()).image as number;
  };
  const image = await upload(key);
  assert.equal((await sent(key, { image })).hasImage, true);
  const other = await edge.addKey(await edge.addPerson({ messageQuota: 1 }));
  assert.deepEqual(await refused(other, { image }), [400, "invalid_input"], "another client's");
  const lease = await pull(fleet, site);
  assert.match(lease!.image!, /^[0-9a-f]{64}$/);
  await upload(other);
  fleet.pass(31 * DAY_MS);
  await dropMessageImages(edge.ctx);
  const { n, images } = await fleet.one(
    "SELECT (SELECT count(*) FROM message_images) AS n, (SELECT count(*) FROM images) AS images",
  );
  assert.deepEqual([n, images], [0, 1], "the carrier keeps its picture");
  assert.ok(house);
});
