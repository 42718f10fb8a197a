/**
 * An act of a person or a site at one edge is seen at the other, over one database: a local file, and a remote
 * one.
 */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createSite } from "../edge/sites/create_site.ts";
import { revokeSite } from "../edge/sites/revoke_site.ts";
import { suppressPhone } from "../edge/testing/suppress_phone.ts";
import { FakeSite } from "../edge/testing/fake_agent.ts";
import { CLOSE } from "shared/agent_protocol.ts";
import type { DeviceCommand } from "shared/admin_api.ts";
import type { LiveEvent } from "shared/live_event.ts";
import { type Caller, makeReadyCampaign } from "./caller.ts";
import { pause } from "./wait.ts";
import { SEED } from "shared/testing/seed.ts";
import { LiveChannel } from "./two_edges_browser.ts";
import { receive, ScriptedSite } from "./two_edges_site.ts";
import { type Edge, withWorld, type World } from "./two_edges_world.ts";
import { mulberry32 } from "shared/random.ts";

const SESSION_ENDED = 4401;
const ACTS = 20;
const RACERS = 1000;
/** With more requests under way, a slow machine's database could respond to the last ones too late. */
const AT_ONCE = 100;
const random = mulberry32(SEED);

for (const kind of ["file", "remote"] as const) {
  Deno.test(`two edges on one ${kind} database act as one`, async (t) => {
    await withWorld(kind, { maxMessagesPerDay: 10_000 }, async (world) => {
      await t.step(
        "started at the same moment on an empty database, they create everything once",
        () => startedOnce(world),
      );
      await t.step(
        "a session of one edge is one of the other, and ends on both",
        () => sharesSessions(world),
      );
      await t.step(
        `of ${RACERS} machines that race with one join token at both edges, one becomes the site`,
        () => racesForASite(world),
      );
      await t.step("password attempts are counted together", () => sharesThrottle(world));
      await t.step(
        "a recall, new work and a revocation reach an agent through the other edge",
        () => reachesAgents(world),
      );
      await t.step(
        "a command of one edge is done at the other's site, or times out, and both edges show it",
        () => sharesCommands(world),
      );
      await t.step(
        "live events reach the right browsers of both edges, and no others",
        () => reachesBrowsers(world),
      );
      await t.step("every rule holds", async () => assert.deepEqual(await world.audit(), []));
    });
  });
}

async function startedOnce(world: World): Promise<void> {
  assert.deepEqual(world.logins().map(({ role }) => role), ["admin", "client"]);
  const migrations = readdirSync(new URL("../edge/db/migrations/", import.meta.url))
    .filter((name) => name.endsWith(".sql"));
  const [made] = world.query<Record<string, number>>(`SELECT (SELECT count(*) FROM users) AS users,
    (SELECT count(*) FROM sites) AS sites, (SELECT count(*) FROM schema_migrations) AS migrations`);
  assert.deepEqual({ ...made }, { users: 2, sites: 1, migrations: migrations.length });
  for (const { url, dataDir } of world.edges.toReversed()) {
    const token = await Deno.readTextFile(`${dataDir}/site_join_token`);
    if (world.kind === "file" || url === world.edges[0].url) await FakeSite.enroll(url, token, Date.now);
    if (world.kind === "file") break;
  }
}

async function sharesSessions(world: World): Promise<void> {
  const [a, b] = world.edges;
  const atA = await world.login("client", a);
  const atB = atA.at(b.url);
  const me = await atA.read<{ id: number }>("GET", "/api/auth/me");
  assert.deepEqual(await atB.read("GET", "/api/auth/me"), me);
  const channel = await LiveChannel.open(atA);
  const began = performance.now();
  assert.equal((await atB.call("POST", "/api/auth/logout")).status, 204);
  const closed = await channel.closed;
  assert.equal(closed.code, SESSION_ENDED);
  const after = atA.at(a.url);
  assert.equal((await read(await after.call("GET", "/api/auth/me"))).status, 401);
  printFigure(
    world,
    `a logout at the other edge closed the socket after ${Math.round(closed.at - began)} ms`,
  );
}

async function racesForASite(world: World): Promise<void> {
  const { siteId, joinToken } = await createSite(world.ctx, "אתר של אחד");
  const began = performance.now();
  const tries: PromiseSettledResult<FakeSite>[] = [];
  let started = 0;
  const race = async () => {
    while (started < RACERS) {
      const { url } = world.edges[started++ % 2];
      tries.push(...await Promise.allSettled([FakeSite.enroll(url, joinToken, Date.now)]));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, race));
  const won = tries.flatMap((one) => one.status === "fulfilled" ? [one.value.siteId] : []);
  assert.deepEqual(won, [siteId]);
  const refused = tries.flatMap((one) => one.status === "rejected" ? [String(one.reason)] : []);
  assert.deepEqual(refused.filter((why) => !/409 .*כבר נוצל/.test(why)), []);
  const [{ enrolled }] = world.query<{ enrolled: number }>(
    `SELECT count(*) AS enrolled FROM activity WHERE code = 'site_enrolled' AND site = ${siteId}`,
  );
  assert.equal(enrolled, 1);
  printFigure(world, `${RACERS} enrolments with one token took ${Math.round(performance.now() - began)} ms`);
}

