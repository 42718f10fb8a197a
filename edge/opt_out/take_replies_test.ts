import assert from "node:assert/strict";
import { type AgentFrame, MAX_REPLY_ITEMS, type ReplyItem } from "shared/agent_protocol.ts";
import { handleFrame } from "../sites/handle_frame.ts";
import { auditQueue } from "../queue/audit.ts";
import type { Caller } from "../http/router.ts";
import { SupersededError } from "../queue/fence.ts";
import { EVENTS_MS, MOST_EVENTS } from "../events/site_bounds.ts";
import { type Fleet, openFleet, START, type TestClient, type TestSite } from "../testing/fleet.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { acknowledge, balanceOf, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { decideReplies } from "./decide_replies.ts";
import { takeReplies } from "./take_replies.ts";

const PHONE = "+972540000001";
let ids = 0;

function reply(site: TestSite, more: Partial<ReplyItem> = {}): ReplyItem {
  return {
    id: String(++ids).padStart(32, "0"),
    phone: PHONE,
    account: `${site.devices[0]}/com.whatsapp/0`,
    decision: "remove",
    excerpt: "הסר!",
    at: START,
    ...more,
  };
}

/** Returns a campaign of `contacts`, all sent by the site. */
async function sentBy(fleet: Fleet, site: TestSite, contacts: number, client?: TestClient) {
  const campaign = await sendNew(fleet, contacts, client);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: fleet.ctx.now() });
  return campaign;
}

async function list({ ctx }: Fleet): Promise<unknown[]> {
  const { rows } = await ctx.db.execute("SELECT client, phone, source FROM suppressions ORDER BY id");
  return rows.map(({ client, phone, source }) => [client, `+${phone}`, source]);
}

function optedOut(fleet: Fleet, campaign: { id: number }): Promise<unknown> {
  return fleet.one(`SELECT opted_out_count AS n FROM campaigns WHERE id = ${campaign.id}`).then(({ n }) => n);
}

Deno.test("takeReplies() removes by keyword: listed for that client, counted once, waiting rows skipped and refunded", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const client = await fleet.addClient(10);
  const sent = await sentBy(fleet, site, 2, client);
  const next = await sendNew(fleet, 2, client);
  const stranger = await sendNew(fleet, 2);
  const other = await fleet.addSite();

  await takeReplies(fleet.ctx, other, [reply(other)]);
  assert.deepEqual(await list(fleet), [], "a site that never wrote to the number");
  await takeReplies(fleet.ctx, site, [reply(site)]);
  assert.deepEqual(await list(fleet), [[client.id, PHONE, "reply"]]);
  assert.deepEqual([await optedOut(fleet, sent), await optedOut(fleet, next)], [1, 0]);
  assert.deepEqual(await fleet.states(next.id), ["skipped", "queued"]);
  assert.deepEqual(await fleet.states(stranger.id), ["queued", "queued"]);
  assert.equal(await balanceOf(fleet, client), 10 - 2 - 1);
  const event = await fleet.one(
    "SELECT client, data FROM events WHERE type = 'campaign_changed' ORDER BY id DESC",
  );
  assert.deepEqual(event, { client: client.id, data: `{"campaignId":${sent.id}}` });
  const { data, campaign } = await fleet.one("SELECT data, campaign FROM audit_log WHERE kind = 'opted_out'");
  assert.equal(campaign, sent.id);
  assert.ok(!String(data).includes("540000001"));
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeReplies() counts a reply once, however often it is reported or written", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const campaign = await sentBy(fleet, site, 2);
  const first = reply(site);
  for (const again of [first, first, reply(site, { at: START + 1_000 }), first]) {
    await takeReplies(fleet.ctx, site, [again, again]);
  }
  assert.equal(await optedOut(fleet, campaign), 1);
  assert.equal((await list(fleet)).length, 1);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM audit_log WHERE kind = 'opted_out'"), { n: 1 });
});

Deno.test("takeReplies() of endless unclear replies fills no outbox, and keeps the last", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  await sentBy(fleet, site, 2);
  const events = async () =>
    (await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'campaign_changed'")).n;
  const before = Number(await events());
  const unclear = (no: number) => reply(site, { decision: "unclear", excerpt: `מלל ${no}`, at: START + no });
  for (let no = 1; no <= 60; no++) await takeReplies(fleet.ctx, site, [unclear(no)]);
  assert.equal(Number(await events()) - before, MOST_EVENTS - before);
  assert.deepEqual(await fleet.one("SELECT excerpt FROM replies"), { excerpt: "מלל 60" });
  fleet.pass(EVENTS_MS);
  await takeReplies(fleet.ctx, site, [unclear(61)]);
  assert.equal(await events(), MOST_EVENTS + 1);
});

