import assert from "node:assert/strict";
import type { Choice } from "shared/lists_api.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { makeDraft, OPT_IN, paste, saveProfile } from "../testing/advertising.ts";
import { countOfChoice, findAll, loadFile, makeList, takeChoice } from "../testing/list_acts.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { fitsOf, someByChance } from "./choose_people.ts";

const DAY_MS = 24 * 60 * 60_000;
const phoneOf = (row: number) => `05${40_000_001 + row}`;

interface World extends AsyncDisposable {
  edge: TestApp;
  client: TestPerson;
  list: number;
  campaign: number;
}

/** A list of 30 people, +972540000001 and on; every third is of Haifa, every second has a sum. */
async function openWorld(kind = "service"): Promise<World> {
  const edge = await openTestApp();
  const client = await edge.addPerson({ messageQuota: 100 });
  const list = await makeList(client);
  const lines = Array.from(
    { length: 30 },
    (_, row) => `${phoneOf(row)},${row % 3 === 0 ? "חיפה" : "תל אביב"},${row % 2 === 0 ? row : ""}`,
  );
  await loadFile(client, list, ["טלפון,עיר,סכום", ...lines]);
  const { id: campaign } = await makeDraft(client, kind);
  return { edge, client, list, campaign, [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose]() };
}

async function phonesOf({ edge, campaign }: World): Promise<number[]> {
  const { rows } = await edge.ctx.db.execute(
    `SELECT phone - 972540000001 AS row FROM deliveries WHERE campaign = ${campaign} ORDER BY phone`,
  );
  return rows.map(({ row }) => Number(row));
}

Deno.test("a choice follows its filters: is, is not, is empty, is filled, contains, and all of them together", async () => {
  await using world = await openWorld();
  const { client, list, campaign } = world;
  const fitting = async (...where: Choice["where"]) =>
    (await countOfChoice(client, campaign, { lists: [list], where })).fitting;
  assert.equal(await fitting({ field: "עיר", kind: "is", value: "חיפה" }), 10);
  assert.equal(await fitting({ field: "עיר", kind: "is_not", value: "חיפה" }), 20);
  assert.equal(await fitting({ field: "סכום", kind: "is_empty", value: "" }), 15);
  assert.equal(await fitting({ field: "סכום", kind: "is_filled", value: "" }), 15);
  assert.equal(await fitting({ field: "עיר", kind: "contains", value: "אביב" }), 20);
  assert.equal(
    await fitting({ field: "עיר", kind: "is", value: "חיפה" }, {
      field: "סכום",
      kind: "is_empty",
      value: "",
    }),
    5,
  );
  assert.equal(await fitting({ field: "אין שדה כזה", kind: "is", value: "x" }), 0);
  const wrong = { lists: [list], where: [{ field: "עיר", kind: "is", value: " " }] };
  const answer = await client.ask(`/api/campaigns/${campaign}/contacts/lists/count`, {
    method: "POST",
    json: wrong,
  });
  assert.equal(answer.status, 400, "a filter without a value");
});

Deno.test("fitsOf() ignores capitals and vowel points, and takes __proto__ for the name of a field", () => {
  const fits = (kind: "is" | "contains", value: string) => fitsOf({ field: "שם", kind, value });
  assert.ok(fits("is", "שרה")({ שם: "שָׂרָה" }));
  assert.ok(fits("contains", "AN")({ שם: "Dana" }));
  assert.ok(!fits("is", "שר")({ שם: "שרה" }));
  assert.ok(fitsOf({ field: "__proto__", kind: "is_empty", value: "" })({ שם: "x" }));
});

Deno.test("a choice leaves out everyone of other lists, everyone whom a campaign reached, and everyone written to lately", async () => {
  await using world = await openWorld();
  const { edge, client, list, campaign } = world;
  const second = await makeList(client, "אחרת");
  await loadFile(client, second, ["טלפון", phoneOf(0), phoneOf(1)]);
  const reached = await makeCampaign(edge.ctx, {
    client: client.id,
    status: "completed",
    rows: { sent: 2, failed: 2, unknown: 1, skipped: 1 },
    firstPhone: 972_540_000_003,
    sendAt: edge.clock.now,
  });
  await edge.ctx.db.execute(`UPDATE campaigns SET last_sent_at = ${edge.clock.now} WHERE id = ${reached}`);
  const chosen = async (choice: Partial<Choice>) =>
    (await countOfChoice(client, campaign, { lists: [list], ...choice })).chosen;
  assert.equal(await chosen({ except: { lists: [second], campaigns: [] } }), 28);
  assert.equal(await chosen({ except: { lists: [], campaigns: [reached] } }), 27, "sent and unknown");
  assert.equal(await chosen({ except: { lists: [second], campaigns: [reached] } }), 25);
  assert.equal(await chosen({ notWithinDays: 7 }), 27);
  edge.clock.now += 8 * DAY_MS;
  await edge.ctx.db.execute({
    sql: "UPDATE sessions SET created_at = ?, last_seen_at = ?",
    args: [edge.clock.now, edge.clock.now],
  });
  assert.equal(await chosen({ notWithinDays: 7 }), 30);
  assert.equal(await chosen({ notWithinDays: 9 }), 27);
});

