/** The limits of a compromised site, for every frame: each row of the table in docs/security.md has its test here. */
import assert from "node:assert/strict";
import type { AgentFrame, ReportItem } from "shared/agent_protocol.ts";
import { readAlerts } from "../admin/alerts.ts";
import { readFleet } from "../campaigns/fleet.ts";
import { watchCampaigns } from "../health/check_campaigns.ts";
import { auditQueue } from "../queue/audit.ts";
import { type AgentDoorTest, openAgentDoor } from "../testing/agent_door.ts";
import { inventoryOf } from "../testing/fake_agent.ts";
import { outcomesOf, type TestSite } from "../testing/fleet.ts";
import { openLiar } from "../testing/liar_agent.ts";
import { MOST_EVENTS, MOST_LINES } from "../events/site_bounds.ts";
import { runDueTicks } from "../queue/ticks.ts";
import { openRows, pull, sendNew, type SentCampaign, statusOf, take } from "../testing/queue_acts.ts";
import { sendAll, setRules } from "../testing/rules.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import { authorizeAgent, MOST_TOKENS } from "./authorize.ts";

/** Facts about the honest site that the liar knows, to test the worst case. */
interface Stolen {
  campaign: SentCampaign;
  /** A campaign that its client has not sent. */
  unsent: { id: number; phones: string[] };
  lease: LeaseFrame;
  honest: TestSite;
  generation: string;
}

type Lies = (stolen: Stolen) => AgentFrame;

const reportOf = (outcome: "sent" | "failed" | "unknown" | "void"): Lies => ({ lease }) => ({
  type: "report",
  seq: 1,
  journalCounter: Number.MAX_SAFE_INTEGER,
  items: outcomesOf(lease, outcome),
});
const outcomesAbout =
  (rowsOf: (stolen: Stolen) => { id: number; phones: string[] }, last: boolean): Lies => (stolen) => ({
    type: "outcomes",
    generation: stolen.generation,
    last,
    items: rowsOf(stolen).phones.map((phone) => ({
      campaign: rowsOf(stolen).id,
      phone,
      token: stolen.lease.token,
      attempt: Number.MAX_SAFE_INTEGER,
      outcome: "sent",
      account: null,
      at: Number.MAX_SAFE_INTEGER,
    })),
  });

/** Frames sent twice on a live connection, with the honest site's own tokens and phones. */
const LIES: Record<string, Lies> = {
  "pull for another site's phones": ({ honest }) => ({
    type: "pull",
    devices: honest.devices.map((id) => ({ id, room: 10 })),
  }),
  "leaseAck of another site's token": ({ lease }) => ({
    type: "leaseAck",
    token: lease.token,
    journalCounter: Number.MAX_SAFE_INTEGER,
  }),
  "report sent of another site's token": reportOf("sent"),
  "report failed of another site's token": reportOf("failed"),
  "report unknown of another site's token": reportOf("unknown"),
  "report void of another site's token": reportOf("void"),
  "report of bans of its own phones in a campaign that it holds nothing of": ({ campaign }) => ({
    type: "report",
    seq: 1,
    journalCounter: 1,
    items: campaign.phones.slice(0, 2).map((phone, no) => ({
      token: "0".repeat(32),
      campaign: campaign.id,
      phone,
      attempt: 1,
      outcome: "void",
      temporary: true,
      reason: "account_banned",
      account: `LIAR${no % 2}/com.whatsapp/0`,
      tappedAt: null,
    })),
  }),
  "inventory of another site's phones": ({ honest }) => inventoryOf(honest.devices[0]!),
  "outcomes of a running campaign, never the last": outcomesAbout(({ campaign }) => campaign, false),
  "outcomes of a running campaign, the last": outcomesAbout(({ campaign }) => campaign, true),
  "outcomes of a campaign that was not sent": outcomesAbout(({ unsent }) => unsent, false),
  "commandResult of another site's command": () => ({ type: "commandResult", id: 1, ok: true, detail: "" }),
  "erased of another site's erasure": () => ({ type: "erased", items: [{ id: 1, removed: 1 }] }),
  "inbound of people whom it never wrote to": ({ lease }) => ({
    type: "inbound",
    items: lease.items.map(({ phone, account }, no) => ({
      id: String(no).padStart(32, "0"),
      phone,
      account,
      decision: "remove",
      excerpt: "הסר",
      at: 1,
    })),
  }),
  "heartbeat of any counter": () => ({ type: "heartbeat", journalCounter: Number.MAX_SAFE_INTEGER, at: 0 }),
  "drain": () => ({ type: "drain" }),
};

