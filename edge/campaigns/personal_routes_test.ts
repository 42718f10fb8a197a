import assert from "node:assert/strict";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import {
  MAX_PERSONAL_ROWS,
  personalNeighboursSchema,
  type PersonalPreview,
  personalPreviewSchema,
  personalRowsSchema,
} from "shared/personal_api.ts";
import { sendCampaign } from "../queue/send.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { addPersonal } from "../testing/personal.ts";
import type { TestPerson } from "../testing/test_app.ts";

async function preview(person: Pick<TestPerson, "ask">, id: number): Promise<PersonalPreview> {
  const answer = await person.ask(`/api/campaigns/${id}/personal`);
  assert.equal(answer.status, 200, await answer.clone().text());
  return personalPreviewSchema.parse(await answer.json());
}

async function search(person: Pick<TestPerson, "ask">, id: number, q: string, after = 0) {
  const answer = await person.ask(`/api/campaigns/${id}/personal/rows`, {
    method: "POST",
    json: { q, after },
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return personalRowsSchema.parse(await answer.json());
}

const LONG = "שרה-אלכסנדרה הגדולה מכולן";
const VALUES: (Record<string, string> | null)[] = [{ שם: "נועה", עיר: "חיפה" }, { שם: LONG }, null, {
  שם: "דן",
  עיר: "",
}];

Deno.test("GET /personal shows what a message makes of its recipients", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 10 });
  const message = "שלום {{שם}} מ{{עיר|כאן}}";
  const { id, phones } = await addPersonal(house.fleet, { message, values: VALUES, client: dana });
  const shown = await preview(dana, id);
  assert.deepEqual([shown.isPersonal, shown.fields.sort(), shown.faults, shown.unknown], [
    true,
    ["עיר", "שם"],
    [],
    [],
  ]);
  assert.deepEqual([shown.count, shown.missing, shown.tooLong], [4, 1, 0]);
  assert.equal(shown.longestChars, `שלום ${LONG} מכאן`.length);
  const { first, longest, emptiest } = shown.rows;
  assert.deepEqual([first?.phone, first?.text, first?.missing], [phones[0], "שלום נועה מחיפה", []]);
  assert.deepEqual([longest?.phone, longest?.text], [phones[1], `שלום ${LONG} מכאן`]);
  assert.deepEqual([emptiest?.phone, emptiest?.text, emptiest?.missing], [phones[2], null, ["שם"]]);
});

Deno.test("GET /personal names faults, unknown fields and texts that are too long, and follows the words", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 10 });
  const { id } = await addPersonal(house.fleet, { message: "שלום", values: VALUES, client: dana });
  const plain = await preview(dana, id);
  assert.deepEqual([plain.isPersonal, plain.missing, plain.fields.length], [false, 0, 2]);
  const write = async (message: string) => {
    const answer = await dana.ask(`/api/campaigns/${id}`, { method: "PATCH", json: { message } });
    assert.equal(answer.status, 200);
    return await preview(dana, id);
  };
  assert.deepEqual((await write("שלום {{שפ|אתם}}")).unknown, [{ field: "שפ", nearest: "שם" }]);
  const faulty = await write("שלום {{שם");
  assert.deepEqual([faulty.faults.map(({ code }) => code), faulty.rows.first?.text], [["unclosed"], null]);
  const long = await write(`{{שם|אתם}}${"א".repeat(MAX_MESSAGE_CHARS - 20)}`);
  assert.deepEqual([long.tooLong, long.longestChars > MAX_MESSAGE_CHARS], [1, true]);
});

Deno.test("POST /personal/rows finds any recipient by number or value, and goes on where it stopped", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 100 });
  const values = Array.from(
    { length: 50 },
    (_, place) => ({ שם: `נועה ${place}`, עיר: place < 45 ? "חיפה" : "עכו" }),
  );
  const { id, phones } = await addPersonal(house.fleet, { message: "שלום {{שם}}", values, client: dana });
  const byNumber = await search(dana, id, "054-000-0007");
  assert.deepEqual(byNumber.items.map(({ phone, text }) => [phone, text]), [[phones[6], "שלום נועה 6"]]);
  assert.deepEqual((await search(dana, id, "ועה 33")).items.map(({ text }) => text), ["שלום נועה 33"]);
  const found: string[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: Awaited<ReturnType<typeof search>> = await search(dana, id, "חיפ", after);
    assert.ok(page.items.length <= MAX_PERSONAL_ROWS);
    found.push(...page.items.map(({ phone }) => phone));
    after = page.next;
  }
  assert.deepEqual(found, phones.slice(0, 45));
  assert.deepEqual((await search(dana, id, "אין כזה")).items, []);
});

