/** Alerts out of the browser, with a mail server and a receiver on real sockets. */
import assert from "node:assert/strict";
import { adminAlertsSchema, alertItemsSchema, outsideAlertsSchema } from "shared/admin_api.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { startFakeMail, startReceiver } from "../testing/fake_mail.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openEmail } from "./send_email.ts";
import { openWebhook } from "./send_webhook.ts";
import { watchAlerts } from "./watch_alerts.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function causes(house: AdminHouse) {
  return adminAlertsSchema.parse(await house.read("/api/admin/alerts")).causes;
}

async function change(house: AdminHouse, method: string, path: string, json: unknown, status = 204) {
  const answer = await house.admin.ask(`/api/admin/alerts/${path}`, { method, json });
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  return text === "" ? null : JSON.parse(text);
}

/** A house with a receiver; `away` sites are silent, and each stays a cause however far time moves. */
async function openHouse(away = 1, answer?: (no: number) => Response) {
  const house = await openAdminHouse();
  const receiver = startReceiver(answer);
  house.edge.ctx.outside = { send: { webhook: openWebhook(receiver.url) }, origin: "https://shigur.example" };
  const sites = [];
  for (let no = 0; no < away; no++) sites.push(await house.fleet.addSite(1));
  house.fleet.pass(MINUTE_MS);
  return {
    house,
    ctx: house.edge.ctx,
    receiver,
    sites,
    heard: () => receiver.received.map(({ body }) => [body.cause, body.count]),
    /** Lets time pass and runs the duty. */
    later: async (ms: number) => {
      house.fleet.pass(ms);
      await watchAlerts(house.edge.ctx);
    },
    [Symbol.asyncDispose]: async () => {
      await receiver[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}

Deno.test("GET /api/admin/alerts counts the alerts of a cause and says what to do; all of them are on pages", async () => {
  await using house = await openAdminHouse();
  await house.fleet.addSite(7);
  await house.fleet.ctx.db.execute({
    sql: "UPDATE devices SET state = iif(id <= 2, 'hot', 'unauthorized'), updated_at = ?",
    args: [house.fleet.ctx.now() - HOUR_MS],
  });
  const found = await causes(house);
  assert.deepEqual(found.map(({ cause, title, count, alerts }) => [cause, title, count, alerts]), [
    ["device_needs_hand:unauthorized", "5 מכשירים לא מורשים", 5, 5],
    ["device_needs_hand:hot", "שני מכשירים חמים מדי", 2, 2],
  ]);
  assert.match(found[0]!.step, /לאפשר תמיד מהמחשב הזה/);
  const ids: (number | null)[] = [];
  let cursor: number | null = null;
  do {
    const from: string = cursor === null ? "" : `&cursor=${cursor}`;
    const path = `/api/admin/alerts/items?cause=device_needs_hand:unauthorized&limit=2${from}`;
    const page = alertItemsSchema.parse(await house.read(path));
    assert.ok(page.items.length <= 2);
    ids.push(...page.items.map(({ deviceId }) => deviceId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(ids.sort(), [3, 4, 5, 6, 7]);
  const other = alertItemsSchema.parse(await house.read("/api/admin/alerts/items?cause=device_needs_hand"));
  assert.deepEqual(other.items, [], "no alert of this kind is without a reason");
});

Deno.test("an acknowledged cause is quiet until it gets worse, or is gone and comes again; each act is audited", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.edge;
  await house.fleet.addSite(5);
  const makeHot = async (count: number) => {
    await ctx.db.execute({
      sql: "UPDATE devices SET state = iif(id <= ?, 'hot', 'online'), updated_at = ?",
      args: [count, house.fleet.ctx.now() - HOUR_MS],
    });
    await watchAlerts(ctx);
    const [cause] = await causes(house);
    return cause && [cause.count, cause.quiet?.kind ?? null];
  };
  const acknowledge = async () => {
    const [{ cause, count, newest }] = await causes(house) as [Awaited<ReturnType<typeof causes>>[number]];
    await change(house, "PUT", "quiet", { cause, hours: null, seen: { count, newest } });
  };
  assert.deepEqual(await makeHot(3), [3, null]);
  await acknowledge();
  assert.deepEqual(await makeHot(3), [3, "acknowledged"]);
  assert.deepEqual(await makeHot(2), [2, "acknowledged"]);
  assert.deepEqual(await makeHot(3), [3, null], "more than a moment ago");
  await acknowledge();
  assert.equal(await makeHot(0), undefined);
  assert.deepEqual(await makeHot(1), [1, null], "it came again");
  await acknowledge();
  await change(house, "DELETE", "quiet", { cause: "device_needs_hand:hot" });
  assert.deepEqual(await makeHot(1), [1, null]);
  const { rows } = await ctx.db.execute(
    "SELECT kind, actor FROM audit_log WHERE kind LIKE 'alert%' ORDER BY id",
  );
  assert.deepEqual(rows.map(({ kind, actor }) => [kind, actor]), [
    ["alert_acknowledged", house.admin.id],
    ["alert_acknowledged", house.admin.id],
    ["alert_acknowledged", house.admin.id],
    ["alert_unquieted", house.admin.id],
  ]);
  await change(
    house,
    "PUT",
    "quiet",
    { cause: "site_away", hours: 1, seen: { count: 9, newest: null } },
    404,
  );
  await change(house, "PUT", "quiet", { cause: "a b", hours: 1, seen: { count: 9, newest: null } }, 400);
  await change(
    house,
    "PUT",
    "quiet",
    { cause: "site_away", hours: 2, seen: { count: 9, newest: null } },
    400,
  );
});

Deno.test("the other administrators' screens hear of every act on an alert, of its return, and of a message's end", async () => {
  await using open = await openHouse();
  const { house, later, ctx } = open;
  let heard = 0;
  const hears = async (what: string, events: number) => {
    const { rows } = await ctx.db.execute("SELECT for_admins FROM events WHERE type = 'alerts_changed'");
    assert.ok(rows.every((row) => row.for_admins === 1));
    assert.equal(rows.length - heard, events, what);
    heard = rows.length;
  };
  const seen = { count: 1, newest: null };
  await change(house, "PUT", "quiet", { cause: "site_away", hours: null, seen });
  await hears("an acknowledgement", 1);
  await change(house, "DELETE", "quiet", { cause: "site_away" });
  await hears("its end", 1);
  await change(house, "DELETE", "quiet", { cause: "site_away" });
  await hears("nothing changed", 0);
  await change(house, "PUT", "quiet", { cause: "site_away", hours: 4, seen });
  await hears("a snooze", 1);
  await later(0);
  await hears("a duty that changes nothing", 0);
  await house.fleet.addSite(1);
  await later(MINUTE_MS);
  assert.deepEqual(open.heard(), [["site_away", 2]]);
  await hears("the return of what got worse, and the end of its message", 2);
  const kinds = [{ code: "site_away", email: true, webhook: false }];
  await change(house, "PUT", "outside", { kinds }, 200);
  await hears("another choice", 1);
  await change(house, "PUT", "outside", { kinds }, 200);
  await hears("the same choice", 0);
  await change(house, "POST", "test", { channel: "webhook" }, 200);
  await hears("the end of a test", 1);
});

Deno.test("an acknowledgement covers what the person saw, not what came meanwhile or what they say they saw", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.edge;
  await house.fleet.addSite(3);
  await ctx.db.execute({
    sql: "UPDATE devices SET state = 'hot', updated_at = ? - id",
    args: [ctx.now() - HOUR_MS],
  });
  const cause = "device_needs_hand:hot";
  await change(house, "PUT", "quiet", {
    cause,
    hours: null,
    seen: { count: 2, newest: ctx.now() - HOUR_MS - 2 },
  });
  assert.equal((await causes(house))[0]!.quiet, null);
  await change(house, "PUT", "quiet", {
    cause,
    hours: null,
    seen: { count: 999, newest: Number.MAX_SAFE_INTEGER },
  });
  assert.equal((await causes(house))[0]!.quiet?.kind, "acknowledged");
  await ctx.db.execute("UPDATE devices SET state_since = state_since + 1000 WHERE id = 1");
  assert.equal((await causes(house))[0]!.quiet, null, "another alert of the same number");
});

Deno.test("a snooze holds until its time, also when the cause goes and comes, and ends when it gets worse", async () => {
  await using open = await openHouse();
  const { house, later, ctx } = open;
  const quiet = async () => (await causes(house)).find(({ code }) => code === "site_away")?.quiet ?? null;
  await change(house, "PUT", "quiet", { cause: "site_away", hours: 4, seen: { count: 1, newest: null } });
  assert.deepEqual(await quiet(), {
    kind: "snoozed",
    by: house.admin.username,
    at: ctx.now(),
    until: ctx.now() + 4 * HOUR_MS,
  });
  await house.fleet.reconnect(open.sites[0]!);
  await later(0);
  await later(HOUR_MS);
  assert.equal((await quiet())?.kind, "snoozed");
  assert.deepEqual(open.heard(), [], "nothing goes out meanwhile");
  await later(3 * HOUR_MS);
  assert.equal(await quiet(), null);
  assert.deepEqual(open.heard(), [["site_away", 1]]);
  await change(house, "PUT", "quiet", { cause: "site_away", hours: 4, seen: { count: 1, newest: null } });
  await house.fleet.addSite(1);
  await later(MINUTE_MS);
  assert.equal(await quiet(), null, "two are worse than one");
});

Deno.test("watchAlerts() sends a cause once, again when it gets worse, and never twice in an hour", async () => {
  await using open = await openHouse();
  const { later, heard, house } = open;
  await later(0);
  await later(10_000);
  assert.deepEqual(heard(), [["site_away", 1]]);
  await later(2 * HOUR_MS);
  assert.deepEqual(heard().length, 1, "nothing is new");
  await house.fleet.addSite(1);
  await later(MINUTE_MS);
  assert.deepEqual(heard(), [["site_away", 1], ["site_away", 2]]);
  await house.fleet.addSite(1);
  for (let minutes = 1; minutes < 60; minutes++) await later(MINUTE_MS);
  assert.equal(heard().length, 2, "within the hour");
  await later(2 * MINUTE_MS);
  assert.deepEqual(heard().slice(2), [["site_away", 3]]);
  const { body } = open.receiver.received[0]!;
  assert.deepEqual([body.title, body.places, body.url, body.type], [
    "אתר אחד לא מחובר",
    ["אתר 1"],
    "https://shigur.example/admin/alerts",
    "error",
  ]);
});

Deno.test("watchAlerts() of many edges at once, and after restarts, sends one message", async () => {
  await using open = await openHouse(3);
  await Promise.all(Array.from({ length: 8 }, () => watchAlerts({ ...open.ctx })));
  assert.deepEqual(open.heard(), [["site_away", 3]]);
  // An edge that died after its claim: nobody knows whether the message arrived.
  await open.ctx.db.execute("UPDATE alert_messages SET state = 'sending'");
  await open.later(10 * MINUTE_MS);
  const [cause] = await causes(open.house);
  assert.deepEqual(cause!.messages.map(({ state, reason }) => [state, reason]), [["unknown", "stopped"]]);
  assert.equal(open.heard().length, 1);
  await open.later(HOUR_MS);
  await open.later(HOUR_MS);
  assert.equal(open.heard().length, 2, "once, after the hour");
});

Deno.test("watchAlerts() tries a refused message three times in an hour, shows it as failed, and alerts by another way", async () => {
  let status = 503;
  await using open = await openHouse(1, () => new Response(null, { status }));
  await using mail = startFakeMail();
  open.ctx.outside!.send.email = openEmail(mail.email);
  for (let minutes = 0; minutes < 60; minutes++) await open.later(minutes === 0 ? 0 : MINUTE_MS);
  assert.equal(open.heard().filter(([cause]) => cause === "site_away").length, 3);
  const [away] = await causes(open.house);
  const { at: _, ...failed } = away!.messages.find(({ channel }) => channel === "webhook")!;
  assert.deepEqual(failed, {
    channel: "webhook",
    state: "failed",
    attempts: 3,
    reason: "refused",
    status: 503,
    nextAt: null,
  });
  const undelivered = (await causes(open.house)).find(({ code }) => code === "alerts_undelivered");
  assert.equal(undelivered?.title, "התראות לא נמסרו ב־webhook");
  assert.deepEqual(mail.received.length, 1, "a warning goes out only where it was chosen");
  const kinds = [{ code: "alerts_undelivered", email: true, webhook: true }];
  await change(open.house, "PUT", "outside", { kinds }, 200);
  await open.later(0);
  assert.deepEqual([mail.received.length, open.heard().length], [2, 3]);
  status = 204;
  await open.later(5 * MINUTE_MS);
  assert.equal(open.heard().length, 4, "after the hour it is tried again");
  assert.ok((await causes(open.house)).every(({ code }) => code !== "alerts_undelivered"));
  assert.ok(open.house.edge.logged.some((line) => line.includes("alert_undelivered")));
  assert.ok(!open.house.edge.logged.join().includes("s3cret"), "the address is in no log");
});

Deno.test("what leaves the browser has no campaign's, client's, recipient's or file's name", async () => {
  await using open = await openHouse();
  const { house, ctx } = open;
  const client = await house.edge.addPerson({ username: "dana-client", messageQuota: 1 });
  await makeCampaign(ctx, { client: client.id, status: "paused", pausedBy: "rule", rows: { queued: 2 } });
  await ctx.db.execute("UPDATE campaigns SET name = 'secret-campaign'");
  await ctx.db.execute({
    sql: `INSERT INTO imports (file_name, status, background, error, created_at, updated_at)
      VALUES ('secret-file.csv', 'error', 1, 'x', ?1, ?1)`,
    args: [ctx.now()],
  });
  const { kinds } = outsideAlertsSchema.parse(await house.read("/api/admin/alerts/outside"));
  const all = kinds.map(({ code }) => ({ code, email: true, webhook: true }));
  await change(house, "PUT", "outside", { kinds: all }, 200);
  await open.later(0);
  const sent = JSON.stringify(open.receiver.received.map(({ body }) => body));
  assert.match(sent, /campaign_paused_by_rule/);
  assert.match(sent, /import_failed/);
  assert.doesNotMatch(sent, /secret|dana|97254/);
});

Deno.test("the choice of kinds is saved with its audit, and errors go out until someone chooses otherwise", async () => {
  await using open = await openHouse();
  const before = outsideAlertsSchema.parse(await open.house.read("/api/admin/alerts/outside"));
  assert.deepEqual(before.channels.map(({ channel, isSetUp }) => [channel, isSetUp]), [
    ["email", false],
    ["webhook", true],
  ]);
  for (const { type, email, webhook, label } of before.kinds) {
    assert.deepEqual([email, webhook], [type === "error", type === "error"]);
    assert.match(label, /[א-ת]/);
  }
  const kinds = [{ code: "site_away", email: true, webhook: false }];
  const after = outsideAlertsSchema.parse(await change(open.house, "PUT", "outside", { kinds }, 200));
  assert.equal(after.kinds.find(({ code }) => code === "site_away")!.webhook, false);
  await change(open.house, "PUT", "outside", { kinds }, 200);
  await open.later(0);
  assert.deepEqual(open.heard(), []);
  const { items } = await open.house.read("/api/admin/audit?kind=alert_choices_changed") as {
    items: { text: string }[];
  };
  assert.deepEqual(items.map(({ text }) => text), [
    "שינוי ההתראות שיוצאות אל מחוץ לדפדפן: אתר לא מחובר: בדוא״ל",
  ]);
  await change(
    open.house,
    "PUT",
    "outside",
    { kinds: [{ code: "nothing", email: true, webhook: true }] },
    400,
  );
});

Deno.test("POST /api/admin/alerts/test sends one test a minute and says how it ended", async () => {
  let status = 500;
  await using open = await openHouse(0, () => new Response(status === 204 ? null : "no: s3cret", { status }));
  const test = (expected = 200) => change(open.house, "POST", "test", { channel: "webhook" }, expected);
  const failed = await test();
  assert.deepEqual([failed.state, failed.reason, failed.status], ["failed", "refused", 500]);
  assert.equal((await test(429)).code, "too_many_attempts");
  open.house.fleet.pass(MINUTE_MS);
  status = 204;
  assert.equal((await test()).state, "sent");
  assert.deepEqual(open.heard(), [["test", 1], ["test", 1]]);
  await change(open.house, "POST", "test", { channel: "email" }, 404);
  const { channels } = outsideAlertsSchema.parse(await open.house.read("/api/admin/alerts/outside"));
  assert.equal(channels[1]!.lastTest?.state, "sent");
  assert.ok(!open.house.edge.logged.join().includes("s3cret"));
});
