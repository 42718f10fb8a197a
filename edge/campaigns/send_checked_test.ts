/** After a restore the client sees how many contacts the lost time reached, before a list is sent to them again. */
import assert from "node:assert/strict";
import { campaignSchema } from "shared/http_api.ts";
import { ARCHIVE_MS } from "shared/lease.ts";
import { writeOffSite } from "../sites/write_off_site.ts";
import { beginAgain } from "../backup/begin_again.ts";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { auditQueue } from "../queue/audit.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import type { TestSite } from "../testing/fleet.ts";
import { reportLostTime, restore } from "../testing/lost_time.ts";
import { tablesThatHold } from "../testing/number_traces.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { cookiesOf, TEST_PASSWORD, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { runAllDueTicks } from "../ticks.ts";

/** The number of a campaign that is missing in the restored database. */
const LOST = 4711;
const DAY_MS = 24 * 60 * 60_000;

interface Ground extends AsyncDisposable {
  house: AdminHouse;
  dana: TestPerson;
  site: TestSite;
  /** Adds a ready campaign of Dana's; every campaign has the same contacts in the same order. */
  addCampaign(contacts: number): Promise<{ id: number; phones: string[] }>;
}

/** Returns a restored database whose only site has not reported yet. */
async function openGround(): Promise<Ground> {
  const house = await openAdminHouse();
  const { fleet, edge } = house;
  const dana = await edge.addPerson({ messageQuota: 100 });
  const site = await fleet.addSite();
  await restore(fleet, site);
  return {
    house,
    dana,
    site,
    addCampaign: (contacts) => fleet.addCampaign(dana, contacts),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

async function send(person: TestPerson, id: number, json?: unknown): Promise<[number, string, string]> {
  const answer = await person.ask(`/api/campaigns/${id}/send`, {
    method: "POST",
    ...(json === undefined ? {} : { json }),
  });
  const { code = "", error = "" } = await answer.json();
  return [answer.status, code, error];
}

async function warned(person: TestPerson, id: number): Promise<number | undefined> {
  const campaign = campaignSchema.parse(await (await person.ask(`/api/campaigns/${id}`)).json());
  return campaign.notices.find(({ code }) => code === "reached_in_lost_time")?.count;
}

/** A restore ends all sessions. */
async function loggedInAgain(edge: TestApp, person: TestPerson): Promise<TestPerson> {
  const json = { username: person.username, password: TEST_PASSWORD };
  const cookie = cookiesOf(await edge.visitor.ask("/api/auth/login", { method: "POST", json }));
  return { ...person, cookie, ask: (path, init) => edge.visitor.ask(path, { ...init, headers: { cookie } }) };
}

Deno.test("POST send after a restore waits for sites' outcomes, warns with the count, and omits those reached", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge }, dana, site } = ground;
  const list = await ground.addCampaign(4);
  const [status, code, text] = await send(dana, list.id);
  assert.deepEqual([status, code], [409, "campaign_not_ready"]);
  assert.match(text, /כשכל האתרים ידווחו/);
  await reportLostTime(fleet, site, { id: LOST }, [{}, { outcome: "tapping" }, { outcome: "void" }]);
  assert.equal(await warned(dana, list.id), 2);
  const [again, why, sentence] = await send(dana, list.id);
  assert.deepEqual([again, why], [409, "reached_in_lost_time"]);
  assert.match(sentence, /שני אנשי קשר ברשימה כבר קיבלו הודעה/);
  assert.deepEqual(await send(dana, list.id, { reached: "leave_out" }), [200, "", ""]);
  assert.deepEqual((await take(fleet, site)).items.map(({ phone }) => phone), list.phones.slice(2));
  assert.deepEqual(await auditQueue(edge.ctx.db), []);
});

Deno.test("POST send sends to everybody again only when the request says so", async () => {
  await using ground = await openGround();
  const { house: { fleet }, dana, site } = ground;
  const list = await ground.addCampaign(2);
  await reportLostTime(fleet, site, { id: LOST }, [{}]);
  assert.deepEqual(await send(dana, list.id, { reached: "send" }), [200, "", ""]);
  assert.deepEqual((await take(fleet, site)).items.map(({ phone }) => phone), list.phones);
});

Deno.test("POST send warns of people another campaign reached, but not of known or old messages", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const dana = await edge.addPerson({ messageQuota: 100 });
  const site = await fleet.addSite();
  const running = await sendNew(fleet, 3, dana);
  const list = await fleet.addCampaign(dana, 3);
  const lease = await take(fleet, site, 1);
  await report(fleet, site, lease, "sent");
  await beginAgain(edge.ctx);
  await fleet.reconnect(site);
  const [known] = lease.items;
  await reportLostTime(
    fleet,
    site,
    running,
    [{ token: lease.token, attempt: known!.attempt, phone: known!.phone }],
    false,
  );
  await reportLostTime(fleet, site, running, [{ phone: running.phones[1]! }], false);
  // From a campaign deleted before the backup.
  const at = edge.ctx.now() - 7 * DAY_MS;
  await reportLostTime(fleet, site, { id: LOST }, [{ phone: running.phones[2]!, at }]);
  assert.equal(await warned(await loggedInAgain(edge, dana), list.id), 1);
});

