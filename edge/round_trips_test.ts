/** Counts the round trips of each screen's read: a remote database takes tens of milliseconds for one. */
import assert from "node:assert/strict";
import { makeCampaign } from "./testing/make_campaign.ts";
import { type AdminHouse, openAdminHouse } from "./testing/admin_house.ts";
import { type CountedRoundTrips, countRoundTrips } from "./testing/count_round_trips.ts";
import { report, sendNew, take } from "./testing/queue_acts.ts";
import { type AskInit, TEST_PASSWORD, type TestPerson } from "./testing/test_app.ts";

interface FarHouse extends AsyncDisposable {
  house: AdminHouse;
  counted: CountedRoundTrips;
  /** The owner of campaign 2, which is sent, and campaign 3, a draft of marketing. */
  dana: TestPerson;
}

/** The site that holds deliveries of campaign 1 is silent. */
async function openFarHouse(): Promise<FarHouse> {
  const house = await openAdminHouse();
  const { edge, fleet } = house;
  await sendNew(fleet, 6);
  const site = await fleet.addSite(2);
  const { items, ...lease } = await take(fleet, site, 4);
  await report(fleet, site, { ...lease, items: items.slice(0, 1) }, "sent");
  await report(fleet, site, { ...lease, items: items.slice(1, 2) }, "failed");
  fleet.pass(40_000);
  const dana = await edge.addPerson({ messageQuota: 100 });
  await makeCampaign(edge.ctx, {
    client: dana.id,
    status: "active",
    rows: { queued: 3, leased: 2, sent: 1, unknown: 1 },
  });
  await makeCampaign(edge.ctx, { client: dana.id, status: "draft" });
  await edge.ctx.db.execute("UPDATE campaigns SET kind = 'marketing' WHERE id = 3");
  const counted = countRoundTrips(edge.ctx.db);
  edge.ctx.db = counted.db;
  return { house, counted, dana, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

interface ReadInit extends Omit<AskInit, "headers"> {
  /** The status of the answer; default 200. */
  status?: number;
  headers?: Record<string, string>;
}

/** Returns the round trips and the answer of a request with `cookie`; the answer must have `status`. */
async function roundTripsOf(
  { counted, house }: FarHouse,
  { cookie }: { cookie: string },
  path: string,
  { status = 200, headers, ...init }: ReadInit = {},
): Promise<{ roundTrips: number; answer: Response; text: string }> {
  counted.taken();
  const answer = await house.edge.visitor.ask(path, { ...init, headers: { ...headers, cookie } });
  const text = await answer.text();
  assert.equal(answer.status, status, `${path}: ${text}`);
  return { roundTrips: counted.taken(), answer, text };
}

const CLIENTS_READS = [
  "/api/auth/me",
  "/api/auth/sessions",
  "/api/profile",
  "/api/campaigns",
  "/api/campaigns?before=3",
  "/api/campaigns/2",
  "/api/campaigns/3",
  "/api/campaigns/2/deliveries",
  "/api/campaigns/2/deliveries?state=queued",
  "/api/campaigns/2/deliveries/search",
  "/api/campaigns/2/deliveries/7",
  "/api/replies",
  "/api/suppressions",
  "/api/suppressions/search",
];
const ADMINS_READS = [
  "/api/admin/dashboard",
  "/api/admin/trends?by=account&days=90",
  "/api/admin/alerts",
  "/api/admin/capacity",
  "/api/admin/alerts/items?cause=site_away",
  "/api/admin/alerts/outside",
  "/api/admin/activity",
  "/api/admin/health",
  "/api/admin/search",
  "/api/admin/campaigns",
  "/api/admin/campaigns?status=running",
  "/api/admin/campaigns/search",
  "/api/admin/campaigns/1",
  "/api/campaigns/1/deliveries",
  "/api/campaigns/1/deliveries/1",
  "/api/devices/adb-status",
  "/api/admin/devices/1",
  "/api/admin/risk",
  "/api/admin/sites",
  "/api/users",
  "/api/admin/users/1",
  "/api/users/1/ledger",
  "/api/admin/files",
  "/api/admin/audit",
  "/api/admin/erasures",
  "/api/admin/settings",
  "/api/replies",
];

/** Alerts, which health shows too, read the campaigns that stand first and list them among the rest. */
const READ_IN_TWO_STEPS = [
  "/api/admin/alerts",
  "/api/admin/alerts/items?cause=site_away",
  "/api/admin/health",
];

/** Search terms are not part of an address. */
function askedAs(path: string): ReadInit {
  return path.endsWith("/search") ? { method: "POST", json: { q: "054" } } : {};
}

Deno.test("a screen's read takes two round trips to the database: the session, then everything else", async () => {
  await using far = await openFarHouse();
  for (const [who, reads] of [[far.dana, CLIENTS_READS], [far.house.admin, ADMINS_READS]] as const) {
    for (const path of reads) {
      const { roundTrips } = await roundTripsOf(far, who, path, askedAs(path));
      assert.equal(roundTrips, READ_IN_TWO_STEPS.includes(path) ? 3 : 2, path);
    }
  }
});

Deno.test("storing a session's use once a minute takes no further round trip", async () => {
  await using far = await openFarHouse();
  far.house.edge.clock.now += 61_000;
  const { roundTrips } = await roundTripsOf(far, far.dana, "/api/campaigns");
  const { rows: [session] } = await far.house.edge.ctx.db.execute({
    sql: "SELECT last_seen_at FROM sessions WHERE user = ?",
    args: [far.dana.id],
  });
  assert.deepEqual([roundTrips, session!.last_seen_at], [2, far.house.edge.clock.now]);
});

Deno.test("an unchanged list and a changed one also take two round trips", async () => {
  await using far = await openFarHouse();
  const { answer } = await roundTripsOf(far, far.dana, "/api/campaigns");
  const headers = { "if-none-match": answer.headers.get("etag")! };
  const same = await roundTripsOf(far, far.dana, "/api/campaigns", { headers, status: 304 });
  await far.house.edge.ctx.db.execute("UPDATE campaigns SET status = 'paused' WHERE id = 2");
  const moved = await roundTripsOf(far, far.dana, "/api/campaigns", { headers });
  assert.deepEqual([same.roundTrips, moved.roundTrips], [2, 2]);
  assert.equal(JSON.parse(moved.text)[1].status, "paused");
});

Deno.test("a visitor's read asks the database nothing, and a stranger's reads no row of another client", async () => {
  await using far = await openFarHouse();
  const { edge } = far.house;
  const stranger = await edge.addPerson();
  const heard: string[] = [];
  const { db } = edge.ctx;
  edge.ctx.db = new Proxy(db, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== "execute" && name !== "batch") return value;
      return async (...args: unknown[]) => {
        const results = await value(...args);
        heard.push(JSON.stringify([results].flat().map(({ rows }) => rows)));
        return results;
      };
    },
  });
  const own = CLIENTS_READS.filter((path) => /campaigns\/\d/.test(path));
  for (const path of own) {
    const refused = await roundTripsOf(far, { cookie: "" }, path, { ...askedAs(path), status: 401 });
    assert.deepEqual([refused.roundTrips, heard.length], [0, 0], path);
    await roundTripsOf(far, stranger, path, { ...askedAs(path), status: 404 });
    const answers = heard.splice(0).join();
    assert.doesNotMatch(answers, /סתיו|שלום|97254/, path);
  }
  await roundTripsOf(far, far.dana, "/api/campaigns/2");
  assert.match(heard.join(), /סתיו.*שלום/, "else nothing would have been heard");
});

