import assert from "node:assert/strict";
import { campaignSchema } from "shared/http_api.ts";
import { forecastSchema } from "shared/plan_api.ts";
import { auditQueue } from "../queue/audit.ts";
import { startPlans } from "../queue/start_plans.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openTestApp, type TestPerson } from "../testing/test_app.ts";

const HOUR_MS = 60 * 60_000;

async function house() {
  const test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 100 });
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "ready", rows: { queued: 3 } });
  return { test, dana, id, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

const planOf = (id: number) => `/api/campaigns/${id}/plan`;

async function read(person: TestPerson, id: number) {
  return campaignSchema.parse(await (await person.ask(`/api/campaigns/${id}`)).json());
}

Deno.test("POST …/plan plans a ready campaign; it shows its time, starts by itself, and then has no plan", async () => {
  await using world = await house();
  const { test, dana, id } = world;
  const at = test.ctx.now() + HOUR_MS;
  const planned = await dana.ask(planOf(id), { method: "POST", json: { at } });
  assert.deepEqual([planned.status, await planned.json()], [200, { plannedAt: at, remainingQuota: 97 }]);
  const shown = await read(dana, id);
  assert.deepEqual([shown.status, shown.plan, shown.startedAt], ["scheduled", { at, hold: null }, null]);
  assert.deepEqual(shown.notices.filter(({ code }) => code === "planned"), [{
    code: "planned",
    count: 3,
    until: at,
  }]);
  test.clock.now += HOUR_MS;
  await startPlans(test.ctx);
  const started = await read(dana, id);
  assert.deepEqual([started.status, started.plan, started.startedAt], ["processing", null, at]);
});

Deno.test("POST and PUT …/plan refuse a time that is past or more than a year ahead, and what is no time", async () => {
  await using world = await house();
  const { test, dana, id } = world;
  const now = test.ctx.now();
  for (const at of [now - 1, now + 366 * 24 * HOUR_MS, 1.5, -1, "tomorrow", null, undefined]) {
    const answer = await dana.ask(planOf(id), { method: "POST", json: { at } });
    assert.deepEqual([answer.status, (await answer.json()).code], [400, "invalid_input"], String(at));
  }
  assert.equal((await read(dana, id)).status, "ready");
});

Deno.test("a planned campaign refuses other words, contacts, a picture, its removal and a second plan", async () => {
  await using world = await house();
  const { test, dana, id } = world;
  const at = test.ctx.now() + HOUR_MS;
  await dana.ask(planOf(id), { method: "POST", json: { at } });
  const codeOf = async (path: string, method: string, json?: unknown) =>
    (await (await dana.ask(path, { method, ...(json !== undefined && { json }) })).json()).code;
  assert.equal(await codeOf(`/api/campaigns/${id}`, "PATCH", { message: "אחר" }), "campaign_not_editable");
  assert.equal(await codeOf(`/api/campaigns/${id}`, "DELETE"), "campaign_not_editable");
  assert.equal(
    await codeOf(`/api/campaigns/${id}/contacts/manual`, "POST", { numbers: "0541234567" }),
    "campaign_not_editable",
  );
  assert.equal(await codeOf(`/api/campaigns/${id}/image`, "DELETE"), "campaign_not_editable");
  assert.equal(await codeOf(planOf(id), "POST", { at }), "campaign_not_ready");
  assert.equal(await codeOf(`/api/campaigns/${id}/send`, "POST"), "campaign_not_ready");
  assert.equal(await codeOf(`/api/campaigns/${id}/pause`, "POST"), "campaign_state");
});

Deno.test("PUT …/plan moves a plan, and without a time starts it with the next tick; DELETE …/plan gives all back", async () => {
  await using world = await house();
  const { test, dana, id } = world;
  const now = test.ctx.now();
  await dana.ask(planOf(id), { method: "POST", json: { at: now + HOUR_MS } });
  const moved = await dana.ask(planOf(id), { method: "PUT", json: { at: now + 5 * HOUR_MS } });
  assert.deepEqual(await moved.json(), { plannedAt: now + 5 * HOUR_MS });
  test.clock.now += HOUR_MS;
  assert.equal(await startPlans(test.ctx), 0);
  const off = await dana.ask(planOf(id), { method: "DELETE" });
  assert.deepEqual(await off.json(), { status: "ready", remainingQuota: 100 });
  assert.equal((await (await dana.ask(planOf(id), { method: "DELETE" })).json()).code, "campaign_state");
  await dana.ask(planOf(id), { method: "POST", json: { at: test.ctx.now() + HOUR_MS } });
  await dana.ask(planOf(id), { method: "PUT", json: { at: null } });
  assert.equal(await startPlans(test.ctx), 1);
  assert.equal((await (await dana.ask(planOf(id), { method: "DELETE" })).json()).code, "send_began");
  assert.equal(
    (await (await dana.ask(planOf(id), { method: "PUT", json: { at: null } })).json()).code,
    "send_began",
  );
});

Deno.test("GET …/plan/forecast says when the hours let a time begin: after Pesach's first day, not on it", async () => {
  await using world = await house();
  const { test, dana, id } = world;
  const rules = { serviceHoursEnforced: true, sendingOpensAt: 9, sendingClosesAt: 19, fridayClosesAt: 13 };
  for (const [key, value] of Object.entries(rules)) {
    await test.ctx.db.execute({
      sql: "INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, 0)",
      args: [key, JSON.stringify(value)],
    });
  }
  const ask = async (at: string) =>
    forecastSchema.parse(await (await dana.ask(`${planOf(id)}/forecast?at=${Date.parse(at)}`)).json());
  // 15 Nisan 5787 is Thursday 22 April 2027; Friday is short, and the Sabbath is closed.
  const holiday = await ask("2027-04-22T10:00:00+03:00");
  assert.deepEqual(holiday, {
    beginsAt: Date.parse("2027-04-23T09:00:00+03:00"),
    endsAt: null,
    day: "closed",
    goodHour: null,
  });
  const eve = await ask("2027-04-21T14:00:00+03:00");
  assert.deepEqual([eve.beginsAt, eve.day], [Date.parse("2027-04-23T09:00:00+03:00"), "short"]);
  const plain = await ask("2027-04-19T10:00:00+03:00");
  assert.deepEqual([plain.beginsAt, plain.day], [Date.parse("2027-04-19T10:00:00+03:00"), "full"]);
  // The clock goes forward on Friday 26 March 2027 and back on Sunday 31 October.
  assert.equal((await ask("2027-03-26T02:30:00+03:00")).beginsAt, Date.parse("2027-03-26T09:00:00+03:00"));
  assert.equal((await ask("2027-10-31T01:30:00+02:00")).beginsAt, Date.parse("2027-10-31T09:00:00+02:00"));
});

Deno.test("a plan belongs to its client: another client finds none, and an administrator may only cancel it", async () => {
  await using world = await house();
  const { test, dana, id } = world;
  await dana.ask(planOf(id), { method: "POST", json: { at: test.ctx.now() + HOUR_MS } });
  const [other, admin] = [await test.addPerson(), await test.addPerson({ role: "admin" })];
  for (const person of [other, admin]) {
    for (const [method, json] of [["PUT", { at: null }], ["DELETE", undefined]] as const) {
      const answer = await person.ask(planOf(id), { method, ...(json !== undefined && { json }) });
      assert.equal(answer.status, 404, method);
    }
  }
  const cancelled = await admin.ask(`/api/campaigns/${id}/cancel`, { method: "POST" });
  assert.equal((await cancelled.json()).status, "cancelled");
  assert.deepEqual(await auditQueue(test.ctx.db), []);
});
