import assert from "node:assert/strict";
import { optOutsSchema } from "shared/replies_api.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { type Fleet, START, type TestClient, type TestSite } from "../testing/fleet.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { takeReplies } from "./take_replies.ts";

const PHONE = "+972540000001";
const REASON = "ביקש לחזור, בשיחה";

async function replyStop(fleet: Fleet, site: TestSite, id: string, at = START): Promise<void> {
  const account = `${site.devices[0]}/com.whatsapp/0`;
  const item = { phone: PHONE, account, decision: "remove", excerpt: "הסר", at } as const;
  await takeReplies(fleet.ctx, site, [{ ...item, id: id.padStart(32, "0") }]);
}

async function sentTo(house: AdminHouse, site: TestSite, client: TestClient) {
  const campaign = await sendNew(house.fleet, 1, client);
  await report(house.fleet, site, await take(house.fleet, site), "sent", { tappedAt: START });
  return campaign;
}

async function find(house: AdminHouse, q: string) {
  const answer = await house.admin.ask("/api/admin/opt-outs/search", { method: "POST", json: { q } });
  return optOutsSchema.parse(await answer.json()).items;
}

const undo = async ({ admin }: AdminHouse, id: number, reason = REASON) =>
  (await admin.ask(`/api/admin/opt-outs/${id}`, { method: "DELETE", json: { reason } })).status;

Deno.test("undoOptOut() lets one client send again, audits the person and reason, and keeps the other lists", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge, admin } = house;
  const [dana, yossi] = [
    await edge.addPerson({ messageQuota: 5 }),
    await edge.addPerson({ messageQuota: 5 }),
  ];
  const site = await fleet.addSite(1);
  for (const client of [dana, yossi]) {
    await sentTo(house, site, client);
    await replyStop(fleet, site, String(client.id));
  }
  await suppressPhone(fleet.ctx, { phone: PHONE, client: yossi.id, source: "manual" });
  const found = await find(house, "054-000 0001");
  assert.deepEqual(found.map(({ phone, client }) => [phone, client.id]).sort(), [
    ["+97254•••0001", dana.id],
    ["+97254•••0001", yossi.id],
  ]);
  const { id } = found.find(({ client }) => client.id === dana.id)!;
  assert.equal(await undo(house, id, "א"), 400);
  assert.equal(await undo(house, id, `${REASON} 054-000-0001`), 204);
  assert.equal(await undo(house, id), 404, "it is gone");
  assert.deepEqual((await find(house, PHONE)).map(({ client }) => client.id), [yossi.id]);
  const { data, ...row } = await fleet.one(
    "SELECT actor, user, data FROM audit_log WHERE kind = 'opt_out_undone'",
  );
  assert.deepEqual(row, { actor: admin.id, user: dana.id });
  assert.equal(JSON.parse(String(data)).reason, `${REASON} •••`);
  assert.ok(!String(data).includes("540000001"));
  assert.equal((await sentTo(house, site, dana)).phones.length, 1, "written to again");
});

Deno.test("undoOptOut() updates the client's screens at once, also when the campaign's replies are forgotten", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const client = await edge.addPerson({ messageQuota: 5 });
  const site = await fleet.addSite(1);
  const campaign = await sentTo(house, site, client);
  await replyStop(fleet, site, "1");
  const { id } = (await find(house, PHONE))[0]!;
  await fleet.ctx.db.execute("DELETE FROM replies");
  let wakes = 0;
  edge.ctx.wakeOutbox = () => void wakes++;
  await fleet.ctx.db.execute("DELETE FROM events");
  assert.equal(await undo(house, id + 1), 404);
  assert.equal(wakes, 0);
  assert.equal(await undo(house, id), 204);
  assert.equal(wakes, 1);
  const { data, ...event } = await fleet.one(
    "SELECT client, campaign, data FROM events WHERE type = 'campaign_changed'",
  );
  assert.deepEqual(event, { client: client.id, campaign: campaign.id });
  assert.equal(data, JSON.stringify({ campaignId: campaign.id }));
});

Deno.test("undoOptOut() leaves room for the recipient's next request, and ignores repeats of the undone one", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const site = await fleet.addSite(1);
  const campaign = await sentTo(house, site, await edge.addPerson({ messageQuota: 5 }));
  await replyStop(fleet, site, "1");
  assert.equal(await undo(house, (await find(house, PHONE))[0]!.id), 204);
  await replyStop(fleet, site, "1");
  assert.deepEqual(await find(house, PHONE), [], "told once more by its site");
  await replyStop(fleet, site, "2", START + 1_000);
  assert.equal((await find(house, PHONE)).length, 1);
  const { n } = await fleet.one(`SELECT count(*) AS n FROM replies WHERE campaign = ${campaign.id}`);
  assert.equal(n, 1);
});

Deno.test("undoOptOut() undoes every earlier request, reported in any order after a restore", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const site = await fleet.addSite(1);
  await sentTo(house, site, await edge.addPerson({ messageQuota: 5 }));
  const heard: [id: string, at: number][] = [["1", START], ["3", START + 2_000], ["2", START + 1_000]];
  for (const [id, at] of heard) await replyStop(fleet, site, id, at);
  assert.equal(await undo(house, (await find(house, PHONE))[0]!.id), 204);
  for (const [id, at] of heard) await replyStop(fleet, site, id, at);
  assert.deepEqual(await find(house, PHONE), []);
  await replyStop(fleet, site, "4", START + 2_001);
  assert.equal((await find(house, PHONE)).length, 1);
});

for (const order of ["before", "behind"]) {
  Deno.test(`undoOptOut() keeps a number that its client listed by hand ${order} the request`, async () => {
    await using house = await openAdminHouse();
    const { fleet, edge } = house;
    const client = await edge.addPerson({ messageQuota: 5 });
    const site = await fleet.addSite(1);
    await sentTo(house, site, client);
    const byHand = () => suppressPhone(fleet.ctx, { phone: PHONE, client: client.id, source: "manual" });
    if (order === "before") await byHand();
    await replyStop(fleet, site, "1");
    if (order === "behind") assert.equal((await byHand()).added, false);
    const [{ id }] = await find(house, PHONE);
    assert.equal(await undo(house, id), 204);
    assert.deepEqual(await fleet.one("SELECT id, client, source FROM suppressions"), {
      id,
      client: client.id,
      source: "manual",
    });
    assert.equal(await undo(house, id), 404, "from now on it is the client's to take back");
    const own = await client.ask("/api/suppressions", { method: "DELETE", json: { ids: [id] } });
    assert.equal((await own.json()).removed, 1);
  });
}

Deno.test("undoOptOut() removes only opt-outs by reply, and findOptOuts() requires a whole number", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const client = await fleet.addClient(1);
  await suppressPhone(fleet.ctx, { phone: PHONE, client: client.id, source: "manual" });
  await suppressPhone(fleet.ctx, { phone: PHONE, client: 0, source: "reply" });
  assert.deepEqual([await undo(house, 1), await undo(house, 2), await undo(house, 3)], [404, 404, 404]);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM suppressions"), { n: 2 });
  for (const q of ["054", "", "דנה"]) {
    const answer = await house.admin.ask("/api/admin/opt-outs/search", { method: "POST", json: { q } });
    assert.equal(answer.status, 400, q);
  }
});
