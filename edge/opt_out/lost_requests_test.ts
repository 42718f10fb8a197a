/** A recipient who answers a message of a campaign that a restore lost is not messaged again. */
import assert from "node:assert/strict";
import type { AgentFrame, EdgeFrame, ReplyItem } from "shared/agent_protocol.ts";
import { ARCHIVE_MS } from "shared/lease.ts";
import { replyPageSchema } from "shared/replies_api.ts";
import { readAlerts } from "../admin/alerts.ts";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { auditQueue } from "../queue/audit.ts";
import { handleFrame } from "../sites/handle_frame.ts";
import { writeOffSite } from "../sites/write_off_site.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import type { TestSite } from "../testing/fleet.ts";
import { type LostOutcome, reportLostTime, restore } from "../testing/lost_time.ts";
import { tablesThatHold } from "../testing/number_traces.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { PROOF, type TestPerson } from "../testing/test_app.ts";
import { runAllDueTicks } from "../ticks.ts";

/** The number of a campaign that is missing in the restored database. */
const LOST = 4711;
const PHONE = "+972540000001";
const DAY_MS = 24 * 60 * 60_000;
let ids = 0;

interface Ground extends AsyncDisposable {
  house: AdminHouse;
  /** Clients. */
  dana: TestPerson;
  noa: TestPerson;
  site: TestSite;
  /** Sends a reply to the edge as the site's agent does; returns the edge's frame. */
  answer(more?: Partial<ReplyItem>): Promise<EdgeFrame | null>;
  /** Notes the client of the lost campaign, as a restore over the earlier database does. */
  knowClient(client: TestPerson): Promise<unknown>;
  /** Reports messages of the lost campaign, one each to the first numbers. */
  reportLost(items?: LostOutcome[]): Promise<void>;
  /** Each entry of the lists of removals. */
  listed(): Promise<unknown[]>;
  count(table: string): Promise<unknown>;
}

/** Returns a restored database whose only site has not reported yet. */
async function openGround(): Promise<Ground> {
  const house = await openAdminHouse();
  const { fleet, edge } = house;
  const [dana, noa] = [
    await edge.addPerson({ messageQuota: 100 }),
    await edge.addPerson({ messageQuota: 100 }),
  ];
  const site = await fleet.addSite();
  await restore(fleet, site);
  return {
    house,
    dana,
    noa,
    site,
    answer: (more) => handleFrame(edge.ctx, site, replyOf(site, fleet.ctx.now(), more)),
    knowClient: ({ id }) =>
      edge.ctx.db.execute({
        sql: "INSERT INTO lost_campaigns (id, client, at) VALUES (?, ?, 0)",
        args: [LOST, id],
      }),
    reportLost: (items = [{}]) => reportLostTime(fleet, site, { id: LOST }, items),
    async listed() {
      const { rows } = await edge.ctx.db.execute(
        "SELECT client, phone, source FROM suppressions ORDER BY id",
      );
      return rows.map(({ client, phone, source }) => [client, `+${phone}`, source]);
    },
    count: async (from) => (await fleet.one(`SELECT count(*) AS n FROM ${from}`)).n,
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

function replyOf(
  site: TestSite,
  at: number,
  more: Partial<ReplyItem> = {},
): AgentFrame & { type: "inbound" } {
  const item = {
    id: String(++ids).padStart(32, "0"),
    phone: PHONE,
    account: `${site.devices[0]}/com.whatsapp/0`,
    decision: "remove" as const,
    excerpt: "הסר",
    at,
    ...more,
  };
  return { type: "inbound", items: [item] };
}

Deno.test("a reply to a message of a lost campaign removes its sender from that client's list (I5)", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge }, dana, noa, site, answer, listed, count } = ground;
  await ground.knowClient(dana);
  await ground.reportLost();
  const [hers, theirs] = [await sendNew(fleet, 2, dana), await sendNew(fleet, 1, noa)];
  await answer();
  assert.deepEqual(await listed(), [[dana.id, PHONE, "reply"]]);
  assert.deepEqual(await fleet.states(hers.id), ["skipped", "queued"]);
  assert.deepEqual(await fleet.states(theirs.id), ["queued"]);
  assert.equal(await count("campaigns WHERE opted_out_count > 0"), 0, "no campaign here is to blame");
  assert.equal(await count("activity WHERE code = 'lost_request'"), 0);
  const audited = await fleet.one("SELECT site, user, data FROM audit_log WHERE kind = 'opted_out'");
  assert.deepEqual([audited.site, audited.user], [site.site, dana.id]);
  assert.ok(!String(audited.data).includes("540000001"));
  const again = await dana.ask("/api/suppressions");
  assert.equal((await again.json()).items[0].source, "reply", "the client sees it, and cannot remove it");
  assert.deepEqual(await auditQueue(edge.ctx.db), []);
});