Deno.test("takeReplies() leaves an unclear reply to a person, and removes nobody", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const campaign = await sentBy(fleet, site, 2);
  const unclear = { decision: "unclear", excerpt: "למה לא הסרתם" } as const;
  await takeReplies(fleet.ctx, site, [reply(site, unclear)]);
  assert.deepEqual(await list(fleet), []);
  assert.equal(await optedOut(fleet, campaign), 0);
  const waits = "SELECT state, excerpt FROM replies";
  assert.deepEqual(await fleet.one(waits), { state: "waiting", excerpt: unclear.excerpt });
  // An earlier reply adds nothing, and a lone keyword decides.
  await takeReplies(fleet.ctx, site, [reply(site, { ...unclear, excerpt: "ישן", at: START - 1_000 })]);
  assert.deepEqual(await fleet.one(waits), { state: "waiting", excerpt: unclear.excerpt });
  await takeReplies(fleet.ctx, site, [reply(site, { at: START + 1_000 })]);
  assert.deepEqual(await fleet.one(waits), { state: "removed", excerpt: "הסר!" });
  assert.equal(await optedOut(fleet, campaign), 1);
  await takeReplies(fleet.ctx, site, [reply(site, { ...unclear, at: START + 2_000 })]);
  assert.deepEqual(await fleet.one(waits), { state: "removed", excerpt: "הסר!" });
});

Deno.test("takeReplies() finds the answered campaign: the last one of this site and account", async () => {
  await using fleet = await openFleet();
  const [site, elsewhere] = [await fleet.addSite(), await fleet.addSite()];
  const first = await sentBy(fleet, site, 1);
  fleet.pass(60_000);
  const second = await sentBy(fleet, site, 1);
  fleet.pass(60_000);
  const other = await sentBy(fleet, elsewhere, 1);

  await takeReplies(fleet.ctx, site, [reply(site, { phone: "+972540000009" })]);
  assert.deepEqual(await list(fleet), [], "nobody wrote to that number");
  await takeReplies(fleet.ctx, site, [reply(site, { at: fleet.ctx.now() })]);
  assert.deepEqual(await list(fleet), [[second.client.id, PHONE, "reply"]]);
  fleet.pass(3_600_000);
  const later = await sentBy(fleet, site, 1);
  await takeReplies(fleet.ctx, site, [reply(site, { at: START + 30_000, decision: "unclear" })]);
  assert.notDeepEqual(await fleet.one("SELECT campaign FROM replies ORDER BY id DESC"), {
    campaign: later.id,
  });
  assert.deepEqual([await optedOut(fleet, first), await optedOut(fleet, other)], [0, 0]);
});

const DOUBTED: [string, "resend" | "failed", (fleet: Fleet, elsewhere: TestSite) => Promise<unknown>][] = [
  ["queued again", "resend", () => Promise.resolve()],
  ["leased by another site", "resend", (fleet, elsewhere) => take(fleet, elsewhere)],
  ["sent by another site", "resend", async (fleet, elsewhere) => {
    await report(fleet, elsewhere, await take(fleet, elsewhere), "sent", { tappedAt: fleet.ctx.now() });
  }],
  ["said to have failed by a person", "failed", () => Promise.resolve()],
];
for (const [now, as, act] of DOUBTED) {
  Deno.test(`takeReplies() finds the campaign whose unknown delivery is now ${now}`, async () => {
    await using fleet = await openFleet();
    const [site, elsewhere] = [await fleet.addSite(), await fleet.addSite()];
    const campaign = await sendNew(fleet, 1, await fleet.addClient(5));
    await report(fleet, site, await take(fleet, site), "unknown", { reason: "send_not_verified" });
    await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as });
    await act(fleet, elsewhere);
    await takeReplies(fleet.ctx, site, [reply(site)]);
    assert.deepEqual(await list(fleet), [[campaign.client.id, PHONE, "reply"]]);
    assert.equal(await optedOut(fleet, campaign), 1);
    assert.equal(await pull(fleet, site), null, "nobody writes to them again");
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  });
}

Deno.test("takeReplies() ignores an offered lease, and for an acknowledged one also finds the earlier campaign", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const wrote = await sentBy(fleet, site, 1);
  fleet.pass(60_000);
  const inHand = await sendNew(fleet, 1);
  const lease = await pull(fleet, site);
  const at = fleet.ctx.now();
  await takeReplies(fleet.ctx, site, [reply(site, { at, decision: "unclear" })]);
  assert.deepEqual(await fleet.one("SELECT group_concat(campaign) AS of FROM replies"), {
    of: String(wrote.id),
  });
  await acknowledge(fleet, site, lease!.token);
  await takeReplies(fleet.ctx, site, [reply(site, { at: at + 1 })]);
  assert.deepEqual([await optedOut(fleet, wrote), await optedOut(fleet, inHand)], [1, 1]);
  assert.deepEqual((await list(fleet)).length, 2);
});

