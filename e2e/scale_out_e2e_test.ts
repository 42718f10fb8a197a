/** Three edges over one database with a plain balancer: they act as one, and restart one by one under load. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { changeSettings } from "./head_office.ts";
import { keepAsking, UNANSWERED_A_RESTART } from "./keep_asking.ts";
import { type Caller, makeReadyCampaign } from "./caller.ts";
import { PATIENCE_MS, until } from "./wait.ts";
import { RoundRobin } from "./round_robin.ts";
import { LiveChannel } from "./two_edges_browser.ts";
import { type DatabaseKind, withWorld, type World } from "./two_edges_world.ts";

/** `file` puts all three on one machine, like the two in docs/deploy.md. */
const KIND: DatabaseKind = Deno.env.get("KIND") === "file" ? "file" : "remote";
/** Enough to last until the last edge is restarted: at this pace eight phones need 150 s. */
const PEOPLE = 400;
const ACTS = 12;
const SETTINGS = { maxMessagesPerDay: 10_000, rateLimit: 3 };

Deno.test("three edges behind a balancer act as one, and are restarted one by one under load", async () => {
  await withWorld(KIND, SETTINGS, async (world) => {
    const balancer = new RoundRobin(world.edges.map(({ url }) => url));
    try {
      countTicks(world);
      const beganAt = performance.now();
      const sites = await Promise.all(
        ["one", "two"].map((name) => world.startSite(name, balancer.url, 4, 20)),
      );
      const client = (await world.addClient("spread", 10_000, world.edges[0])).at(balancer.url);
      await sharesSessions(world, client);
      await sharesThrottle(balancer.url);
      await reachesEveryEdge(world, client);

      const campaign = await makeReadyCampaign(client, "מתגלגל", PEOPLE);
      await client.read("POST", `/api/campaigns/${campaign}/send`);
      const draft = await makeReadyCampaign(client, "טיוטה", 1);
      const load = keepAsking(client, draft);
      const taps = () => sites.flatMap((site) => site.taps());
      await until(() => Promise.resolve(taps().length > 10), PATIENCE_MS, "ten taps");
      await showsFigures(world);
      const underWay = await restartOneByOne(world, () => taps().length < PEOPLE);
      assert.equal(underWay, world.edges.length, "each edge is restarted in the middle of the campaign");
      // Send the rest without a pause between two messages.
      await changeSettings(await world.login("admin", world.edges[0]), { rateLimit: 0 });
      const isOver = async () => {
        const { status } = await client.read<{ status: string }>("GET", `/api/campaigns/${campaign}`);
        return status === "completed";
      };
      await until(isOver, 5 * PATIENCE_MS, "the campaign completes");

      const tapped = taps().map(({ phone }) => phone);
      assert.deepEqual([tapped.length, new Set(tapped).size], [PEOPLE, PEOPLE], "doubled or lost");
      assert.deepEqual(await world.audit(), []);
      const answers = await load.stop();
      print(
        `answers under three restarts: ${
          JSON.stringify(answers)
        }; connections that waited: ${balancer.waited}`,
      );
      assert.deepEqual(Object.keys(answers).filter((code) => /^5/.test(code)), []);
      const unanswered = answers["no answer"] ?? 0;
      assert.ok(unanswered <= UNANSWERED_A_RESTART * world.edges.length, `${unanswered} without an answer`);
      ticksWereClaimedOnce(world, performance.now() - beganAt);
    } finally {
      await balancer.close();
    }
  }, ["a", "b", "c"]);
});

async function sharesSessions(world: World, client: Caller): Promise<void> {
  const me = await client.read("GET", "/api/auth/me");
  for (const { url } of world.edges) assert.deepEqual(await client.at(url).read("GET", "/api/auth/me"), me);
}

/** Tries one account ten times from one address, at whatever edge the balancer chooses. */
async function sharesThrottle(url: string): Promise<void> {
  const answers: number[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const response = await fetch(`${url}/api/auth/login`, {
      method: "POST",
      // Each request uses a new connection, and so the next edge.
      headers: {
        "content-type": "application/json",
        origin: url,
        "x-forwarded-for": "198.51.100.9",
        connection: "close",
      },
      body: JSON.stringify({ username: "admin", password: "a wrong guess" }),
    });
    await response.body?.cancel();
    answers.push(response.status);
  }
  assert.deepEqual(answers, [...Array(10).fill(401), 429, 429]);
}