Deno.test("a reply to a lost campaign of an unknown client removes its sender for all clients, and tells administrators", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge, admin }, dana, noa, answer, listed, count } = ground;
  await ground.reportLost();
  const [hers, theirs] = [await sendNew(fleet, 1, dana), await sendNew(fleet, 1, noa)];
  await answer();
  assert.deepEqual(await listed(), [[0, PHONE, "reply"]]);
  assert.deepEqual([...await fleet.states(hers.id), ...await fleet.states(theirs.id)], [
    "skipped",
    "skipped",
  ]);
  const alert = await fleet.one("SELECT data FROM activity WHERE code = 'lost_request'");
  assert.match(String(alert.data), /כל הלקוחות/);
  assert.equal(await count("events WHERE type = 'alert' AND data LIKE '%lost_request%'"), 1);
  const { items: [line] } = await (await admin.ask("/api/admin/audit?kind=opted_out")).json();
  assert.match(line.text ?? JSON.stringify(line), /הסרה/);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);
});

Deno.test("the same reply to a lost campaign changes nothing the next time, also after it was undone", async () => {
  await using ground = await openGround();
  const { house: { fleet, admin }, answer, listed, count } = ground;
  await ground.reportLost();
  const same = { id: "e".repeat(32), at: fleet.ctx.now() };
  for (let no = 0; no < 3; no++) await answer(same);
  assert.equal((await listed()).length, 1);
  assert.equal(await count("audit_log WHERE kind = 'opted_out'"), 1);
  assert.equal(await count("activity WHERE code = 'lost_request'"), 1);
  const { items } = await (await admin.ask("/api/suppressions")).json();
  const json = { proof: PROOF, ids: items.map(({ id }: { id: number }) => id) };
  assert.equal((await admin.ask("/api/suppressions", { method: "DELETE", json })).status, 200);
  await answer(same);
  await answer({ at: same.at - 1 });
  assert.deepEqual(await listed(), []);
  await answer({ at: same.at + 1 });
  assert.deepEqual(await listed(), [[0, PHONE, "reply"]], "who asks again is removed again");
});

Deno.test("a reply that comes before its site's outcomes of the lost time is not acknowledged: the agent keeps it", async () => {
  await using ground = await openGround();
  const { dana, answer, listed } = ground;
  await ground.knowClient(dana);
  const early = { id: "a".repeat(32) };
  assert.equal(await answer(early), null);
  await ground.reportLost();
  assert.deepEqual(await answer(early), { type: "inboundAck", ids: [early.id] });
  assert.deepEqual(await listed(), [[dana.id, PHONE, "reply"]]);
});

Deno.test("a reply answers the last message of its site, also if that one's campaign is lost", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge }, dana, noa, site, answer, listed } = ground;
  const now = fleet.ctx.now();
  await reportLostTime(fleet, site, { id: LOST }, [], false);
  await ground.knowClient(dana);
  await ground.reportLost([{ at: now }]);
  const elsewhere = await fleet.addSite();
  await handleFrame(edge.ctx, elsewhere, replyOf(elsewhere, now));
  assert.deepEqual(await listed(), [], "another site's message");
  fleet.pass(10 * 60_000);
  const later = await sendNew(fleet, 1, noa);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: fleet.ctx.now() });
  await answer({ at: now + 60_000 });
  assert.deepEqual(await listed(), [[dana.id, PHONE, "reply"]]);
  await answer({ at: fleet.ctx.now() });
  assert.deepEqual((await listed()).slice(1), [[noa.id, PHONE, "reply"]]);
  assert.deepEqual(await fleet.one(`SELECT opted_out_count AS n FROM campaigns WHERE id = ${later.id}`), {
    n: 1,
  });
});

