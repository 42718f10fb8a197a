import assert from "node:assert/strict";
import { adminCampaignDetailSchema } from "shared/admin_api.ts";
import { deliveryPageSchema } from "shared/http_api.ts";
import { NUMBERS_SHOWN_MS } from "shared/privacy.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { sendNew } from "../testing/queue_acts.ts";
import type { TestPerson } from "../testing/test_app.ts";

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
  return (await admin.ask(`/api/admin/campaigns/${campaign}/numbers`, { method: "POST", json: { reason } }))
    .status;
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

Deno.test("showNumbers() tells the screen until when, and hideNumbers() ends it before", async () => {
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

Deno.test("showNumbers() asks for a reason, and audits it", async () => {
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

Deno.test("a masked number is found by who writes it whole, and not digit by digit", async () => {
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
  /** What is found by more and more of the number's digits, in the list and within a state. */
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
