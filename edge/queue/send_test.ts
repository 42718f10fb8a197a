import assert from "node:assert/strict";
import { HttpError } from "../http/http_error.ts";
import { openFleet } from "../testing/fleet.ts";
import { sendCampaign } from "./send.ts";

async function codeOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(() => assert.fail("was not refused"), (error) => error);
  assert.ok(error instanceof HttpError, String(error));
  return error.code;
}

Deno.test("sendCampaign() takes the quota and makes the campaign leasable (ledger before send)", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(10);
  const { id } = await fleet.addCampaign(client, 4);

  assert.deepEqual(await sendCampaign(fleet.ctx, client, id), { remainingQuota: 6 });
  const campaign = await fleet.one(`SELECT status, reserved, send_at FROM campaigns WHERE id = ${id}`);
  assert.deepEqual(campaign, { status: "processing", reserved: 4, send_at: fleet.ctx.now() });
  const entry = await fleet.one(
    "SELECT kind, delta, balance_after, campaign, actor FROM quota_ledger ORDER BY id DESC",
  );
  assert.deepEqual(entry, { kind: "reserve", delta: -4, balance_after: 6, campaign: id, actor: client.id });
  const waiting = await fleet.one("SELECT count(*) AS count FROM events WHERE type = 'workWaiting'");
  assert.equal(waiting.count, 1);
});

Deno.test("sendCampaign() takes the quota once when ten requests arrive at once", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(100);
  const { id } = await fleet.addCampaign(client, 7);

  const sends = await Promise.allSettled(
    Array.from({ length: 10 }, () => sendCampaign(fleet.ctx, client, id)),
  );
  assert.equal(sends.filter((send) => send.status === "fulfilled").length, 1);
  for (const send of sends) {
    if (send.status === "rejected") assert.equal(send.reason.code, "campaign_not_ready");
  }
  assert.equal(
    (await fleet.one(`SELECT message_quota FROM users WHERE id = ${client.id}`)).message_quota,
    93,
  );
});

Deno.test("sendCampaign() refuses a campaign that the quota cannot pay, and returns how much is missing", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(3);
  const { id } = await fleet.addCampaign(client, 5);

  const error = await sendCampaign(fleet.ctx, client, id).catch((error) => error);
  assert.equal(error.code, "quota_short");
  assert.match(error.body.error, /^חסרות שתי הודעות במכסה: דרושות 5, זמינות 3\./);
  assert.equal((await fleet.one("SELECT status FROM campaigns")).status, "ready");
  assert.equal((await fleet.one("SELECT count(*) AS n FROM quota_ledger WHERE kind = 'reserve'")).n, 0);
});

Deno.test("sendCampaign() of two campaigns never lets the balance fall below zero", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(5);
  const campaigns = await Promise.all([1, 2, 3].map(() => fleet.addCampaign(client, 3)));

  const sends = await Promise.allSettled(campaigns.map(({ id }) => sendCampaign(fleet.ctx, client, id)));
  assert.deepEqual(sends.map((send) => send.status).sort(), ["fulfilled", "rejected", "rejected"]);
  assert.equal((await fleet.one("SELECT message_quota FROM users")).message_quota, 2);
});

Deno.test("sendCampaign() refuses another client's campaign, a running import, and an empty list", async () => {
  await using fleet = await openFleet();
  const [owner, other] = [await fleet.addClient(10), await fleet.addClient(10)];
  const { id } = await fleet.addCampaign(owner, 2);

  assert.equal(await codeOf(sendCampaign(fleet.ctx, other, id)), "not_found");
  assert.equal(await codeOf(sendCampaign(fleet.ctx, owner, id + 1)), "not_found");
  await fleet.ctx.db.execute("UPDATE campaigns SET running_import = 1");
  assert.equal(await codeOf(sendCampaign(fleet.ctx, owner, id)), "import_running");
  await fleet.ctx.db.execute("UPDATE campaigns SET running_import = NULL");
  const empty = await fleet.addCampaign(owner, 0);
  assert.equal(await codeOf(sendCampaign(fleet.ctx, owner, empty.id)), "campaign_not_ready");
});