async function sharesThrottle(world: World): Promise<void> {
  const [{ username }] = world.logins();
  const tryAt = async (edge: Edge) => {
    const response = await fetch(`${edge.url}/api/auth/login`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        origin: edge.url,
        "x-forwarded-for": "198.51.100.7",
      },
      body: JSON.stringify({ username, password: "a wrong guess" }),
    });
    return (await read(response)).status;
  };
  const answers: number[] = [];
  for (let turn = 0; turn < 12; turn++) answers.push(await tryAt(world.edges[turn % 2]));
  assert.deepEqual(answers, [...Array(10).fill(401), 429, 429]);
}

async function reachesAgents(world: World): Promise<void> {
  const [a, b] = world.edges;
  const client = await world.addClient("recalled", 1_000, b);
  const site = await ScriptedSite.enroll(world, "אתר של א", a);
  await site.connect(a);
  const campaign = await makeReadyCampaign(client, "מתחרטים", 30);
  const act = (what: string) => client.read("POST", `/api/campaigns/${campaign}/${what}`);

  await timed(world, "new work", () => act("send"), () => receive(site.agent, "workWaiting"));
  const paused = await site.confirm(await site.offer());
  const recalled = await timed(world, "pause", () => act("pause"), () => receive(site.agent, "recall"));
  assert.deepEqual(recalled.items, [{
    token: paused[0].token,
    phones: paused.map(({ phone }) => phone),
  }]);
  assert.deepEqual(await site.reportHeld(paused, "void"), paused.map(() => "applied"));

  await timed(world, "resume", () => act("resume"), () => receive(site.agent, "workWaiting"));
  const [unwanted, ...others] = await site.confirm(await site.offer());
  const suppression = { phone: unwanted.phone, client: 0, source: "test" };
  const suppressed = await timed(
    world,
    "a suppressed number",
    () => suppressPhone(world.ctx, suppression),
    () => receive(site.agent, "recall"),
  );
  assert.deepEqual(suppressed.items, [{ token: unwanted.token, phones: [unwanted.phone] }]);
  const cancelled = await timed(world, "cancel", () => act("cancel"), () => receive(site.agent, "recall"));
  assert.deepEqual(cancelled.items[0].phones, [unwanted, ...others].map(({ phone }) => phone));
  await site.reportHeld([unwanted, ...others], "void");
  const { counts } = await client.read<{ counts: Record<string, number> }>(
    "GET",
    `/api/campaigns/${campaign}`,
  );
  assert.deepEqual([counts.cancelled, counts.leased, counts.queued], [30, 0, 0]);
  const me = await client.read<{ messageQuota: number }>("GET", "/api/auth/me");
  assert.equal(me.messageQuota, 1_000);

  const closed = await timed(
    world,
    "revocation",
    () => revokeSite(world.ctx, site.id),
    () => site.agent.closed,
  );
  assert.equal(closed.code, CLOSE.revoked);
}

async function sharesCommands(world: World): Promise<void> {
  const [a, b] = world.edges;
  const site = await ScriptedSite.enroll(world, "אתר עם פקודות", a);
  await site.connect(a);
  // Acknowledged only after the inventory before it was stored.
  site.agent.send({ type: "heartbeat", journalCounter: 1, at: Date.now() });
  await receive(site.agent, "heartbeatAck");
  const atA = await world.login("admin", a);
  const atB = atA.at(b.url);
  const [{ id: device }] = world.query<{ id: number }>(`SELECT id FROM devices WHERE site = ${site.id}`);
  const readAt = (caller: Caller, id: number) =>
    caller.read<DeviceCommand>("GET", `/api/admin/commands/${id}`);
  for (const ok of [true, false]) {
    let asked!: DeviceCommand;
    const command = await timed(
      world,
      "a command",
      async () => asked = await atB.read("POST", `/api/admin/devices/${device}/restart`),
      () => receive(site.agent, "command"),
    );
    assert.deepEqual([command.id, command.kind, command.device], [asked.id, "restart", "phone"]);
    assert.equal((await readAt(atA, asked.id)).status, "waiting");
    site.agent.send({ type: "commandResult", id: asked.id, ok, detail: "" });
    site.agent.send({ type: "heartbeat", journalCounter: 1, at: Date.now() });
    await receive(site.agent, "heartbeatAck");
    for (const caller of [atA, atB]) {
      assert.equal((await readAt(caller, asked.id)).status, ok ? "done" : "failed");
    }
  }
  // The agent receives this command and stays silent; the test does not wait a minute for its end.
  const unanswered = await atB.read<DeviceCommand>("POST", `/api/admin/devices/${device}/identify`);
  await receive(site.agent, "command");
  await world.ctx.db.execute({
    sql: "UPDATE commands SET created_at = created_at - 120000 WHERE id = ?",
    args: [unanswered.id],
  });
  let ended = await readAt(atA, unanswered.id);
  for (; ended.status === "waiting"; ended = await readAt(atA, unanswered.id)) await pause(100);
  assert.equal(ended.status, "timed_out");
  assert.match(ended.detail!, /אי אפשר לדעת/);
  await site.close();
}

