import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { MAX_TOKEN_CHARS } from "shared/removal_address.ts";
import type { RemovalPage } from "shared/removal_link.ts";
import { forgetNumbers } from "../privacy/forget_numbers.ts";
import { auditQueue } from "../queue/audit.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft, OPT_IN, paste, saveProfile } from "../testing/advertising.ts";
import { balanceOf, report, sendNew, take } from "../testing/queue_acts.ts";
import { removalToken } from "../personal/removal_token.ts";
import { REMOVAL_BOUND } from "./removal_routes.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Returns a client's sent campaign, another that waits for the same people, and the link of the first recipient. */
async function linkHouse() {
  const house = await openAdminHouse();
  const { edge, fleet } = house;
  const site = await fleet.addSite();
  const [client, stranger] = [
    await edge.addPerson({ messageQuota: 9 }),
    await edge.addPerson({ messageQuota: 9 }),
  ];
  await saveProfile(client);
  const campaign = await sendNew(fleet, 3, client);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: edge.clock.now });
  const [next, others] = [await sendNew(fleet, 3, client), await sendNew(fleet, 3, stranger)];
  const row = await fleet.one(
    `SELECT id, campaign, phone FROM deliveries WHERE campaign = ${campaign.id} LIMIT 1`,
  );
  const token = removalToken(edge.ctx, row as { id: number; campaign: number; phone: number });
  const press = (method: string, of = token, address?: string) =>
    edge.visitor.ask(`/api/removals/${of}`, { method, ...(address !== undefined && { address }) });
  const page = async (method: string): Promise<RemovalPage> => {
    const answer = await press(method);
    assert.equal(answer.status, 200, await answer.clone().text());
    return await answer.json();
  };
  const codeOf = async (of: string) => (await (await press("POST", of)).json()).code;
  return { ...house, client, campaign, next, others, row, token, press, page, codeOf };
}

Deno.test("opening a link changes nothing, and one press removes its recipient from that sender alone", async () => {
  await using house = await linkHouse();
  const { edge, fleet, client, campaign, next, others, page } = house;
  const shown = { sender: "משק הדר", phone: "+97254•••0001", isRemoved: false };
  assert.deepEqual(await page("GET"), shown);
  assert.deepEqual(await page("GET"), shown);
  assert.deepEqual((await edge.ctx.db.execute("SELECT 1 FROM suppressions")).rows, []);

  assert.deepEqual(await page("POST"), { ...shown, isRemoved: true });
  const { rows } = await edge.ctx.db.execute("SELECT client, phone, source FROM suppressions");
  assert.deepEqual(rows.map((row) => ({ ...row })), [{
    client: client.id,
    phone: house.row.phone,
    source: "reply",
  }]);
  assert.deepEqual(await fleet.states(next.id), ["skipped", "queued", "queued"]);
  assert.deepEqual(await fleet.states(others.id), ["queued", "queued", "queued"]);
  assert.equal(await balanceOf(fleet, client), 9 - 3 - 2);
  const { data } = await fleet.one("SELECT data FROM audit_log WHERE kind = 'opted_out'");
  assert.equal(JSON.parse(String(data)).by, "link");
  assert.ok(!String(data).includes(String(house.row.phone)));
  assert.deepEqual(await auditQueue(edge.ctx.db), []);

  assert.deepEqual(await page("POST"), { ...shown, isRemoved: true });
  assert.deepEqual(await page("GET"), { ...shown, isRemoved: true });
  const { n } = await fleet.one(`SELECT opted_out_count AS n FROM campaigns WHERE id = ${campaign.id}`);
  assert.equal(n, 1);
});

