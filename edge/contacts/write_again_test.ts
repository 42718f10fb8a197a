/** Writing again to recipients of a campaign: who is chosen, and who is left out because the message reached them. */
import assert from "node:assert/strict";
import type { RecipientGroup } from "shared/again_api.ts";
import type { DeliveryReason, DeliveryState } from "shared/delivery.ts";
import { readCampaign } from "../campaigns/read.ts";
import { auditQueue } from "../queue/audit.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { sendCampaign } from "../queue/send.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { acknowledge, balanceOf, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { sendMarketing, setRules } from "../testing/rules.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { openTestApp } from "../testing/test_app.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { duplicateCampaign } from "./duplicate.ts";
import { countGroups, writeAgain } from "./write_again.ts";

const HOUR_MS = 60 * 60_000;

function group(state: RecipientGroup["state"], reason: DeliveryReason | null = null): RecipientGroup {
  return { state, reason };
}

async function again(
  fleet: Fleet,
  client: { id: number },
  id: number,
  groups: RecipientGroup[],
  confirmsUnknown = false,
): Promise<number> {
  const user = { ...client, username: "", role: "client" as const, sessionHash: "" };
  const campaign = await readCampaign(fleet.ctx, user, id);
  return await writeAgain(fleet.ctx, user, campaign, { groups, confirmsUnknown });
}

const oneOf = (lease: LeaseFrame, index: number): LeaseFrame => ({ ...lease, items: [lease.items[index]!] });

async function rowsOf(fleet: Fleet, campaign: number) {
  const { rows } = await fleet.ctx.db.execute(
    `SELECT phone, state, reason, origin FROM deliveries WHERE campaign = ${campaign} ORDER BY phone`,
  );
  return rows.map(({ phone, state, reason }) => [Number(phone) % 1000, state, reason]);
}

/** A campaign of four: sent, failed as not on the app, failed otherwise, unknown. */
async function openEnded() {
  const fleet = await openFleet();
  const site = await fleet.addSite(4);
  const client = await fleet.addClient(20);
  const first = await sendNew(fleet, 4, client);
  const lease = await take(fleet, site);
  await report(fleet, site, oneOf(lease, 0), "sent");
  await report(fleet, site, oneOf(lease, 1), "failed", { reason: "not_on_app" });
  await report(fleet, site, oneOf(lease, 2), "failed", { reason: "chat_not_opened" });
  await report(fleet, site, oneOf(lease, 3), "unknown", { reason: "send_not_verified" });
  return { fleet, site, client, first, lease };
}

async function reportLate(fleet: Fleet, site: TestSite, lease: LeaseFrame): Promise<void> {
  fleet.pass(HOUR_MS);
  assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied"]);
}

Deno.test("writeAgain() takes exactly the chosen outcomes and reasons, and links the draft to its campaign", async () => {
  const { fleet, client, first } = await openEnded();
  await using _ = fleet;
  const rests: [RecipientGroup[], number[]][] = [
    [[group("failed", "not_on_app")], [2]],
    [[group("failed", "chat_not_opened")], [3]],
    [[group("failed", "chat_not_opened"), group("failed", "not_on_app")], [2, 3]],
    [[group("failed", "device_offline")], []],
  ];
  for (const [groups, expected] of rests) {
    const draft = await again(fleet, client, first.id, groups);
    assert.deepEqual((await rowsOf(fleet, draft)).map(([phone]) => phone), expected);
    const row = await fleet.one(`SELECT again_of, status FROM campaigns WHERE id = ${draft}`);
    assert.deepEqual({ ...row }, { again_of: first.id, status: expected.length > 0 ? "ready" : "draft" });
  }
});

Deno.test("writeAgain() takes unknown recipients only when a person confirms, and the audit log says so", async () => {
  const { fleet, client, first } = await openEnded();
  await using _ = fleet;
  const unknown = [group("unknown", "send_not_verified")];
  await assert.rejects(again(fleet, client, first.id, unknown), { code: "unknown_unconfirmed" });
  const draft = await again(fleet, client, first.id, unknown, true);
  assert.deepEqual((await rowsOf(fleet, draft)).map(([phone]) => phone), [4]);
  const { actor, data } = await fleet.one(
    "SELECT actor, data FROM audit_log WHERE kind = 'campaign_written_again'",
  );
  assert.deepEqual([actor, JSON.parse(String(data))], [client.id, { withUnknown: true }]);
});

Deno.test("writeAgain() never takes people who were removed or have the message, whatever is asked", async () => {
  const { fleet, site, client, first } = await openEnded();
  await using _ = fleet;
  for (const reason of ["opted_out", "reached_meanwhile"] as const) {
    await assert.rejects(again(fleet, client, first.id, [group("skipped", reason)]), {
      code: "invalid_input",
    });
  }
  const draft = await again(fleet, client, first.id, [group("failed", "not_on_app")]);
  await suppressPhone(fleet.ctx, { phone: first.phones[2]!, client: client.id, source: "manual" });
  const other = await again(fleet, client, first.id, [group("failed", "chat_not_opened")]);
  assert.deepEqual(await rowsOf(fleet, other), [], "removed before the draft");
  await suppressPhone(fleet.ctx, { phone: first.phones[1]!, client: client.id, source: "manual" });
  assert.deepEqual(await rowsOf(fleet, draft), [[2, "skipped", "opted_out"]], "removed after it");
  await assert.rejects(sendCampaign(fleet.ctx, client, draft), { code: "campaign_not_ready" });
  assert.equal(await pull(fleet, site), null);
});

Deno.test("a person whom the message reached meanwhile is left out at the lease, and the unit returns", async () => {
  const { fleet, site, client, first, lease } = await openEnded();
  await using _ = fleet;
  const groups = [group("failed", "chat_not_opened"), group("unknown", "send_not_verified")];
  const draft = await again(fleet, client, first.id, groups, true);
  await sendCampaign(fleet.ctx, client, draft);
  const before = await balanceOf(fleet, client);
  await reportLate(fleet, site, oneOf(lease, 3));
  const second = await take(fleet, site);
  assert.deepEqual(second.items.map(({ phone }) => phone), [first.phones[2]]);
  assert.deepEqual(await rowsOf(fleet, draft), [[3, "leased", null], [4, "skipped", "reached_meanwhile"]]);
  assert.equal(await balanceOf(fleet, client), before + 1);
  await report(fleet, site, second, "sent");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("an offer of somebody whom the message reached before its acknowledgement gets no go", async () => {
  const { fleet, site, client, first, lease } = await openEnded();
  await using _ = fleet;
  const draft = await again(fleet, client, first.id, [group("unknown", "send_not_verified")], true);
  await sendCampaign(fleet.ctx, client, draft);
  const offer = (await pull(fleet, site))!;
  assert.equal(offer.campaign, draft);
  await report(fleet, site, oneOf(lease, 3), "sent");
  assert.deepEqual((await acknowledge(fleet, site, offer.token)).items, []);
});

Deno.test("two drafts for the same people, and a resend of the first, reach each person once", async () => {
  const { fleet, site, client, first } = await openEnded();
  await using _ = fleet;
  const [left, right] = [
    await again(fleet, client, first.id, [group("unknown", "send_not_verified")], true),
    await again(fleet, client, first.id, [group("unknown", "send_not_verified")], true),
  ];
  const chained = await again(fleet, client, first.id, [group("unknown", "send_not_verified")], true);
  await resolveDeliveries(fleet.ctx, client, first.id, { ids: "all", as: "resend" });
  for (const id of [left, right, chained]) await sendCampaign(fleet.ctx, client, id);
  const lease = await take(fleet, site);
  assert.equal(lease.items.length, 1);
  for (let n = 0; n < 4; n++) assert.equal(await pull(fleet, site), null, "a site holds the person");
  fleet.pass(2 * 60_000);
  await report(fleet, site, lease, "sent");
  fleet.pass(2 * 60_000);
  for (let n = 0; n < 4; n++) assert.equal(await pull(fleet, site), null);
  const states = await Promise.all(
    [first.id, left, right, chained].map(async (id) => (await rowsOf(fleet, id)).at(-1)![1]),
  );
  assert.equal(states.filter((state) => state === "sent").length, 1);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("a campaign that writes again to people of one that does so keeps the first origin", async () => {
  const { fleet, site, client, first, lease } = await openEnded();
  await using _ = fleet;
  const second = await again(fleet, client, first.id, [group("unknown", "send_not_verified")], true);
  await sendCampaign(fleet.ctx, client, second);
  await report(fleet, site, await take(fleet, site), "failed", { reason: "chat_not_opened" });
  const third = await again(fleet, client, second, [group("failed", "chat_not_opened")]);
  const origin = (id: number) => fleet.one(`SELECT origin FROM deliveries WHERE campaign = ${id}`);
  assert.deepEqual(await origin(third), await origin(second));
  await sendCampaign(fleet.ctx, client, third);
  await reportLate(fleet, site, oneOf(lease, 3));
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual(await rowsOf(fleet, third), [[4, "skipped", "reached_meanwhile"]]);
});

Deno.test("the frequency cap does not stop a message that may not have arrived, and still stops others", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const site = await fleet.addSite(4);
  const client = await fleet.addClient(20);
  const first = await sendMarketing(fleet, 2, client);
  await report(fleet, site, await take(fleet, site), "unknown", { reason: "send_not_verified" });
  // Consents and the advertiser are other tests' subject.
  await fleet.ctx.db.execute("UPDATE campaigns SET kind = 'service'");
  const draft = await again(fleet, client, first.id, [group("unknown", "send_not_verified")], true);
  await sendCampaign(fleet.ctx, client, draft);
  await fleet.ctx.db.execute("UPDATE campaigns SET kind = 'marketing', sent_text = message");
  const lease = await take(fleet, site);
  assert.equal(lease.items.length, 2);
  await report(fleet, site, oneOf(lease, 0), "sent");
  await report(fleet, site, oneOf(lease, 1), "failed", { reason: "not_on_app" });
  const other = await sendMarketing(fleet, 2, client);
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual(
    await rowsOf(fleet, other.id),
    [[1, "skipped", "frequency_cap"], [2, "skipped", "frequency_cap"]],
    "the second may have the first message",
  );
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("a copy of an unsent draft takes its place; a copy of a sent one begins a message of its own", async () => {
  const { fleet, site, client, first, lease } = await openEnded();
  await using _ = fleet;
  const user = { ...client, username: "", role: "client" as const, sessionHash: "" };
  const copyOf = async (id: number) =>
    await duplicateCampaign(fleet.ctx, await readCampaign(fleet.ctx, user, id), "all");
  const draft = await again(fleet, client, first.id, [group("unknown", "send_not_verified")], true);
  const copy = await copyOf(draft);
  await reportLate(fleet, site, oneOf(lease, 3));
  await sendCampaign(fleet.ctx, client, copy);
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual(await rowsOf(fleet, copy), [[4, "skipped", "reached_meanwhile"]]);
  const fresh = await copyOf(first.id);
  await sendCampaign(fleet.ctx, client, fresh);
  assert.equal((await take(fleet, site)).items.length, 4);
});

Deno.test("countGroups() counts as the campaign's counters do, and offers nobody who must not be written to", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const rows = { queued: 3, sent: 1, failed: 4, unknown: 2, skipped: 2, cancelled: 1 };
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "cancelled", rows });
  await test.ctx.db.batch([
    `UPDATE deliveries SET reason = 'not_on_app' WHERE state = 'failed' AND id % 2`,
    `UPDATE deliveries SET reason = 'opted_out' WHERE id = (SELECT max(id) FROM deliveries WHERE state = 'skipped')`,
  ], "write");
  const user = { ...dana, username: "", role: "client" as const, sessionHash: "" };
  const { groups } = await countGroups(test.ctx, await readCampaign(test.ctx, user, id));
  const sums = new Map<DeliveryState, number>();
  for (const { state, count } of groups) sums.set(state, (sums.get(state) ?? 0) + count);
  assert.deepEqual([...sums].sort(), [["cancelled", 4], ["failed", 4], ["skipped", 1], ["unknown", 2]]);
  const answer = await dana.ask(`/api/campaigns/${id}/write-again`);
  assert.deepEqual((await answer.json()).groups, groups);
  const made = await dana.ask(`/api/campaigns/${id}/write-again`, {
    method: "POST",
    json: { groups: [{ state: "cancelled", reason: null }] },
  });
  assert.deepEqual([made.status, (await made.json()).againOf], [201, id]);
  const refused = await dana.ask(`/api/campaigns/${id}/write-again`, {
    method: "POST",
    json: { groups: [{ state: "sent", reason: null }] },
  });
  assert.equal(refused.status, 400);
});