Deno.test("a choice leaves out those whom a running or paused campaign may still reach, not those of a cancelled one", async () => {
  await using world = await openWorld();
  const { edge, client, list, campaign } = world;
  const running = await makeCampaign(edge.ctx, {
    client: client.id,
    status: "active",
    rows: { sent: 1, leased: 2, unknown: 1, queued: 4, failed: 1, skipped: 1 },
    sendAt: edge.clock.now,
  });
  const chosen = async () =>
    (await countOfChoice(client, campaign, {
      lists: [list],
      except: { lists: [], campaigns: [running] },
    })).chosen;
  assert.equal(await chosen(), 30 - 8);
  await edge.ctx.db.execute(`UPDATE campaigns SET status = 'paused' WHERE id = ${running}`);
  assert.equal(await chosen(), 30 - 8);
  await edge.ctx.db.execute(`UPDATE campaigns SET status = 'cancelled' WHERE id = ${running}`);
  assert.equal(await chosen(), 30 - 4);
});

Deno.test("numbers pasted alone take the values of their lists, and keep values that they have", async () => {
  await using world = await openWorld();
  const { edge, client, list, campaign } = world;
  await paste(client, campaign, `${phoneOf(0)}\n${phoneOf(1)}\n0509999999`);
  await edge.ctx.db.execute(
    `UPDATE deliveries SET fields = '{"עיר":"לוד"}' WHERE campaign = ${campaign} AND phone = 972540000002`,
  );
  const taken = await takeChoice(client, campaign, { lists: [list] });
  assert.deepEqual([taken.total, taken.duplicatesRemoved], [28, 2]);
  const { rows } = await edge.ctx.db.execute(
    `SELECT fields ->> 'עיר' AS city FROM deliveries WHERE campaign = ${campaign} ORDER BY id LIMIT 3`,
  );
  assert.deepEqual(rows.map(({ city }) => city), ["חיפה", "לוד", null]);
  const { n } = (await edge.ctx.db.execute(
    `SELECT count(*) AS n FROM deliveries WHERE campaign = ${campaign}`,
  )).rows[0]!;
  assert.equal(n, 31);
});

Deno.test("a choice of several lists takes each person once", async () => {
  await using world = await openWorld();
  const { client, list, campaign } = world;
  const second = await makeList(client, "אחרת");
  await loadFile(client, second, ["טלפון", phoneOf(0), "0509999999", phoneOf(29)]);
  const counts = await countOfChoice(client, campaign, { lists: [second, list, second] });
  assert.deepEqual([counts.total, counts.chosen], [31, 31]);
  assert.equal((await takeChoice(client, campaign, { lists: [list, second] })).total, 31);
});

Deno.test("the first are the first of the list; a choice by chance is the same again with its seed, and is kept", async () => {
  await using world = await openWorld();
  const { edge, client, list, campaign } = world;
  await takeChoice(client, campaign, { lists: [list], take: { kind: "first", count: 4 } });
  assert.deepEqual(await phonesOf(world), [0, 1, 2, 3]);

  const some = { lists: [list], take: { kind: "random" as const, count: 10 } };
  const counted = await countOfChoice(client, campaign, some);
  assert.deepEqual([counted.fitting, counted.chosen], [30, 10]);
  const seeded = { ...some, take: { ...some.take, seed: counted.seed! } };
  const draft = await makeDraft(client, "service");
  assert.equal((await takeChoice(client, draft.id, seeded)).total, 10);
  const first = await phonesOf({ ...world, campaign: draft.id });
  const other = await makeDraft(client, "service");
  await takeChoice(client, other.id, seeded);
  assert.deepEqual(await phonesOf({ ...world, campaign: other.id }), first);
  const seventh = await makeDraft(client, "service");
  await takeChoice(client, seventh.id, { ...some, take: { ...some.take, seed: 7 } });
  const bySeven = await phonesOf({ ...world, campaign: seventh.id });
  assert.ok(bySeven.length === 10 && bySeven.some((row) => row >= 10), "not the first ten");
  await client.ask(`/api/campaigns/${seventh.id}`, { method: "DELETE" });
  const [kept] = (await edge.ctx.db.execute(`SELECT choice FROM imports WHERE campaign = ${other.id}`)).rows;
  const { take, lists } = JSON.parse(String(kept!.choice));
  assert.deepEqual([take, lists], [{ kind: "random", count: 10, seed: counted.seed }, [list]]);
});

