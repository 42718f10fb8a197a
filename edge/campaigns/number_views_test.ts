import assert from "node:assert/strict";
import { adminCampaignDetailSchema } from "shared/admin_api.ts";
import { deliveryPageSchema } from "shared/http_api.ts";
import { NUMBERS_SHOWN_MS } from "shared/privacy.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { PROOF, type TestPerson } from "../testing/test_app.ts";
import { MOST_WITH_ENDS } from "../numbers/mask_phone.ts";

const REASON = "תלונה של נמען על הודעה כפולה";

async function phonesFor(person: Pick<TestPerson, "ask">, campaign: number): Promise<string[]> {
  const answer = await person.ask(`/api/campaigns/${campaign}/deliveries`);
  return deliveryPageSchema.parse(await answer.json()).items.map(({ phone }) => phone);
}

async function isMasked(person: Pick<TestPerson, "ask">, campaign: number): Promise<boolean> {
  const phones = await phonesFor(person, campaign);
  assert.ok(phones.length > 0);
  const csv = await (await person.ask(`/api/campaigns/${campaign}/deliveries.csv`)).text();
  const masked = phones.every((phone) => phone.includes("•••"));
  assert.equal(csv.includes("•••"), masked, "the file shows what the screen shows");
  return masked;
}

async function show({ admin }: AdminHouse, campaign: number, reason: string): Promise<number> {
  const json = { proof: PROOF, reason };
  return (await admin.ask(`/api/admin/campaigns/${campaign}/numbers`, { method: "POST", json })).status;
}

Deno.test("showNumbers() shows one campaign's numbers to one session, for some minutes", async () => {
  await using house = await openAdminHouse();
  const { edge, admin, fleet } = house;
  const [one, other] = [await sendNew(fleet, 3), await sendNew(fleet, 3)];
  const colleague = await edge.addPerson({ role: "admin" });
  assert.equal(await isMasked(admin, one.id), true);
  assert.equal(await show(house, one.id, REASON), 200);
  assert.equal(await isMasked(admin, one.id), false);
  assert.deepEqual(await phonesFor(admin, one.id), [...one.phones].sort());
  assert.equal(await isMasked(admin, other.id), true, "another campaign stays masked");
  assert.equal(await isMasked(colleague, one.id), true, "another session sees nothing");
  edge.clock.now += NUMBERS_SHOWN_MS;
  assert.equal(await isMasked(admin, one.id), true);
});

Deno.test("showNumbers() returns the end of the time, and hideNumbers() ends it earlier", async () => {
  await using house = await openAdminHouse();
  const { id } = await sendNew(house.fleet, 2);
  const path = `/api/admin/campaigns/${id}`;
  const until = async () => adminCampaignDetailSchema.parse(await house.read(path)).numbersShownUntil;
  assert.equal(await until(), null);
  await show(house, id, REASON);
  assert.equal(await until(), house.edge.clock.now + NUMBERS_SHOWN_MS);
  assert.equal((await house.admin.ask(`${path}/numbers`, { method: "DELETE" })).status, 204);
  assert.equal(await until(), null);
  assert.equal(await isMasked(house.admin, id), true);
});

Deno.test("showNumbers() requires a reason, and audits it", async () => {
  await using house = await openAdminHouse();
  const { id } = await sendNew(house.fleet, 2);
  assert.equal(await show(house, id, "  א  "), 400);
  assert.equal(await show(house, id + 1, REASON), 404);
  await show(house, id, `${REASON}: 054-371-0968`);
  const { rows } = await house.edge.ctx.db.execute(
    "SELECT actor, campaign, data FROM audit_log WHERE kind = 'numbers_shown'",
  );
  assert.deepEqual(
    rows.map(({ actor, campaign, data }) => [actor, campaign, JSON.parse(String(data)).reason]),
    [
      [house.admin.id, id, `${REASON}: •••`],
    ],
  );
});

Deno.test("a masked number is found only by a search for the whole number", async () => {
  await using house = await openAdminHouse();
  const client = await house.edge.addPerson({ messageQuota: 5 });
  const { id, phones } = await sendNew(house.fleet, 3, client);
  const digits = phones[0]!.slice(1);
  const found = async (person: Pick<TestPerson, "ask">, q: string, state?: string) => {
    const answer = await person.ask(`/api/campaigns/${id}/deliveries/search`, {
      method: "POST",
      json: { q, state },
    });
    return deliveryPageSchema.parse(await answer.json()).items.length;
  };
  /** Searches for more and more digits of the number, in the list and within a state. */
  const byDigits = async (person: Pick<TestPerson, "ask">) => {
    const counts: number[] = [];
    for (let length = 3; length <= digits.length; length++) {
      const [count, within] = [
        await found(person, digits.slice(0, length)),
        await found(person, digits.slice(0, length), "queued"),
      ];
      assert.equal(count, within);
      counts.push(count);
    }
    return counts;
  };
  assert.deepEqual(await byDigits(client), [3, 3, 3, 3, 3, 3, 3, 3, 3, 1]);
  assert.deepEqual(await byDigits(house.admin), [3, 3, 3, 0, 0, 0, 0, 0, 0, 1]);
  await show(house, id, REASON);
  assert.deepEqual(await byDigits(house.admin), [3, 3, 3, 3, 3, 3, 3, 3, 3, 1]);
});

