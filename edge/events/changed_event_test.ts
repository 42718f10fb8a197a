import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";

Deno.test("every event of a campaign writes whole numbers, so that no program reads 50.0", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson({ messageQuota: 5 });
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", "שלום");
  const { id } = await (await client.ask("/api/campaigns", { method: "POST", body: form })).json();
  const acts: [string, string, unknown?][] = [
    ["PATCH", "", { name: "חורף" }],
    ["POST", "/contacts/manual", { numbers: "0501234567" }],
    ["POST", "/duplicate", { contacts: "all" }],
    ["DELETE", "/contacts"],
    ["POST", "/contacts/manual", { numbers: "0501234567" }],
    ["POST", "/send"],
    ["POST", "/pause"],
    ["POST", "/resume"],
    ["POST", "/cancel"],
  ];
  for (const [method, path, json] of acts) {
    const answer = await client.ask(`/api/campaigns/${id}${path}`, { method, json });
    assert.ok(answer.ok, `${method} ${path}: ${await answer.text()}`);
  }
  const { rows } = await edge.ctx.db.execute("SELECT type, data FROM events WHERE campaign IS NOT NULL");
  assert.ok(rows.some((row) => row.type === "campaign_changed"));
  for (const { type, data } of rows) assert.doesNotMatch(String(data), /\d\.\d/, String(type));
});