for (const [name, lie] of Object.entries(LIES)) {
  Deno.test(`a lying site gets nothing of other sites through ${name}`, async () => {
    await using door = await openAgentDoor();
    const stolen = await openHouse(door);
    await using liar = await openLiar(door);
    await liar.sends(inventoryOf("LIAR0", "LIAR1"));
    const before = await othersRows(door, stolen.honest);
    const heard = await liar.sends(lie(stolen), 2);
    assert.deepEqual(heard.filter(({ type }) => type === "lease"), []);
    const goes = heard.flatMap((frame) => frame.type === "go" ? frame.items : []);
    assert.deepEqual(goes, []);
    assert.deepEqual(await othersRows(door, stolen.honest), before);
    assert.deepEqual(await auditQueue(door.fleet.ctx.db), []);
  });
}

Deno.test("a lying site's frames before its hello and a second hello change nothing", async () => {
  await using door = await openAgentDoor();
  const stolen = await openHouse(door);
  const before = await othersRows(door, stolen.honest);
  for (const [name, lie] of Object.entries(LIES)) {
    await using liar = await openLiar(door, { skipsHello: true });
    // Sent alone: a frame to an already closed socket resets it, and its close code is lost.
    liar.agent.send(lie(stolen));
    assert.equal((await liar.agent.closed).code, 4400, name);
  }
  await using twice = await openLiar(door);
  twice.agent.hello(openRows(stolen.lease));
  assert.equal((await twice.agent.closed).code, 4400);
  assert.deepEqual(await othersRows(door, stolen.honest), before);
});

Deno.test("a lying site's hello settles no row of other sites, whatever it lists", async () => {
  await using door = await openAgentDoor();
  const stolen = await openHouse(door);
  const before = await othersRows(door, stolen.honest);
  const site = await door.enroll();
  await using agent = await site.connect();
  agent.hello(openRows(stolen.lease, "done"));
  assert.equal((await agent.read())?.type, "helloAck");
  assert.deepEqual(await othersRows(door, stolen.honest), before);
});

const countOf = async ({ fleet }: AgentDoorTest, from: string) =>
  Number((await fleet.one(`SELECT count(*) AS n FROM ${from}`)).n);

Deno.test("a lying site's phone that keeps changing fills neither activity list nor outbox, and its last state is kept", async () => {
  await using door = await openAgentDoor();
  await using liar = await openLiar(door);
  const flip = (state: "online" | "offline") => {
    const inventory = inventoryOf("FLIPS");
    inventory.devices[0]!.state = state;
    return inventory;
  };
  const flips = async (pairs: number) => {
    for (let pair = 0; pair < pairs; pair++) {
      await liar.sends(flip("offline"));
      await liar.sends(flip("online"));
    }
  };
  await liar.sends(flip("online"));
  await flips(45);
  const lines = `activity WHERE site = ${liar.site} AND device IS NOT NULL OR code LIKE 'inventory_%'`;
  assert.equal(await countOf(door, lines), MOST_LINES);
  const { code, data } = await door.fleet.one("SELECT code, data FROM activity ORDER BY id DESC");
  assert.equal(code, "inventory_muted");
  assert.equal(JSON.parse(String(data)).online ?? JSON.parse(String(data)).offline, 1);
  assert.equal(await countOf(door, "events WHERE type = 'device_changed'"), MOST_EVENTS);
  assert.deepEqual(await door.fleet.one("SELECT state FROM devices"), { state: "online" });
  const other = await door.fleet.addSite(1);
  assert.equal(await countOf(door, `activity WHERE site = ${other.site} AND code = 'device_added'`), 1);
  door.fleet.pass(60 * 60_000);
  await flips(1);
  assert.equal(await countOf(door, lines), MOST_LINES + 2, "the next hour has its own");
  assert.equal(
    await countOf(door, "events WHERE type = 'device_changed'"),
    MOST_EVENTS + 3,
    "one is of the other site",
  );
});

Deno.test("a lying site that reconnects repeatedly with an old journal is reported once", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  for (const counter of [9, 8, 7, 6]) {
    await using agent = await site.connect();
    agent.send({
      type: "hello",
      epoch: agent.epoch,
      journalId: "a".repeat(32),
      counterAtOpen: counter,
      journalCounter: counter,
      open: [],
      agentVersion: "test",
    });
    assert.equal((await agent.read())?.type, "helloAck");
  }
  assert.equal(await countOf(door, "activity WHERE code = 'journal_doubted'"), 1);
  assert.equal(await countOf(door, "events WHERE type = 'alert'"), 1);
  // An administrator started the site again, and it lies again.
  await door.fleet.ctx.db.execute("UPDATE sites SET stopped = 0");
  await using agent = await site.connect();
  agent.hello();
  await agent.read();
  assert.equal(await countOf(door, "activity WHERE code = 'journal_doubted'"), 2);
});