/** An act through the balancer reaches the client's browsers at every edge. */
async function reachesEveryEdge(world: World, client: Caller): Promise<void> {
  const channels = await Promise.all(world.edges.map(({ url }) => LiveChannel.open(client.at(url))));
  const campaign = await makeReadyCampaign(client, "נשמע", 1);
  const waits: number[] = [];
  for (let act = 0; act < ACTS; act++) {
    const from = channels.map(({ received }) => received.length);
    const began = performance.now();
    await client.read("PATCH", `/api/campaigns/${campaign}`, { json: { name: `נשמע ${act}` } });
    for (const [index, channel] of channels.entries()) {
      const { at } = await channel.next(
        ({ data }) => "campaignId" in data && data.campaignId === campaign,
        from[index],
      );
      waits.push(at - began);
    }
  }
  await Promise.all(channels.map((channel) => channel.close()));
  const sorted = waits.toSorted((one, other) => one - other);
  const [p50, max] = [sorted[sorted.length >> 1], sorted.at(-1)!].map(Math.round);
  print(
    `an act reached the browsers of all three edges after p50 ${p50} ms, max ${max} ms (${ACTS} acts; bar 1,500)`,
  );
}

/**
 * Restarts each edge in turn, like a supervisor, while agents and people use the others. Returns the number of
 * restarts during the campaign.
 */
async function restartOneByOne(world: World, isUnderWay: () => boolean): Promise<number> {
  let underWay = 0;
  for (const edge of world.edges) {
    const began = performance.now();
    underWay += isUnderWay() ? 1 : 0;
    assert.equal(await edge.process.end("SIGTERM"), 0);
    print(
      `an edge with sockets, leases and requests ended after ${Math.round(performance.now() - began)} ms`,
    );
    await edge.launch();
  }
  return underWay;
}

/** The sum of the edges' counters equals the number of offers in the rows. */
async function showsFigures(world: World): Promise<void> {
  const sum = await until(
    () => readAgreeing(world),
    PATIENCE_MS,
    "the edges' figures are the rows'",
  );
  for (const name of ["event_lag", "loop_lag", "database"]) {
    assert.ok(sum(`shigur_${name}_seconds_count`) > 0, name);
  }
}

/**
 * Returns figures of a moment when both sites are connected, every committed lease is counted, and each site has
 * reported; otherwise null. Ten taps may all be from the site that started first.
 */
async function readAgreeing(world: World) {
  const before = offeredOf(world);
  const texts = await Promise.all(
    world.edges.map(async ({ url }) => await (await fetch(`${url}/metrics`)).text()),
  );
  const sum = (figure: string) =>
    texts.reduce((total, text) => total + Number(new RegExp(`^${figure} (.+)$`, "m").exec(text)![1]), 0);
  const counted = sum("shigur_leased_total");
  const agrees = before > 0 && before <= counted && counted <= offeredOf(world);
  const areBothThere = sum('shigur_sockets\\{kind="agent"\\}') === 2 &&
    texts.every((text) => /^shigur_sites\{state="connected"\} 2$/m.test(text));
  const wasReported = sum('shigur_reported_total\\{result="applied"\\}') > 0;
  return agrees && areBothThere && wasReported ? sum : null;
}

/** Returns the number of offers: each lease of a row raises its attempt by one. */
function offeredOf(world: World): number {
  return world.query<{ offered: number }>("SELECT sum(attempt) AS offered FROM deliveries")[0].offered;
}

/** Lets the database count each claim of a duty, without the product's knowledge. */
function countTicks(world: World): void {
  const db = new DatabaseSync(world.path, { timeout: 10_000 });
  db.exec(`CREATE TABLE witness_ticks (name TEXT);
    CREATE TRIGGER witness_ticks AFTER UPDATE ON ticks BEGIN INSERT INTO witness_ticks VALUES (NEW.name); END`);
  db.close();
}

/** Edges that do not share would claim three times as often; clocks four seconds apart may cause one early claim. */
function ticksWereClaimedOnce(world: World, elapsedMs: number): void {
  for (
    const [name, everyMs] of [["expire_leases", 5_000], ["watch_sites", 5_000], [
      "seal_audit",
      1_000,
    ]] as const
  ) {
    const [{ claims }] = world.query<{ claims: number }>(
      "SELECT count(*) AS claims FROM witness_ticks WHERE name = ?",
      name,
    );
    assert.ok(
      claims > 0 && claims <= elapsedMs / everyMs + 3,
      `${name} claimed ${claims} times in ${elapsedMs} ms`,
    );
  }
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