Deno.test("GET /personal/rows/{delivery} leads through all recipients, forth and back, before the send and after it", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 100 });
  const values = Array.from({ length: 30 }, (_, place) => ({ שם: `נועה ${place}` }));
  const { id, phones } = await addPersonal(house.fleet, { message: "שלום {{שם}}", values, client: dana });
  const beside = async (row: number) => {
    const answer = await dana.ask(`/api/campaigns/${id}/personal/rows/${row}`);
    return personalNeighboursSchema.parse(await answer.json());
  };
  const walk = async () => {
    const { first } = (await preview(dana, id)).rows;
    const there: string[] = [first!.phone];
    let last = first!;
    for (let place = 1;; place++) {
      const { next, place: at } = await beside(last.id);
      assert.equal(at, place);
      if (next === null) break;
      assert.equal(next.text, `שלום ${next.values.שם}`);
      there.push(next.phone);
      last = next;
    }
    const back: string[] = [last.phone];
    for (let row = (await beside(last.id)).previous; row !== null; row = (await beside(row.id)).previous) {
      back.push(row.phone);
    }
    assert.deepEqual(back.toReversed(), there);
    return there;
  };
  assert.deepEqual(await walk(), phones);
  await sendCampaign(house.fleet.ctx, dana, id);
  assert.deepEqual(await walk(), phones.toSorted());
  const other = await addPersonal(house.fleet, { message: "שלום", values: [null], client: dana });
  const foreign = await preview(dana, other.id);
  assert.equal((await dana.ask(`/api/campaigns/${id}/personal/rows/${foreign.rows.first!.id}`)).status, 404);
});

Deno.test("the preview shows administrators masked numbers and values until they say why, and others nothing", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 10 });
  const { id } = await addPersonal(house.fleet, { message: "שלום {{שם|אתם}}", values: VALUES, client: dana });
  const hidden = await house.admin.ask(`/api/campaigns/${id}/personal`);
  const text = await hidden.text();
  for (const secret of ["נועה", "חיפה", LONG, "972540000001"]) assert.ok(!text.includes(secret), secret);
  assert.match(text, /שלום •••/);
  assert.deepEqual((await search(house.admin, id, "נועה")).items, [], "nobody is found by a value");
  assert.deepEqual((await search(house.admin, id, "0540000")).items, [], "no digit is revealed by a search");
  const beside = await house.admin.ask(
    `/api/campaigns/${id}/personal/rows/${(await preview(dana, id)).rows.first!.id}`,
  );
  const next = await beside.text();
  assert.equal(beside.status, 200);
  for (const secret of [LONG, "972540000002"]) assert.ok(!next.includes(secret), secret);
  const yossi = await house.edge.addPerson({ messageQuota: 0 });
  assert.equal((await yossi.ask(`/api/campaigns/${id}/personal`)).status, 404);
  const rows = await yossi.ask(`/api/campaigns/${id}/personal/rows`, { method: "POST", json: { q: "נועה" } });
  assert.equal(rows.status, 404);
});

Deno.test("GET /personal of a sent campaign shows the frozen text of each recipient", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 10 });
  const { id, phones } = await addPersonal(house.fleet, {
    message: "שלום {{שם|אתם}}",
    values: VALUES,
    client: dana,
  });
  await sendCampaign(house.fleet.ctx, dana, id);
  const shown = await preview(dana, id);
  assert.deepEqual([shown.isPersonal, shown.rows.first?.phone, shown.rows.first?.text], [
    true,
    phones[0],
    "שלום נועה",
  ]);
  assert.deepEqual((await search(dana, id, "דן")).items.map(({ text }) => text), ["שלום דן"]);
});
