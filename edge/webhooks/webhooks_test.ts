/** What happens in a client's account arrives at the client's webhook: through the doors, over a real connection. */
import assert from "node:assert/strict";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { takeReplies } from "../opt_out/take_replies.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { checkByStandard, eventsOf, startHook } from "../testing/fake_hook.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { PROOF } from "../testing/test_app.ts";
import { addWebhook, sendAll } from "../testing/webhook_acts.ts";

Deno.test("a campaign's way arrives in order, signed by the standard, with its messages together", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  await using hook = startHook();
  const owner = await edge.addPerson({ messageQuota: 10 });
  const { secret } = await addWebhook(owner, hook, { quotaBelow: 8 });
  const site = await fleet.addSite();
  const { id, phones } = await sendNew(fleet, 3, owner);
  const lease = await take(fleet, site);
  await report(fleet, site, { ...lease, items: lease.items.slice(0, 2) }, "sent", {
    tappedAt: edge.clock.now,
  });
  await report(fleet, site, { ...lease, items: lease.items.slice(2) }, "failed", { reason: "not_on_app" });
  await sendAll(edge);
  // The order holds within a campaign; the quota belongs to none.
  hook.calls.sort((one, other) =>
    Number(other.body.type === "quota.low") - Number(one.body.type === "quota.low")
  );
  assert.deepEqual(hook.calls.map(({ body }) => body.type), [
    "quota.low",
    "campaign.queued",
    "campaign.started",
    "message.batch",
    "campaign.completed",
  ]);
  for (const call of hook.calls) {
    checkByStandard(call, secret);
    assert.equal(call.body.id, call.id);
    assert.equal(call.headers.get("content-type"), "application/json");
  }
  const [low, queued, , batch, completed] = hook.calls.map(({ body }) => body);
  assert.deepEqual(low.data, { messageQuota: 7, below: 8 });
  assert.deepEqual(queued.data.campaignId, id);
  assert.deepEqual(batch.data.events.map(({ type, data }: { type: string; data: object }) => [type, data]), [
    ["message.sent", {
      messageId: batch.data.events[0].data.messageId,
      campaignId: id,
      to: phones[0],
      reason: null,
    }],
    ["message.sent", {
      messageId: batch.data.events[1].data.messageId,
      campaignId: id,
      to: phones[1],
      reason: null,
    }],
    ["message.failed", {
      messageId: batch.data.events[2].data.messageId,
      campaignId: id,
      to: phones[2],
      reason: "not_on_app",
    }],
  ]);
  assert.deepEqual(completed.data.counts, {
    ...{ queued: 0, leased: 0, sent: 2, failed: 1, unknown: 0, skipped: 0, cancelled: 0 },
  });
  assert.match(batch.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(new Set(hook.eventIds()).size, 7);
});

Deno.test("a removal and a reply arrive, and each client hears of their own account alone", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  await using hook = startHook();
  await using others = startHook();
  const owner = await edge.addPerson({ messageQuota: 10 });
  const other = await edge.addPerson({ messageQuota: 10 });
  await addWebhook(owner, hook, { types: ["opt_out.created", "reply.received"] });
  await addWebhook(other, others);
  const site = await fleet.addSite();
  const { id, phones } = await sendNew(fleet, 2, owner);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: edge.clock.now });
  const reply = (no: number, decision: "remove" | "unclear", excerpt: string) => ({
    id: String(no).padStart(32, "0"),
    phone: phones[no]!,
    account: `${site.devices[0]}/com.whatsapp/0`,
    decision,
    excerpt,
    at: edge.clock.now,
  });
  await takeReplies(edge.ctx, site, [reply(0, "remove", "הסר"), reply(1, "unclear", "אולי די")]);
  await sendAll(edge);
  const got = hook.calls.map(({ body }) => [body.type, body.data]);
  const replies = got.filter(([type]) => type === "reply.received").map(([, data]) => data);
  assert.deepEqual(got.filter(([type]) => type === "opt_out.created"), [["opt_out.created", {
    phone: phones[0],
  }]]);
  assert.deepEqual(replies.map(({ phone, text, state, campaignId }) => [phone, text, state, campaignId]), [
    [phones[0], "הסר", "removed", id],
    [phones[1], "אולי די", "waiting", id],
  ]);
  assert.deepEqual(others.calls, []);
});

Deno.test("an erased number is in no later try, and no row of webhooks ever held it", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet, admin } = house;
  let isDown = true;
  await using hook = startHook(() => new Response(null, { status: isDown ? 500 : 204 }));
  const owner = await edge.addPerson({ messageQuota: 10 });
  const { webhook } = await addWebhook(owner, hook);
  const site = await fleet.addSite();
  const { phones } = await sendNew(fleet, 2, owner);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: edge.clock.now });
  for (let no = 0; no < 40; no++) {
    edge.clock.now += 10_000;
    await sendAll(edge, 0, 1).catch(() => {});
  }
  const tables = ["webhook_log", "webhook_calls", "webhook_attempts"];
  for (const table of tables) {
    const { rows } = await edge.ctx.db.execute(`SELECT * FROM ${table}`);
    assert.ok(rows.length > 0, table);
    assert.ok(!phones.some((phone) => JSON.stringify(rows).includes(phone.slice(1))), table);
  }
  const asked = { phone: phones[0], reason: "בקשה בכתב", proof: PROOF };
  const answer = await admin.ask("/api/admin/erasures", { method: "POST", json: asked });
  assert.ok(answer.ok, await answer.text());
  edge.clock.now += 120_000;
  await eraseNumbers(edge.ctx);
  isDown = false;
  await sendAll(edge);
  const told = hook.taken.flatMap(eventsOf).filter(({ type }) => type === "message.sent");
  assert.deepEqual(told.map(({ data }) => data.to), [null, phones[1]]);
  const calls = await (await owner.ask(`/api/webhooks/${webhook.id}/calls`)).json();
  assert.ok(calls.items.length >= 4);
});