Deno.test("no call from login to send waits for a round trip that it does not need", async () => {
  await using far = await openFarHouse();
  const { dana } = far;
  const json = { username: dana.username, password: TEST_PASSWORD };
  const login = await roundTripsOf(far, { cookie: "" }, "/api/auth/login", { method: "POST", json });
  const body = new FormData();
  for (const [name, value] of Object.entries({ name: "מבצע", message: "שלום" })) body.set(name, value);
  const draft = await roundTripsOf(far, dana, "/api/campaigns", { method: "POST", body, status: 201 });
  const path = `/api/campaigns/${JSON.parse(draft.text).id}`;
  const numbers = "054-123-4567\n054-123-4568\n12";
  const upload = await roundTripsOf(far, dana, `${path}/contacts/manual`, {
    method: "POST",
    json: { numbers },
  });
  const edit = await roundTripsOf(far, dana, path, { method: "PATCH", json: { name: "סתיו" } });
  const sending = await roundTripsOf(far, dana, `${path}/send`, { method: "POST" });
  assert.deepEqual(
    { login: login.roundTrips, draft: draft.roundTrips, edit: edit.roundTrips, send: sending.roundTrips },
    // A session is read first, and again after a form; the result's view comes last.
    { login: 2, draft: 4, edit: 4, send: 3 },
  );
  // Before the list: session, campaign, import, rejected rows, erased numbers. Then a transaction of three round trips,
  // and two to end it.
  assert.equal(upload.roundTrips, 10);
});