Deno.test("a lying site has a bounded number of tokens at once, and shuts no other site out", async () => {
  await using door = await openAgentDoor();
  const [site, other] = [await door.enroll(), await door.enroll()];
  await door.fleet.ctx.db.execute({
    sql: `INSERT INTO agent_tokens_seen (jti, expires_at) SELECT ? || ' ' || value, ? FROM json_each(?)`,
    args: [
      String(site.siteId),
      door.fleet.ctx.now() + 60_000,
      JSON.stringify(Array.from({ length: MOST_TOKENS - 1 }, (_, no) => no)),
    ],
  });
  const authorize = async (one: typeof site) =>
    await authorizeAgent(door.fleet.ctx, `Bearer ${await one.sign()}`);
  assert.equal(await authorize(site), site.siteId);
  assert.equal(await authorize(site), null);
  assert.equal(await authorize(other), other.siteId);
  door.fleet.pass(2 * 60_000);
  await runDueTicks(door.fleet.ctx);
  assert.equal(await authorize(site), site.siteId, "they are forgotten with their end");
});

Deno.test("a lying site's outcomes for guessed numbers change and reveal nothing; a bounded number is kept an hour", async () => {
  await using door = await openAgentDoor();
  const stolen = await openHouse(door);
  const { campaign } = stolen;
  const large = await sendNew(door.fleet, 200);
  await using liar = await openLiar(door);
  const before = await othersRows(door, stolen.honest);
  const report = async (round: number, phones: string[], id = large.id) => {
    const heard = await liar.sends({
      type: "report",
      seq: round,
      journalCounter: 0,
      items: phones.map((phone, no) => ({
        token: (1_000 * round + no).toString(16).padStart(32, "0"),
        campaign: id,
        phone,
        attempt: 1,
        outcome: "sent",
        temporary: false,
        reason: null,
        account: null,
        tappedAt: null,
      })),
    });
    return new Set(
      heard.flatMap((frame) => frame.type === "reportAck" ? frame.items.map((one) => one.result) : []),
    );
  };
  const stale = new Set(["stale"]);
  for (let round = 1; round <= 5; round++) assert.deepEqual(await report(round, large.phones), stale);
  // A correct guess gets the same answer as a wrong one: another number, an unsent campaign, none.
  assert.deepEqual(await report(6, campaign.phones, campaign.id), stale);
  assert.deepEqual(await report(7, ["+972549999999"]), stale);
  assert.deepEqual(await report(8, campaign.phones, stolen.unsent.id), stale);
  assert.deepEqual(await report(9, campaign.phones, 1_000_000), stale);
  assert.deepEqual(await othersRows(door, stolen.honest), before);
  const kept = await countOf(door, `attempts WHERE site = ${liar.site}`);
  assert.ok(kept >= 500 && kept < 550, `${kept} of 1,000 claims are kept`);
  assert.equal(await countOf(door, "activity WHERE code = 'late_sent'"), 1);
  assert.deepEqual(await auditQueue(door.fleet.ctx.db), []);
});

for (const signal of ["failed", "unknown", "opted_out"] as const) {
  Deno.test(`a lying unconfirmed site pauses no campaign by ${signal} of its own rows, and is leased few of them`, async () => {
    await using door = await openAgentDoor();
    const { fleet } = door;
    await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100 });
    const campaign = await sendNew(fleet, 200);
    const honest = await fleet.addSite();
    await sendAll(fleet, honest, { most: 60 });
    await using liar = await openLiar(door);
    const got: ReportItem[] = [];
    // It invents another phone whenever the last one gets no delivery.
    for (let phones = 1; phones <= 5; phones++) {
      await liar.sends(inventoryOf(...Array.from({ length: phones }, (_, no) => `LIAR${no}`)));
      for (;;) {
        const heard = await liar.sends({ type: "pull", devices: [{ id: `LIAR${phones - 1}`, room: 3 }] });
        const lease = heard.find((frame) => frame.type === "lease");
        if (lease === undefined) break;
        const items = outcomesOf(lease, signal === "opted_out" ? "sent" : signal);
        await liar.sends({ type: "leaseAck", token: lease.token, journalCounter: 0 });
        await liar.sends({ type: "report", seq: 1, journalCounter: 0, items });
        got.push(...items);
        if (signal === "opted_out") await liar.sends(inboundOf(items));
        fleet.pass(1_000);
      }
    }
    fleet.pass(60_000);
    await watchCampaigns(fleet.ctx);
    assert.equal(await statusOf(fleet, campaign), "active");
    assert.equal(await countOf(door, "breaker_trips"), 0);
    assert.equal(await countOf(door, `sites WHERE id = ${liar.site} AND unconfirmed_rest IS NOT NULL`), 1);
    assert.ok(got.length < 15, `${got.length} rows before its accounts rest`);
    assert.equal(await countOf(door, "suppressions"), signal === "opted_out" ? got.length : 0);
    assert.ok(await pull(fleet, honest), "the honest site goes on");
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  });
}

