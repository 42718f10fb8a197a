import assert from "node:assert/strict";
import { connectDatabase } from "../db/connect.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { OPT_IN } from "../testing/advertising.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { runImports } from "../files/run_imports.ts";
import { importContacts } from "./import_contacts.ts";

const REFUSAL = {
  error:
    "הרשימה הזאת עוברת את התקרה של אנשי הקשר בכל הקמפיינים יחד, ולכן לא נוסף דבר. אפשר למחוק קמפיינים שלא נשלחו, " +
    "או לפנות למנהל המערכת להגדלת התקרה.",
  code: "contacts_full",
};

async function setCeiling({ ctx }: Pick<Fleet, "ctx">, contacts: number) {
  await ctx.db.execute({
    sql: `INSERT INTO settings (key, value, updated_at) VALUES ('maxContactsPerClient', ?, 0)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    args: [String(contacts)],
  });
}

const numbers = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `0${520_000_000 + first + index}`).join("\n");

Deno.test("an upload, a paste, a copy and an administrator's file are refused above the ceiling, and add nothing", async () => {
  await using house = await openAdminHouse();
  const { edge, admin, fleet } = house;
  const client = await edge.addPerson();
  const other = await edge.addPerson();
  await setCeiling(edge, 10);
  const full = await makeCampaign(edge.ctx, { client: client.id, rows: { queued: 6 } });
  const draft = await makeCampaign(edge.ctx, { client: client.id, status: "draft" });
  const contactsOf = async () =>
    (await fleet.one(`SELECT count(*) AS n FROM deliveries d JOIN campaigns c ON c.id = d.campaign
      WHERE client = ${client.id}`)).n;
  const file = (text: string, target?: number) => {
    const form = new FormData();
    form.set("file", new File([text], "list.csv"));
    if (target !== undefined) form.set("target", String(target));
    return form;
  };
  const json = { numbers: numbers(0, 5) };
  const adds = [
    () => client.ask(`/api/campaigns/${draft}/contacts`, { method: "POST", body: file(json.numbers) }),
    () => client.ask(`/api/campaigns/${draft}/contacts/manual`, { method: "POST", json }),
    () => client.ask(`/api/campaigns/${full}/duplicate`, { method: "POST", json: { contacts: "all" } }),
  ];
  for (const add of adds) {
    const refused = await add();
    assert.equal(refused.status, 409);
    assert.deepEqual(await refused.json(), REFUSAL);
    assert.equal(await contactsOf(), 6);
  }
  const { id } =
    await (await admin.ask("/api/admin/files", { method: "POST", body: file(json.numbers, draft) }))
      .json();
  while (await runImports(edge.ctx) > 0);
  const failed = await (await admin.ask(`/api/admin/files/${id}`)).json();
  assert.deepEqual([failed.status, failed.error, await contactsOf()], ["error", REFUSAL.error, 6]);
  assert.equal((await (await client.ask("/api/campaigns")).json()).length, 2, "no half copy is left");

  const fits = { method: "POST", json: { numbers: numbers(0, 4) } };
  assert.equal((await client.ask(`/api/campaigns/${draft}/contacts/manual`, fits)).status, 200);
  assert.equal((await client.ask(`/api/campaigns/${draft}/contacts/manual`, fits)).status, 200, "known ones");
  const others = await makeCampaign(edge.ctx, { client: other.id, status: "draft" });
  const same = await other.ask(`/api/campaigns/${others}/contacts/manual`, { method: "POST", json });
  assert.equal(same.status, 200, "each has a ceiling of their own");
});

Deno.test("a client above the ceiling keeps all contacts, and may make room", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const client = await edge.addPerson({ messageQuota: 20 });
  const kept = await makeCampaign(edge.ctx, { client: client.id, rows: { queued: 8 } });
  const gone = await makeCampaign(edge.ctx, { client: client.id, rows: { queued: 7 } });
  const draft = await makeCampaign(edge.ctx, { client: client.id, status: "draft" });
  await setCeiling(edge, 10);
  const paste = async () => {
    const json = { numbers: numbers(0, 2) };
    return (await client.ask(`/api/campaigns/${draft}/contacts/manual`, { method: "POST", json })).status;
  };
  assert.equal(await paste(), 409);
  const page = await (await client.ask(`/api/campaigns/${kept}/deliveries`)).json();
  assert.equal(page.items.length, 8);
  assert.equal((await client.ask(`/api/campaigns/${kept}/send`, { method: "POST" })).status, 200);
  assert.equal((await client.ask(`/api/campaigns/${gone}`, { method: "DELETE" })).status, 204);
  assert.equal(await paste(), 200);
});

Deno.test("numbers left out for lack of consent count too, and forgotten ones no longer do", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const client = await edge.addPerson();
  await setCeiling(edge, 4);
  const draft = await makeCampaign(edge.ctx, { client: client.id, status: "draft" });
  await edge.ctx.db.execute(`UPDATE campaigns SET kind = 'marketing' WHERE id = ${draft}`);
  const paste = async (campaign: number, numbers: string, consent?: typeof OPT_IN) => {
    const json = { numbers, consent };
    return (await client.ask(`/api/campaigns/${campaign}/contacts/manual`, { method: "POST", json })).status;
  };
  assert.equal(await paste(draft, numbers(0, 5)), 409);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM unconsented")).n, 0);
  assert.equal(await paste(draft, numbers(0, 4)), 200);
  assert.equal(await paste(draft, numbers(10, 1), OPT_IN), 409);
  await edge.ctx.db.execute(`UPDATE campaigns SET forgotten_at = 1 WHERE id = ${draft}`);
  const next = await makeCampaign(edge.ctx, { client: client.id, status: "draft" });
  assert.equal(await paste(next, numbers(0, 4)), 200);
});

for (const remote of [false, true]) {
  Deno.test(`two uploads at once on two edges keep below the ceiling together${remote ? ", remotely" : ""}`, async () => {
    await using fleet = await openFleet({ remote });
    const db = await connectDatabase(fleet.database.url);
    const client = await fleet.addClient(0);
    await setCeiling(fleet, 5_000);
    const edges = [fleet.ctx, { ...fleet.ctx, db }];
    const uploads = await Promise.allSettled(edges.map(async (ctx, index) => {
      const id = await makeCampaign(fleet.ctx, { client: client.id, status: "draft" });
      const list = { fileName: "", numbers: numbers(index * 10_000, 4_000) };
      await importContacts(ctx, { id, client: client.id, kind: "service" }, list);
    }));
    db.close();
    assert.deepEqual(uploads.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const refused = uploads.find((one) => one.status === "rejected");
    assert.equal(refused!.reason.code, "contacts_full");
    const { n } = await fleet.one("SELECT count(*) AS n FROM deliveries");
    assert.equal(n, 4_000);
  });
}
