import assert from "node:assert/strict";
import { queuesClearedSchema } from "shared/http_api.ts";
import { openTestApp } from "../testing/test_app.ts";

Deno.test("POST /api/admin/queues/clear cancels running campaigns, returns their quota and counts both", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson({ messageQuota: 5 });
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", "שלום");
  const { id } = await (await client.ask("/api/campaigns", { method: "POST", body: form })).json();
  await client.ask(`/api/campaigns/${id}/contacts/manual`, {
    method: "POST",
    json: { numbers: "0501234567\n0501234568" },
  });
  const sent = await client.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.deepEqual(await sent.json(), { remainingQuota: 3 });

  const clear = async () =>
    queuesClearedSchema.parse(await (await admin.ask("/api/admin/queues/clear", { method: "POST" })).json());
  const { messageQueueCleared, campaignQueueCleared } = await clear();
  assert.deepEqual([messageQueueCleared, campaignQueueCleared], [2, 1]);
  assert.equal((await (await client.ask("/api/auth/me")).json()).messageQuota, 5);
  assert.equal((await (await client.ask(`/api/campaigns/${id}`)).json()).status, "cancelled");
  const again = await clear();
  assert.deepEqual([again.messageQueueCleared, again.campaignQueueCleared], [0, 0]);
});