Deno.test("a person with masked numbers may search ten whole ones in a quarter of an hour, over all searches", async () => {
  await using house = await openAdminHouse();
  const client = await house.edge.addPerson({ messageQuota: 5 });
  const { id } = await sendNew(house.fleet, 1, client);
  const paths = [
    `/api/campaigns/${id}/deliveries/search`,
    "/api/suppressions/search",
    "/api/admin/opt-outs/search",
  ];
  const guess = (last: number) => `05400000${String(last).padStart(2, "0")}`;
  const search = async (person: Pick<TestPerson, "ask">, path: string, q: string) => {
    const answer = await person.ask(path, { method: "POST", json: { q } });
    return [answer.status, await answer.json()] as const;
  };
  for (let last = 0; last < 10; last++) {
    assert.equal((await search(house.admin, paths[last % 3]!, guess(last)))[0], 200);
  }
  for (const path of paths) {
    const [status, refusal] = await search(house.admin, path, guess(11));
    assert.deepEqual([status, refusal.code], [429, "too_many_attempts"], path);
    assert.match(refusal.error, /^[א-ת]/);
    assert.equal(
      (await search(house.admin, path, guess(3)))[0],
      200,
      "a screen asks again for what it shows",
    );
  }
  const byGet = await house.admin.ask(`/api/campaigns/${id}/deliveries?q=%2B972540000011`);
  assert.equal(byGet.status, 429);
  assert.equal(
    (await search(house.admin, paths[0]!, "0540"))[0],
    200,
    "the beginning of a number is no guess",
  );
  assert.equal((await search(client, paths[0]!, guess(11)))[0], 200, "its owner guesses at nothing");
  const colleague = await house.edge.addPerson({ role: "admin" });
  assert.equal((await search(colleague, paths[0]!, guess(11)))[0], 200, "each person is counted alone");
  await show(house, id, REASON);
  assert.equal((await search(house.admin, paths[0]!, guess(11)))[0], 200, "nothing is hidden any more");
  house.edge.clock.now += 15 * 60_000;
  assert.equal((await search(house.admin, paths[2]!, guess(11)))[0], 200);
});

Deno.test("a long list masks the ends of numbers too, because its order reveals the rest", async () => {
  await using house = await openAdminHouse();
  const client = await house.edge.addPerson({ messageQuota: 500 });
  const short = await sendNew(house.fleet, MOST_WITH_ENDS, client);
  const long = await sendNew(house.fleet, MOST_WITH_ENDS + 1, client);
  const seen = async (id: number) => {
    const { items } = deliveryPageSchema.parse(
      await (await house.admin.ask(`/api/campaigns/${id}/deliveries?limit=500`)).json(),
    );
    const one = await (await house.admin.ask(`/api/campaigns/${id}/deliveries/${items[0]!.id}`)).json();
    const csv = await (await house.admin.ask(`/api/campaigns/${id}/deliveries.csv`)).text();
    const phones = items.map(({ phone }) => phone);
    return { phones: new Set([...phones, one.phone]), csv };
  };
  const ofShort = await seen(short.id);
  assert.equal(ofShort.phones.size, MOST_WITH_ENDS);
  assert.match(ofShort.csv, /"054-•••-\d{4}"/);
  const ofLong = await seen(long.id);
  assert.deepEqual([...ofLong.phones], ["+97254•••••••"]);
  assert.match(ofLong.csv, /"054-•••-••••"/);
  assert.doesNotMatch(ofLong.csv, /•-\d/);
  assert.equal((await phonesFor(client, long.id))[0]!.includes("•"), false, "its owner sees all");
  const list = async () => (await (await house.admin.ask("/api/suppressions?q=054")).json()).items[0].phone;
  const add = (numbers: string[]) =>
    house.admin.ask("/api/suppressions", { method: "POST", json: { numbers: numbers.join("\n") } });
  await add(short.phones);
  assert.match(await list(), /•\d{4}$/);
  await add(["0549999999"]);
  assert.equal(await list(), "+97254•••••••");
});

Deno.test("a list that shows ends leaves a hundred of a thousand numbers possible for each place", () => {
  const random = seeded(19);
  const hiddenAt = Array.from({ length: MOST_WITH_ENDS }, (): number[] => []);
  for (let list = 0; list < 2_000; list++) {
    const rests = Array.from({ length: MOST_WITH_ENDS }, () => Math.floor(random() * 1e7)).sort((a, b) =>
      a - b
    );
    rests.forEach((rest, place) => hiddenAt[place]!.push(Math.floor(rest / 1e4)));
  }
  hiddenAt.forEach((hidden, place) => {
    hidden.sort((a, b) => a - b);
    // The range of 95 in 100 such numbers.
    const open = hidden[Math.floor(0.975 * hidden.length)]! - hidden[Math.floor(0.025 * hidden.length)]!;
    assert.ok(open >= 100, `${open} at place ${place}`);
  });
});

/** Returns numbers in [0, 1), equal for equal seeds. */
function seeded(seed: number): () => number {
  return () => (seed = seed * 48_271 % 2_147_483_647) / 2_147_483_647;
}