Deno.test("POST send warns of people reached in the lost time by a lease that the backup knew", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const dana = await edge.addPerson({ messageQuota: 100 });
  const site = await fleet.addSite();
  const running = await sendNew(fleet, 3, dana);
  const list = await fleet.addCampaign(dana, 3);
  const { token, items: [held] } = await take(fleet, site, 1);
  await beginAgain(edge.ctx);
  // The site reported it in the lost time: its journal no longer holds it when the site says hello.
  await fleet.reconnect(site);
  const { phone, attempt } = held!;
  await reportLostTime(fleet, site, running, [{ token, phone, attempt }]);
  assert.equal(await warned(await loggedInAgain(edge, dana), list.id), 1);
});

Deno.test("POST send warns of people reached in the lost time by a site that was then silent for a day", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const dana = await edge.addPerson({ messageQuota: 100 });
  const site = await fleet.addSite();
  const running = await sendNew(fleet, 3, dana);
  const list = await fleet.addCampaign(dana, 3);
  const { token, items: [held] } = await take(fleet, site, 1);
  await beginAgain(edge.ctx);
  const at = fleet.ctx.now();
  fleet.pass(DAY_MS + 1);
  await runAllDueTicks(edge.ctx);
  assert.deepEqual(await fleet.states(running.id), ["unknown", "queued", "queued"]);
  await fleet.reconnect(site);
  const { phone, attempt } = held!;
  await reportLostTime(fleet, site, running, [{ token, phone, attempt, at }]);
  assert.equal(await warned(await loggedInAgain(edge, dana), list.id), 1);
});

Deno.test("POST send warns of people reached since the first of two restores, while a site owes its outcomes", async (t) => {
  for (const hasReported of [false, true]) {
    await t.step(hasReported ? "the site has told after the first" : "the site has not told", async () => {
      await using house = await openAdminHouse();
      const { fleet, edge } = house;
      const dana = await edge.addPerson({ messageQuota: 100 });
      const site = await fleet.addSite();
      await beginAgain(edge.ctx);
      fleet.pass(DAY_MS);
      const at = edge.ctx.now();
      fleet.pass(DAY_MS);
      await fleet.reconnect(site);
      if (hasReported) await reportLostTime(fleet, site, { id: LOST }, []);
      const list = await fleet.addCampaign(dana, 2);
      await beginAgain(edge.ctx);
      await fleet.reconnect(site);
      await reportLostTime(fleet, site, { id: LOST }, [{ at }]);
      assert.equal(await warned(await loggedInAgain(edge, dana), list.id), hasReported ? undefined : 1);
    });
  }
});

Deno.test("POST send warns of people reached since the first of two restores, also when the record is incomplete", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const dana = await edge.addPerson({ messageQuota: 100 });
  const site = await fleet.addSite();
  const list = await fleet.addCampaign(dana, 2);
  const at = fleet.ctx.now() + 10 * DAY_MS;
  fleet.pass(ARCHIVE_MS + DAY_MS);
  // The backup is so old that all campaigns pause at once. The lost time has no other effect.
  await beginAgain(edge.ctx);
  await fleet.reconnect(site);
  fleet.pass(DAY_MS);
  await beginAgain(edge.ctx);
  await fleet.reconnect(site);
  await reportLostTime(fleet, site, { id: LOST }, [{ at }]);
  assert.equal(await warned(await loggedInAgain(edge, dana), list.id), 1);
});

Deno.test("POST send reveals nothing of people whom another client's lost campaign reached", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge }, dana, site } = ground;
  const other = await edge.addPerson({ messageQuota: 100 });
  const list = await ground.addCampaign(2);
  const theirs = await fleet.addCampaign(other, 2);
  await edge.ctx.db.execute({
    sql: "INSERT INTO lost_campaigns (id, client, at) VALUES (?, ?, 0)",
    args: [LOST, other.id],
  });
  await reportLostTime(fleet, site, { id: LOST }, [{}]);
  assert.deepEqual([await warned(dana, list.id), await warned(other, theirs.id)], [undefined, 1]);
  assert.equal((await send(dana, list.id, { reached: "leave_out" }))[0], 200);
  assert.deepEqual(await fleet.states(list.id), ["queued", "queued"]);
});

Deno.test("outcomes that a written-off site reports later are not kept: a number may have been erased since", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge }, site } = ground;
  await writeOffSite(edge.ctx, site.site);
  await reportLostTime(fleet, site, { id: LOST }, [{}]);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM lost_reaches"), { n: 0 });
});

Deno.test("an erasure waits for sites' outcomes of the lost time, and removes the number from them", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge, admin }, site } = ground;
  const { phones: [phone] } = await ground.addCampaign(1);
  fleet.pass(2 * 60_000);
  const json = { phone, reason: "בקשה של בעל המספר", block: true };
  const answer = await admin.ask("/api/admin/erasures", { method: "POST", json });
  assert.equal((await answer.json()).databaseAt, null, "a site may tell of it yet");
  await reportLostTime(fleet, site, { id: LOST }, [{}]);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM lost_reaches"), { n: 1 });
  fleet.pass(2 * 60_000);
  await eraseNumbers(edge.ctx);
  assert.deepEqual(await tablesThatHold(edge.ctx.db, phone!), []);
});

Deno.test("people reached in the lost time are forgotten after thirty days", async () => {
  await using ground = await openGround();
  const { house: { fleet, edge }, site } = ground;
  await reportLostTime(fleet, site, { id: LOST }, [{}]);
  fleet.pass(29 * DAY_MS);
  await runAllDueTicks(edge.ctx);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM lost_reaches"), { n: 1 });
  fleet.pass(2 * DAY_MS);
  await runAllDueTicks(edge.ctx);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM lost_reaches"), { n: 0 });
});