Deno.test("takeReplies() shows a recipient's words to one client only: the one known to have sent", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const wrote = await sentBy(fleet, site, 1);
  fleet.pass(60_000);
  const inHand = await sendNew(fleet, 1);
  await take(fleet, site);
  const excerpt = "לבטל את התור לרופאה";
  await takeReplies(fleet.ctx, site, [
    reply(site, { at: fleet.ctx.now(), decision: "unclear", excerpt }),
  ]);
  const { rows } = await fleet.ctx.db.execute("SELECT client, state, excerpt FROM replies ORDER BY campaign");
  assert.deepEqual(rows.map(({ client, state, excerpt }) => [client, state, excerpt]), [
    [wrote.client.id, "waiting", excerpt],
    [inHand.client.id, "waiting", ""],
  ]);
});

Deno.test("takeReplies() stops a client from undoing by hand a recipient's request", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const { client } = await sentBy(fleet, site, 1);
  await fleet.ctx.db.execute({
    sql: "INSERT INTO suppressions (client, phone, source, at) VALUES (?, ?, 'manual', 0)",
    args: [client.id, Number(PHONE.slice(1))],
  });
  await takeReplies(fleet.ctx, site, [reply(site)]);
  assert.deepEqual(await list(fleet), [[client.id, PHONE, "reply"]]);
});

for (const decision of ["remove", "unclear"] as const) {
  Deno.test(`takeReplies() pauses a campaign when too many ask to be removed: the last is ${decision}`, async () => {
    await using fleet = await openFleet();
    const site = await fleet.addSite(10);
    const campaign = await sendNew(fleet, 130);
    for (let sent = 0; sent < 100;) {
      const lease = await take(fleet, site, 1);
      sent += lease.items.length;
      await report(fleet, site, lease, "sent", { tappedAt: fleet.ctx.now() });
      fleet.pass(60_000);
    }
    const from = (index: number) => reply(site, { phone: campaign.phones[index]! });
    await takeReplies(fleet.ctx, site, [from(0), from(1)]);
    assert.deepEqual(await fleet.one("SELECT status FROM campaigns"), { status: "active" });
    await takeReplies(fleet.ctx, site, [{ ...from(2), decision }]);
    if (decision === "unclear") {
      assert.deepEqual(await fleet.one("SELECT status FROM campaigns"), { status: "active" });
      const owner = {
        client: campaign.client.id,
        person: campaign.client.id,
        role: "client",
        duty: "owner",
        username: "",
        sessionHash: "",
      } as const;
      const { id } = await fleet.one("SELECT id FROM replies WHERE state = 'waiting'");
      await decideReplies(fleet.ctx, owner, { ids: [Number(id)], as: "remove" });
    }
    assert.deepEqual(await fleet.one("SELECT status, paused_by FROM campaigns"), {
      status: "paused",
      paused_by: "rule",
    });
    assert.equal(await pull(fleet, site), null);
  });
}

Deno.test("takeReplies() refuses a superseded connection, and handleFrame() names each reply it took", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  await sentBy(fleet, site, 1);
  const old = { ...site, epoch: site.epoch - 1 };
  await assert.rejects(takeReplies(fleet.ctx, old, [reply(site)]), SupersededError);
  assert.deepEqual(await list(fleet), []);
  const items = Array.from({ length: MAX_REPLY_ITEMS }, () => reply(site));
  const frame: AgentFrame = { type: "inbound", items };
  assert.deepEqual(await handleFrame(fleet.ctx, site, frame), {
    type: "inboundAck",
    ids: items.map(({ id }) => id),
  });
});

Deno.test("takeReplies() and decideReplies() process more rows than one transaction takes", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(8);
  const campaign = await sentBy(fleet, site, 60);
  for (let lease; (lease = await pull(fleet, site)) !== null;) {
    await acknowledge(fleet, site, lease.token);
    await report(fleet, site, lease, "sent", { tappedAt: fleet.ctx.now() });
  }
  const items = campaign.phones.map((phone) => reply(site, { phone, decision: "unclear" }));
  await takeReplies(fleet.ctx, site, items);
  const { rows } = await fleet.ctx.db.execute("SELECT id FROM replies WHERE state = 'waiting'");
  assert.equal(rows.length, 60);
  const ids = rows.map(({ id }) => Number(id));
  const user: Caller = {
    ...campaign.client,
    username: "client1",
    role: "client",
    duty: "owner",
    sessionHash: "",
  };
  assert.deepEqual(await decideReplies(fleet.ctx, user, { ids, as: "remove" }), { decided: 60 });
  assert.equal((await list(fleet)).length, 60);
  assert.equal(await optedOut(fleet, campaign), 60);
});