Deno.test("a link with one other sign, or of another row, is no link", async () => {
  await using house = await linkHouse();
  const { token, codeOf, row } = house;
  const sign = fc.constantFrom(..."0123456789abcdefghijklmnopqrstuvwxyz");
  await fc.assert(fc.asyncProperty(fc.nat(token.length - 1), sign, async (at, other) => {
    fc.pre(token[at] !== other);
    assert.equal(await codeOf(token.slice(0, at) + other + token.slice(at + 1)), "removal_link_over");
  }));
  const seal = token.slice(Number(row.id).toString(36).length);
  const others = [
    (Number(row.id) + 1).toString(36) + seal,
    seal,
    token.toUpperCase(),
    `${token}0`,
    "x",
    "zzzzzzzzzzz" + seal,
  ];
  for (const other of others) assert.equal(await codeOf(other), "removal_link_over", other);
  assert.equal(await codeOf("1".repeat(MAX_TOKEN_CHARS + 1)), "invalid_input");
  assert.deepEqual((await house.edge.ctx.db.execute("SELECT 1 FROM suppressions")).rows, []);
});

Deno.test("a link ends with its number: after an erasure and after the retention there is nobody to remove", async () => {
  await using house = await linkHouse();
  const { edge, codeOf, token } = house;
  edge.clock.now += 400 * DAY_MS;
  await forgetNumbers(edge.ctx);
  assert.equal(await codeOf(token), "removal_link_over");
});

Deno.test("a row that no site ever had was in no message", async () => {
  await using house = await linkHouse();
  const { edge, fleet, next, codeOf } = house;
  const row = await fleet.one(
    `SELECT id, campaign, phone FROM deliveries WHERE campaign = ${next.id} LIMIT 1`,
  );
  assert.equal(await codeOf(removalToken(edge.ctx, row as never)), "removal_link_over");
});

Deno.test("an address that tries many links waits, and others do not", async () => {
  await using house = await linkHouse();
  const { press } = house;
  const from = async (address: string) => (await press("GET", "x".repeat(20), address)).status;
  const tries = await Promise.all(
    Array.from({ length: REMOVAL_BOUND.burst + 30 }, () => from("198.51.100.1")),
  );
  assert.ok(tries.includes(429));
  assert.equal(await from("198.51.100.2"), 410);
});

Deno.test("a sent advertisement ends with its recipient's own link, and the link removes that recipient", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  edge.ctx.linkOrigin = "https://shigur.example";
  const site = await fleet.addSite(3);
  const client = await edge.addPerson({ messageQuota: 9 });
  await saveProfile(client, { removalLink: true });
  const { id } = await makeDraft(client, "marketing", "שלום לכולם");
  for (const number of ["0540000001", "0540000002", "0540000003"]) await paste(client, id, number, OPT_IN);
  const sent = await client.ask(`/api/campaigns/${id}/send`, { method: "POST", json: {} });
  assert.equal(sent.status, 200, await sent.clone().text());
  edge.clock.now += 60_000;
  const lease = await take(fleet, site);
  const links = lease.items.map(({ text }) =>
    /^להסרה השיבו "הסר" או היכנסו: https:\/\/shigur\.example\/r\/([0-9a-z]+)$/m.exec(text!)![1]!
  );
  assert.equal(new Set(links).size, 3);
  assert.ok(lease.items.every(({ text }) => text!.startsWith("פרסומת\nשלום לכולם\n")));
  await report(fleet, site, lease, "sent", { tappedAt: edge.clock.now });
  const answer = await edge.visitor.ask(`/api/removals/${links[1]}`, { method: "POST" });
  assert.equal(answer.status, 200);
  const { rows } = await edge.ctx.db.execute("SELECT phone FROM suppressions");
  assert.deepEqual(rows.map(({ phone }) => `+${phone}`), [lease.items[1]!.phone]);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);
});

Deno.test("no log holds a link: it is a key", async () => {
  await using house = await linkHouse();
  const { edge, press, token } = house;
  await edge.ctx.db.execute("ALTER TABLE advertisers RENAME TO away");
  assert.equal((await press("GET")).status, 500);
  await edge.visitor.ask(`/r/${token}`);
  assert.ok(edge.logged.some((line) => line.includes("/api/removals/…")));
  assert.deepEqual(edge.logged.filter((line) => line.includes(token)), []);
});
