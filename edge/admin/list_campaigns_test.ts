import assert from "node:assert/strict";
import {
  activityPageSchema,
  adminCampaignDetailSchema,
  adminCampaignPageSchema,
  searchResultSchema,
} from "shared/admin_api.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openAdminHouse } from "../testing/admin_house.ts";

Deno.test("GET /api/admin/campaigns lists every client's, by status, by name of campaign or client, page by page", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const [dana, yossi] = [
    await house.edge.addPerson({ username: "דנה" }),
    await house.edge.addPerson({ username: "yossi" }),
  ];
  const statuses = ["draft", "ready", "active", "paused", "completed"] as const;
  const ids: number[] = [];
  for (const status of statuses) {
    ids.unshift(
      await makeCampaign(ctx, { client: dana!.id, status, name: `סתיו ${status}`, rows: { queued: 2 } }),
    );
  }
  ids.unshift(await makeCampaign(ctx, { client: yossi!.id, status: "cancelled", name: "100%" }));
  await ctx.db.execute({
    sql: `INSERT INTO campaigns (client, name, message, status, test_of, created_at, updated_at)
      VALUES (?, 'סתיו', '', 'ready', ?, 0, 0)`,
    args: [dana!.id, ids[0]!],
  });
  const list = async (query: string) =>
    adminCampaignPageSchema.parse(await house.read(`/api/admin/campaigns?${query}`));
  const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id);

  const { items } = await list("");
  assert.deepEqual(items.map(({ id }) => id), ids, "a test to oneself is in no list");
  assert.deepEqual(items[0]!.client, { id: yossi!.id, username: "yossi" });
  assert.ok(!("message" in items[0]!));
  assert.deepEqual(await idsOf("status=running"), ids.filter((_, index) => [2, 3].includes(index)));
  assert.deepEqual(await idsOf("status=editable"), ids.slice(-2));
  assert.deepEqual(await idsOf("status=completed"), [ids[1]]);
  assert.deepEqual(await idsOf(`q=${encodeURIComponent("דנה")}`), ids.slice(1));
  assert.deepEqual(await idsOf("q=YOSSI"), [ids[0]]);
  assert.deepEqual(await idsOf("q=100%25"), [ids[0]]);
  assert.deepEqual(await idsOf(`client=${dana!.id}&q=draft`), [ids.at(-1)]);
  const first = await list("limit=4");
  assert.deepEqual(first.items.map(({ id }) => id), ids.slice(0, 4));
  assert.deepEqual(await idsOf(`limit=4&cursor=${first.nextCursor}`), ids.slice(4));
  assert.equal((await house.admin.ask("/api/admin/campaigns?status=lost")).status, 400);
});

Deno.test("a campaign that only left people out is listed and reported among those that ended well", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson();
  const end = async (rows: Record<string, number>) => {
    const id = await makeCampaign(house.fleet.ctx, { client: dana.id, status: "active", rows });
    await house.fleet.ctx.db.execute(
      `UPDATE campaigns SET status = 'completed_with_errors' WHERE id = ${id}`,
    );
    return id;
  };
  const calm = await end({ sent: 2, skipped: 1 });
  const failed = await end({ sent: 2, failed: 1 });
  for (const [status, ids] of [["completed", [calm]], ["completed_with_errors", [failed]]] as const) {
    const { items } = adminCampaignPageSchema.parse(
      await house.read(`/api/admin/campaigns?status=${status}`),
    );
    assert.deepEqual(items.map(({ id }) => id), ids, status);
  }
  const { items } = activityPageSchema.parse(await house.read("/api/admin/activity"));
  const ends = items.filter(({ message }) => message.includes("הסתיים"));
  const kinds = new Set(ends.map(({ type, message }) => `${type} ${message.includes("נכשלו")}`));
  assert.deepEqual([...kinds].sort(), ["success false", "warning true"]);
});

Deno.test("GET /api/admin/campaigns/{id} returns the text and the owner", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ username: "דנה" });
  const id = await makeCampaign(house.fleet.ctx, { client: dana.id, rows: { queued: 3 } });
  const campaign = adminCampaignDetailSchema.parse(await house.read(`/api/admin/campaigns/${id}`));
  assert.deepEqual([campaign.message, campaign.client.username, campaign.counts.queued], ["שלום", "דנה", 3]);
  assert.equal((await house.admin.ask("/api/admin/campaigns/999")).status, 404);
});

Deno.test("POST /api/admin/search finds sites, users, devices and campaigns, at most eight", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ username: "Dana" });
  await house.fleet.addSite(3);
  for (let n = 0; n < 9; n++) {
    await makeCampaign(house.fleet.ctx, { client: dana.id, name: `אתר המבצעים ${n}` });
  }
  const ask = (q: string) => house.admin.ask("/api/admin/search", { method: "POST", json: { q } });
  const find = async (q: string) => searchResultSchema.parse(await (await ask(q)).json()).items;
  const hits = await find("אתר");
  assert.deepEqual(hits.map(({ kind }) => kind), ["site", ...Array(7).fill("campaign")]);
  const [client, ...campaigns] = await find("DANA");
  assert.deepEqual(client, { kind: "user", id: dana.id, title: "Dana", detail: "client", state: "" });
  assert.deepEqual(
    campaigns.map(({ kind, detail }) => `${kind} of ${detail}`),
    Array(7).fill("campaign of Dana"),
  );
  assert.deepEqual((await find("pixel")).map(({ kind, detail, state }) => [kind, detail, state]), [
    ["device", "אתר 1", "online"],
    ["device", "אתר 1", "online"],
  ]);
  assert.deepEqual(await find("_"), []);
  assert.equal((await ask("")).status, 400);
});