Deno.test("a lying site with confirmed accounts reads at most three daily caps and 60 numbers, and is named", async () => {
  await using door = await openAgentDoor();
  const { fleet } = door;
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, maxMessagesPerDay: 20 });
  await sendNew(fleet, 600);
  await using liar = await openLiar(door);
  await liar.sends(inventoryOf("LIAR0", "LIAR1"));
  await fleet.ctx.db.execute("UPDATE accounts SET confirmed_at = 1");
  const most = 2 * (3 * 20 + 60);
  const read = new Set<string>();
  const readOn = async () => {
    for (let pulls = 0; pulls < 200; pulls++) {
      const heard = await liar.sends({
        type: "pull",
        devices: [{ id: "LIAR0", room: 3 }, { id: "LIAR1", room: 3 }],
      });
      const lease = heard.find((frame) => frame.type === "lease");
      if (lease === undefined) return;
      for (const { phone } of lease.items) read.add(phone);
      // A temporary failure waits a while, so the next lease is for other people.
      const items = outcomesOf(lease, "void", { temporary: true });
      await liar.sends({ type: "report", seq: 1, journalCounter: 0, items });
    }
  };
  await readOn();
  assert.equal(read.size, most);
  fleet.pass(60 * 60_000);
  await readOn();
  assert.equal(read.size, most, "an hour later");
  const [alert] = (await readAlerts(fleet.ctx)).items;
  assert.deepEqual([alert!.code, alert!.siteId], ["site_gave_back", liar.site]);
  assert.equal((await readFleet(fleet.ctx)).gaveBackTooMuch, true);
  const honest = await fleet.addSite();
  assert.ok(await pull(fleet, honest), "other sites go on");
  fleet.pass(24 * 60 * 60_000);
  await readOn();
  assert.ok(read.size > most && read.size <= 2 * most, "the next day has as many");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

/** Reports that each recipient asks to be removed. */
function inboundOf(items: readonly ReportItem[]): AgentFrame {
  return {
    type: "inbound",
    items: items.map(({ phone, token, account }) => ({
      id: `${token.slice(0, 16)}${phone.slice(-12).padStart(16, "0")}`,
      phone,
      account: account!,
      decision: "remove",
      excerpt: "הסר",
      at: 1,
    })),
  };
}

/** An honest site with an acknowledged lease, a running campaign with more to send, and an unsent campaign. */
async function openHouse({ fleet }: AgentDoorTest): Promise<Stolen> {
  const campaign = await sendNew(fleet, 6);
  const unsent = await fleet.addCampaign(await fleet.addClient(3), 3);
  const honest = await fleet.addSite();
  const lease = await take(fleet, honest, 2);
  await fleet.ctx.db.batch([
    "INSERT INTO commands (device, site, kind, user, created_at) SELECT id, site, 'stop', 1, 0 FROM devices LIMIT 1",
    "INSERT INTO erasures (at, user, reason, mark, nonce, hash, blocked) VALUES (0, 1, '', '', '', '', 0)",
    `INSERT INTO erasure_sites (erasure, site) VALUES (1, ${honest.site})`,
  ], "write");
  const { value } = await fleet.one("SELECT value FROM system WHERE key = 'generation'");
  return { campaign, unsent, lease, honest, generation: String(value) };
}

/** Returns all rows except the liar's own. */
async function othersRows({ fleet }: AgentDoorTest, { site }: TestSite): Promise<unknown> {
  const tables = {
    deliveries: "",
    campaigns: "",
    quota_ledger: "",
    resends: "",
    suppressions: "",
    campaign_bans: "",
    breaker_trips: "",
    commands: "",
    erasure_sites: "",
    account_days: "",
    devices: `WHERE site = ${site}`,
    accounts: `WHERE site = ${site}`,
    sites: `WHERE id = ${site}`,
  };
  return Object.fromEntries(
    await Promise.all(
      Object.entries(tables).map(async ([table, where]) => {
        const { rows } = await fleet.ctx.db.execute(`SELECT * FROM ${table} ${where} ORDER BY 1, 2`);
        return [table, rows.map((row) => ({ ...row }))];
      }),
    ),
  );
}