async function reachesBrowsers(world: World): Promise<void> {
  const clients = await Promise.all(
    [0, 1].map((index) => world.addClient(`listener ${index}`, 1_000, world.edges[index])),
  );
  // Each client and the administrator listen at both edges.
  const callers = [...clients, await world.login("admin", world.edges[0])];
  const channels = await Promise.all(
    callers.map((caller) => Promise.all(world.edges.map(({ url }) => LiveChannel.open(caller.at(url))))),
  );
  const campaigns = await Promise.all(
    clients.map((client, index) => makeReadyCampaign(client, `שיחה של ${index}`, 10)),
  );
  const waits: number[] = [];
  for (let turn = 0; turn < ACTS; turn++) {
    const who = turn % 2;
    // Acts at one edge and listens at the other; every second act goes the other way.
    const [acts, listens] = turn % 4 < 2 ? [0, 1] : [1, 0];
    const name = `שם ${turn}`;
    const channel = channels[who][listens];
    // Random, so that acts fall at any point between the other edge's reads of the outbox.
    await pause(random() * 300);
    const from = channel.received.length;
    const began = performance.now();
    await clients[who].at(world.edges[acts].url).read("PATCH", `/api/campaigns/${campaigns[who]}`, {
      json: { name },
    });
    const { at } = await channel.next((event) => campaignOf(event) === campaigns[who], from);
    waits.push(at - began);
  }
  // The edge of the last act may send its event after the other edge.
  for (const [who, own] of channels.slice(0, 2).entries()) {
    const [{ newest }] = world.query<{ newest: number }>(
      "SELECT max(id) AS newest FROM events WHERE campaign = ? AND client IS NOT NULL",
      campaigns[who],
    );
    await Promise.all(own.map((channel) => channel.next(({ id }) => id === newest)));
  }
  waits.sort((one, other) => one - other);
  printFigure(
    world,
    `an act at one edge reached browsers of the other after p50 ${Math.round(waits[ACTS / 2])} ms, ` +
      `max ${Math.round(waits[ACTS - 1])} ms (${ACTS} acts)`,
  );
  for (const [who, own] of channels.slice(0, 2).entries()) {
    for (const [edge, { received }] of own.entries()) {
      const where = `client ${who} at edge ${"ab"[edge]}`;
      const events = received.map(({ event }) => event);
      assert.ok(events.length >= ACTS / 2, `${where} received ${events.length}`);
      assert.deepEqual(events.filter((event) => isOf(event, campaigns[1 - who])), [], where);
      const ids = events.map(({ id }) => id);
      assert.deepEqual(ids, [...new Set(ids)].toSorted((one, other) => one - other), where);
    }
    const [atA, atB] = own.map(({ received }) => received.map(({ event }) => event.id));
    assert.deepEqual(atA, atB, `client ${who} received the same events at both edges`);
  }
  const admins = channels[2].flatMap(({ received }) => received.map(({ event }) => event));
  assert.deepEqual(admins.filter(({ type }) => type === "campaign_changed" || type === "quota_changed"), []);
  assert.deepEqual(channels.flat().flatMap(({ malformed }) => malformed), []);
  await Promise.all(channels.flat().map((channel) => channel.close()));
}

/** Runs `act` and measures the time from its start to `arrival`. */
async function timed<T>(world: World, what: string, act: () => Promise<unknown>, arrival: () => Promise<T>) {
  const began = performance.now();
  const [result] = await Promise.all([arrival(), act()]);
  printFigure(
    world,
    `${what} reached the agent through the other edge after ${Math.round(performance.now() - began)} ms`,
  );
  return result;
}

function campaignOf(event: LiveEvent): number | null {
  return "campaignId" in event.data ? event.data.campaignId : null;
}

function isOf(event: LiveEvent, campaign: number): boolean {
  return campaignOf(event) === campaign;
}

async function read(response: Response): Promise<{ status: number; text: string }> {
  return { status: response.status, text: await response.text() };
}

function printFigure(world: World, what: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${world.kind}: ${what}\n`));
}
