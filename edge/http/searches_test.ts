import assert from "node:assert/strict";
import { openAdminHouse } from "../testing/admin_house.ts";
import { sendNew } from "../testing/queue_acts.ts";

Deno.test("POST …/search finds the same as GET, and its words are in no log line", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const client = await edge.addPerson({ messageQuota: 5 });
  const campaign = await sendNew(house.fleet, 3, client);
  await client.ask("/api/suppressions", { method: "POST", json: { numbers: "0541111111\n0522222222" } });
  await admin.ask("/api/suppressions", { method: "POST", json: { numbers: "0541111111\n0522222222" } });
  const file = new FormData();
  file.append("file", new File(["0541111112\n"], "רשימה.csv"));
  file.append("target", "suppressions");
  assert.equal((await admin.ask("/api/admin/files", { method: "POST", body: file })).status, 202);
  const lists = [
    [client, `/api/campaigns/${campaign.id}/deliveries`, "054000000", 1],
    [client, "/api/suppressions", "054-111", 1],
    [admin, "/api/admin/activity", "מבצע", 1],
    [admin, "/api/admin/campaigns", "מבצע", 1],
    [admin, "/api/admin/files", "רשימה", 1],
  ] as const;
  edge.logged.length = 0;
  for (const [person, path, q, limit] of lists) {
    const found = await (await person.ask(`${path}?${new URLSearchParams({ q, limit: String(limit) })}`))
      .json();
    assert.equal(found.items.length, 1, path);
    const search = (json: unknown) => person.ask(`${path}/search`, { method: "POST", json });
    assert.deepEqual(await (await search({ q, limit })).json(), found, path);
    if (found.nextCursor !== null) {
      const next = await (await search({ q, limit, cursor: found.nextCursor })).json();
      assert.notDeepEqual(next.items, found.items, path);
    }
    assert.equal((await search({ q, limit: 0 })).status, 400, path);
  }
  const lines = edge.logged.map((line) => JSON.parse(line)).filter(({ event }) => event === "request");
  assert.equal(lines.filter(({ path }) => path.endsWith("/search")).length >= lists.length, true);
  assert.ok(lines.every(({ level }) => level === "debug"), "a search is a read");
  for (const [, , q] of lists) assert.ok(!edge.logged.some((line) => line.includes(q)), q);
});