Deno.test("someByChance() takes exactly so many, ascending, and gives everybody the same chance", () => {
  const phones = Float64Array.from({ length: 1_000 }, (_, row) => 972_540_000_000 + row);
  const times = new Uint32Array(1_000);
  for (let seed = 0; seed < 400; seed++) {
    const some = someByChance(phones, 250, seed);
    assert.equal(some.length, 250);
    assert.ok(some.every((phone, at) => at === 0 || phone > some[at - 1]!));
    for (const phone of some) times[phone - 972_540_000_000]!++;
  }
  // 100 times each, give or take five standard deviations of 8.7.
  assert.ok(
    Math.min(...times) > 55 && Math.max(...times) < 145,
    `${Math.min(...times)}–${Math.max(...times)}`,
  );
  assert.deepEqual(someByChance(phones, 2_000, 1), phones);
});

Deno.test("the count says what the taking then does: removed, without consent, already here, within the cap", async () => {
  await using world = await openWorld("marketing");
  const { edge, client, list, campaign } = world;
  await saveProfile(client);
  await loadFile(client, list, ["טלפון", ...Array.from({ length: 20 }, (_, row) => phoneOf(row))], OPT_IN);
  await client.ask("/api/suppressions", {
    method: "POST",
    json: { numbers: `${phoneOf(0)}\n${phoneOf(25)}` },
  });
  await takeChoice(client, campaign, { lists: [list], take: { kind: "first", count: 3 } });
  await edge.ctx.db.execute({
    sql: "INSERT INTO recipients (client, phone, last_marketing_at, campaign) VALUES (?, 972540000006, ?, 1)",
    args: [client.id, edge.clock.now - DAY_MS],
  });
  const counts = await countOfChoice(client, campaign, { lists: [list] });
  assert.deepEqual(counts, {
    total: 30,
    fitting: 30,
    chosen: 30,
    removed: 2,
    noConsent: 9,
    alreadyHere: 2,
    reached: 1,
    added: 17,
    seed: null,
  });
  assert.deepEqual(await phonesOf(world), [1, 2], "nothing was taken");
  const { total, suppressed, withoutConsent, duplicatesRemoved } = await takeChoice(client, campaign, {
    lists: [list],
  });
  assert.deepEqual([total, suppressed, withoutConsent, duplicatesRemoved], [17, 2, 9, 2]);
  const declared = await takeChoice(client, campaign, { lists: [list], consent: OPT_IN });
  assert.deepEqual([declared.total, declared.withoutConsent], [9, 0]);
  assert.equal((await findAll(client, list)).length, 30);
});

Deno.test("people of a list, of a file and by hand come into one campaign, and a copy keeps their values", async () => {
  await using world = await openWorld();
  const { edge, client, list, campaign } = world;
  await takeChoice(client, campaign, { lists: [list], take: { kind: "first", count: 2 } });
  const manual = { method: "POST", json: { numbers: `${phoneOf(1)}\n0507777777` } };
  const typed = await (await client.ask(`/api/campaigns/${campaign}/contacts/manual`, manual)).json();
  assert.deepEqual([typed.total, typed.duplicatesRemoved], [1, 1]);
  const form = new FormData();
  form.set("file", new File(["0508888888"], "a.csv"));
  await client.ask(`/api/campaigns/${campaign}/contacts`, { method: "POST", body: form });
  const copied = await client.ask(`/api/campaigns/${campaign}/duplicate`, {
    method: "POST",
    json: { contacts: "all" },
  });
  const { id: copy } = await copied.json();
  const fields = (of: number) =>
    edge.ctx.db.execute(`SELECT phone, fields FROM deliveries WHERE campaign = ${of} ORDER BY phone`)
      .then(({ rows }) => rows.map((row) => ({ ...row })));
  assert.equal((await fields(campaign)).length, 4);
  assert.deepEqual(await fields(copy), await fields(campaign));
});

Deno.test("a campaign's recipients come into a list by their outcome, with what the campaign kept of them", async () => {
  await using world = await openWorld();
  const { edge, client } = world;
  const from = await makeCampaign(edge.ctx, {
    client: client.id,
    status: "completed_with_errors",
    rows: { sent: 3, failed: 2, unknown: 1 },
    firstPhone: 972_540_000_100,
  });
  await edge.ctx.db.execute(`UPDATE deliveries SET fields = '{"שם":"דנה"}' WHERE phone = 972540000100`);
  await edge.ctx.db.execute(`UPDATE deliveries SET phone = -id WHERE phone = 972540000101`);
  const list = await makeList(client, "הגיעו");
  const add = async (states: string[]) => {
    const json = { campaign: from, states };
    const answer = await client.ask(`/api/lists/${list}/campaign`, { method: "POST", json });
    return [answer.status, await answer.json()];
  };
  const [, sent] = await add(["sent"]);
  assert.deepEqual([sent.added, sent.known], [2, 0]);
  const [, more] = await add(["sent", "failed"]);
  assert.deepEqual([more.added, more.known], [2, 2]);
  const [status, none] = await add(["skipped"]);
  assert.deepEqual([status, none.code], [400, "no_valid_contacts"]);
  assert.deepEqual((await findAll(client, list, "דנה")).map(({ phone }) => phone), ["+972540000100"]);
});