Deno.test("a reply to a lost campaign is found before an older message of the same account", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const [dana, noa] = [await edge.addPerson({ messageQuota: 9 }), await edge.addPerson({ messageQuota: 9 })];
  const site = await fleet.addSite();
  await sendNew(fleet, 1, noa);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: fleet.ctx.now() });
  await restore(fleet, site);
  fleet.pass(60_000);
  await edge.ctx.db.execute({
    sql: "INSERT INTO lost_campaigns (id, client, at) VALUES (?, ?, 0)",
    args: [LOST, dana.id],
  });
  await reportLostTime(fleet, site, { id: LOST }, [{ at: fleet.ctx.now() }]);
  await handleFrame(edge.ctx, site, replyOf(site, fleet.ctx.now()));
  const { rows } = await edge.ctx.db.execute("SELECT client FROM suppressions");
  assert.deepEqual(rows.map(({ client }) => client), [dana.id]);
});

Deno.test("a recipient who came to a campaign in the lost time and asks to be removed counts for no campaign", async () => {
  await using ground = await openGround();
  const { house: { fleet }, dana, site, answer, listed, count } = ground;
  const draft = await fleet.addCampaign(dana, 1);
  const phone = "+972540000009";
  await reportLostTime(fleet, site, draft, [{ phone }]);
  await answer({ phone });
  assert.deepEqual(await listed(), [[dana.id, phone, "reply"]]);
  assert.equal(await count("campaigns WHERE opted_out_count > 0"), 0);
});

Deno.test("an unclear reply to a lost campaign waits for its client, or for an administrator if the client is unknown", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge, admin }, dana, site, answer, listed } = ground;
  await ground.knowClient(dana);
  await reportLostTime(fleet, site, { id: LOST + 1 }, [{ phone: "+972540000002" }], false);
  await ground.reportLost();
  await answer({ decision: "unclear", excerpt: "אולי להסיר" });
  await answer({ decision: "unclear", excerpt: "תורידו", phone: "+972540000002" });
  assert.deepEqual(await listed(), []);
  const page = async (person: Pick<TestPerson, "ask">) =>
    replyPageSchema.parse(await (await person.ask("/api/replies")).json()).items;
  assert.deepEqual((await page(dana)).map(({ excerpt }) => excerpt), ["אולי להסיר"]);
  const all = await page(admin);
  assert.deepEqual(all.map(({ client }) => client), [null, dana.username]);
  assert.equal(all[0]!.campaignName, null);
  fleet.pass(DAY_MS + 1);
  const { items } = await readAlerts(edge.ctx);
  assert.equal(items.filter(({ code }) => code === "replies_wait").length, 2);
  const json = { ids: [all[0]!.id], as: "remove" };
  assert.equal((await admin.ask("/api/replies/decide", { method: "POST", json })).status, 200);
  assert.deepEqual(await listed(), [[0, "+972540000002", "reply"]]);
});

Deno.test("an erasure and thirty days remove the messages of lost campaigns", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge, admin }, site, answer, count } = ground;
  await reportLostTime(fleet, site, { id: LOST }, [{}, {}]);
  await answer();
  fleet.pass(2 * 60_000);
  const json = { phone: PHONE, reason: "בקשה של בעל המספר", block: true };
  assert.equal((await admin.ask("/api/admin/erasures", { method: "POST", json })).status, 201);
  fleet.pass(2 * 60_000);
  await eraseNumbers(edge.ctx);
  assert.deepEqual(await tablesThatHold(edge.ctx.db, PHONE), []);
  assert.equal(await count("lost_messages"), 1);
  fleet.pass(ARCHIVE_MS + DAY_MS);
  await runAllDueTicks(edge.ctx);
  assert.equal(await count("lost_messages"), 0);
});

Deno.test("messages that a written-off site reports later are not kept: a number may have been erased since", async () => {
  await using ground = await openGround();
  const { house: { edge }, site, count } = ground;
  await writeOffSite(edge.ctx, site.site);
  await ground.reportLost();
  assert.equal(await count("lost_messages"), 0);
});
