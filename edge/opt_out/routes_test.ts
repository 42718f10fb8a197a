import assert from "node:assert/strict";
import { adminAlertsSchema } from "shared/admin_api.ts";
import { campaignSchema } from "shared/http_api.ts";
import { repliesDecidedSchema, replyPageSchema } from "shared/replies_api.ts";
import { auditQueue } from "../queue/audit.ts";
import { forgetNumbers } from "../privacy/forget_numbers.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import type { TestPerson } from "../testing/test_app.ts";
import { takeReplies } from "./take_replies.ts";

const DAY_MS = 24 * 60 * 60_000;

type Asker = Pick<TestPerson, "ask">;

/** Returns a client with three recipients who sent unclear replies. */
async function waitingHouse() {
  const house = await openAdminHouse();
  const { edge, fleet } = house;
  const site = await fleet.addSite();
  const client = await edge.addPerson({ messageQuota: 9 });
  const campaign = await sendNew(fleet, 3, client);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: edge.clock.now });
  const items = campaign.phones.map((phone, index) => ({
    id: String(index).padStart(32, "0"),
    phone,
    account: `${site.devices[0]}/com.whatsapp/0`,
    decision: "unclear" as const,
    excerpt: `הסירו אולי ${index}`,
    at: edge.clock.now,
  }));
  await takeReplies(edge.ctx, site, items);
  return { ...house, site, client, campaign, items };
}

async function list(person: Asker, state = "waiting") {
  const answer = await person.ask(`/api/replies?state=${state}`);
  assert.equal(answer.status, 200);
  return replyPageSchema.parse(await answer.json()).items;
}

async function decide(person: Asker, ids: number[], as: string): Promise<number> {
  const answer = await person.ask("/api/replies/decide", { method: "POST", json: { ids, as } });
  return repliesDecidedSchema.parse(await answer.json()).decided;
}

async function waiting({ ask }: Asker, campaign: number): Promise<number | undefined> {
  return campaignSchema.parse(await (await ask(`/api/campaigns/${campaign}`)).json()).waitingReplies;
}

async function suppressed({ edge }: Pick<AdminHouse, "edge">): Promise<number> {
  return (await edge.ctx.db.execute("SELECT 1 FROM suppressions WHERE source = 'reply'")).rows.length;
}

Deno.test("GET /api/replies shows a client its own, administrators everybody's with masked numbers", async () => {
  await using house = await waitingHouse();
  const { client, admin, edge, campaign } = house;
  const own = await list(client);
  assert.deepEqual(own.map(({ phone }) => phone), campaign.phones.toReversed());
  assert.deepEqual(own[0]!.campaignName, "מבצע");
  const all = await list(admin);
  assert.ok(all.length === 3 && all.every(({ phone }) => phone.includes("•••")));
  assert.deepEqual(await list(await edge.addPerson()), []);
});

Deno.test("POST /api/replies/decide suppresses the recipients that a person chose, and no others", async () => {
  await using house = await waitingHouse();
  const { client, admin, edge, fleet, campaign } = house;
  const [first, second, third] = await list(client);
  assert.equal(await decide(await edge.addPerson(), [first!.id], "remove"), 0, "another client's");
  const many = Array.from({ length: 50 }, (_, index) => 1_000_000 + index);
  assert.equal(await decide(client, [...many, first!.id], "remove"), 1);
  assert.equal(await decide(client, [first!.id], "keep"), 0, "decided before");
  await edge.ctx.db.execute("DELETE FROM events");
  assert.equal(await decide(admin, [second!.id, third!.id], "keep"), 2);
  const shown = await fleet.one("SELECT client FROM events WHERE type = 'campaign_changed'");
  assert.equal(shown.client, client.id, "its screen shows what still waits");
  assert.equal(await suppressed(house), 1);
  const { n } = await fleet.one(`SELECT opted_out_count AS n FROM campaigns WHERE id = ${campaign.id}`);
  assert.equal(n, 1);
  assert.deepEqual(await list(client), []);
  assert.deepEqual((await list(client, "removed")).map(({ id }) => id), [first!.id]);
  const { rows } = await edge.ctx.db.execute(
    "SELECT kind, actor FROM audit_log WHERE kind IN ('opted_out', 'replies_kept') ORDER BY id",
  );
  assert.deepEqual(rows.map(({ kind, actor }) => [kind, actor]), [["opted_out", client.id], [
    "replies_kept",
    admin.id,
  ]]);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);
});

Deno.test("a decided reply is opened again by a newer reply, but not by a repeated report", async () => {
  await using house = await waitingHouse();
  const { client, edge, site, items } = house;
  await decide(client, (await list(client)).map(({ id }) => id), "keep");
  await takeReplies(edge.ctx, site, items);
  assert.deepEqual(await list(client), []);
  const newer = { ...items[0]!, id: "f".repeat(32), at: edge.clock.now + 1 };
  await takeReplies(edge.ctx, site, [newer]);
  assert.equal((await list(client)).length, 1);
});

Deno.test("a client cannot remove a number from the list that asked for it by reply", async () => {
  await using house = await waitingHouse();
  const { client } = house;
  await decide(client, [(await list(client))[0]!.id], "remove");
  const { items: [entry] } = await (await client.ask("/api/suppressions")).json();
  assert.equal(entry.source, "reply");
  const answer = await client.ask("/api/suppressions", { method: "DELETE", json: { ids: [entry.id] } });
  assert.deepEqual(await answer.json(), { removed: 0 });
});

Deno.test("forgetNumbers() deletes replies when their days are over, and keeps the suppression list", async () => {
  await using house = await waitingHouse();
  const { client, edge } = house;
  await decide(client, [(await list(client))[0]!.id], "remove");
  edge.clock.now += 91 * 24 * 60 * 60_000;
  while (await forgetNumbers(edge.ctx) > 0);
  assert.equal((await edge.ctx.db.execute("SELECT 1 FROM replies")).rows.length, 0);
  assert.equal(await suppressed(house), 1);
});

Deno.test("GET /api/campaigns/{id} counts only its own waiting replies", async () => {
  await using house = await waitingHouse();
  const { client, fleet, campaign } = house;
  const other = await sendNew(fleet, 1, client);
  assert.deepEqual([await waiting(client, campaign.id), await waiting(client, other.id)], [3, 0]);
  await decide(client, [(await list(client))[0]!.id], "keep");
  assert.equal(await waiting(client, campaign.id), 2);
});

Deno.test("GET /api/admin/alerts shows replies undecided for a day, by client, until somebody decides", async () => {
  await using house = await waitingHouse();
  const { edge, client } = house;
  const shown = async () => {
    const { items } = adminAlertsSchema.parse(await house.read("/api/admin/alerts"));
    return items.filter(({ code }) => code === "replies_wait");
  };
  const since = edge.clock.now;
  house.fleet.pass(DAY_MS - 1);
  assert.deepEqual(await shown(), []);
  house.fleet.pass(1);
  const [alert, ...rest] = await shown();
  assert.deepEqual([alert!.type, alert!.since, alert!.campaignId, rest], [
    "warning",
    since,
    house.campaign.id,
    [],
  ]);
  const { username } = client;
  assert.ok(alert!.message.startsWith(`3 תשובות של נמענים של ${username} מחכות להחלטה יותר מיממה.`));
  const waiting = await list(house.admin);
  assert.equal(await decide(house.admin, waiting.slice(1).map(({ id }) => id), "keep"), 2);
  assert.ok((await shown())[0]!.message.startsWith(`תשובה אחת של נמען של ${username} מחכה להחלטה`));
  assert.equal(await decide(house.admin, waiting.map(({ id }) => id), "remove"), 1);
  assert.deepEqual(await shown(), []);
});
