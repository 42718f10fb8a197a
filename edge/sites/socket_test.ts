import assert from "node:assert/strict";
import { AGENT_SUBPROTOCOL, type AgentFrame, CLOSE } from "shared/agent_protocol.ts";
import { encodeFrame } from "shared/cbor.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { sleep } from "../time/sleep.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { type AgentDoorTest, openAgentDoor } from "../testing/agent_door.ts";
import { FakeAgent, type FakeSite, inventoryOf } from "../testing/fake_agent.ts";
import { openFleet } from "../testing/fleet.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { MAX_SUPERSEDED, noteSuperseded } from "./note_superseded.ts";
import { revokeSite } from "./revoke_site.ts";

const inventory = inventoryOf("R58M");
const pull: AgentFrame = { type: "pull", devices: [{ id: "R58M", room: 1 }] };
const heartbeat: AgentFrame = { type: "heartbeat", journalCounter: 1, at: 1 };

const noLeaks = { sanitizeOps: true, sanitizeResources: true };

Deno.test("agentRoutes() carries a delivery from pull to reportAck over one socket", noLeaks, async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const campaign = await sendNew(door.fleet, 1);
  await using agent = await site.ready();

  agent.send(inventory);
  const lease = await agent.ask(pull);
  assert.ok(lease?.type === "lease");
  const go = await agent.ask({ type: "leaseAck", token: lease.token, journalCounter: 2 });
  assert.deepEqual(go?.type === "go" && go.items.map((item) => item.phone), campaign.phones);
  const [{ phone, attempt, account }] = lease.items;
  const item = { token: lease.token, campaign: lease.campaign, phone, attempt, account };
  const outcome = { outcome: "sent" as const, temporary: false, reason: null, tappedAt: 5 };
  const ack = await agent.ask({
    type: "report",
    seq: 1,
    journalCounter: 3,
    items: [{ ...item, ...outcome }],
  });
  assert.ok(ack?.type === "reportAck");
  assert.deepEqual({ ...ack, mark: undefined }, {
    type: "reportAck",
    seq: 1,
    mark: undefined,
    items: [{ token: lease.token, phone, result: "applied" }],
  });
  assert.deepEqual(await door.fleet.states(campaign.id), ["sent"]);
});

Deno.test("agentRoutes() answers each `outcomes` frame, so that a site never has two unanswered", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = await site.ready();
  const { value } = await door.fleet.one("SELECT value FROM system WHERE key = 'generation'");
  const generation = String(value);
  for (const last of [false, true]) {
    const ack = await agent.ask({ type: "outcomes", generation, items: [], last });
    assert.deepEqual(ack, { type: "outcomesAck", generation, last });
  }
});

Deno.test("agentRoutes() sends the first frame, and answers each heartbeat with its time (rule 1)", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = new FakeAgent(site, await site.sign());
  const welcome = await agent.read();
  assert.ok(welcome?.type === "welcome");
  assert.deepEqual([welcome.epoch, welcome.serverTime], [2, door.fleet.ctx.now()]);
  agent.epoch = welcome.epoch;
  agent.hello();
  const ack = await agent.read();
  assert.ok(ack?.type === "helloAck");
  const { mark } = ack;
  assert.deepEqual(ack, { type: "helloAck", epoch: 2, drop: [], mark });
  const serverTime = door.fleet.ctx.now();
  assert.deepEqual(await agent.ask(heartbeat), { type: "heartbeatAck", serverTime, mark });
});

Deno.test("agentRoutes() closes a socket that sends another frame before hello, or hello twice (rule 2)", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const eager = await site.connect();
  eager.send(pull);
  assert.equal((await eager.closed).code, CLOSE.badFrame);
  const twice = await site.ready();
  twice.hello();
  assert.equal((await twice.closed).code, CLOSE.badFrame);
  const attempt = { code: "bad_frame", site: 1, path: "/agent/ws" };
  assert.deepEqual(door.attempts, [attempt, attempt]);
});

Deno.test("agentRoutes() logs a mark that it did not seal, and continues with the site (rule 19)", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = await site.connect();
  const { generation } = agent;
  agent.hello([], undefined, { generation, event: 1_000_000, hmac: "0".repeat(64) });
  const ack = await agent.read();
  assert.ok(ack?.type === "helloAck" && ack.mark !== undefined);
  assert.deepEqual(door.attempts, [{ code: "bad_mark", site: site.siteId, path: "/agent/ws" }]);
  await using again = await site.connect();
  again.hello([], undefined, ack.mark);
  assert.equal((await again.read())?.type, "helloAck");
  assert.equal(door.attempts.length, 1);
});

Deno.test("agentRoutes() logs once per connection that a site's clock is far from this one", async () => {
  await using door = await openAgentDoor();
  const logged: unknown[] = [];
  const { ctx } = door.fleet;
  Object.assign(ctx, {
    log: { ...ctx.log, warn: (event: string, fields: unknown) => logged.push([event, fields]) },
  });
  const site = await door.enroll();
  await using agent = await site.ready();
  const beat = (aheadMs: number) => agent.ask({ ...heartbeat, at: ctx.now() + aheadMs } as AgentFrame);
  await beat(60_000);
  assert.deepEqual(logged, []);
  await beat(-60_001);
  await beat(3_600_000);
  assert.deepEqual(logged, [["site_clock_off", { site: site.siteId, aheadMs: -60_001 }]]);
});

Deno.test("agentRoutes() closes a socket that sends anything but a frame", async (t) => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const cases: Record<string, string | Uint8Array<ArrayBuffer>> = {
    "text": "hello",
    "not CBOR": new Uint8Array([0xff, 0x00, 0x12]),
    "unknown type": encodeFrame({ type: "shutdown" }),
    "missing field": encodeFrame({ type: "leaseAck", token: "a".repeat(32) }),
    "too big": new Uint8Array(1024 * 1024 + 1),
  };
  for (const [name, frame] of Object.entries(cases)) {
    await t.step(name, async () => {
      const agent = await site.ready();
      agent.socket.send(frame);
      assert.equal((await agent.closed).code, CLOSE.badFrame);
    });
  }
  assert.deepEqual(door.attempts.map(({ code }) => code), Object.keys(cases).map(() => "bad_frame"));
});

Deno.test("agentRoutes() notifies the other sites at once of work that a revoked site returns (rule 16)", async () => {
  await using door = await openAgentDoor();
  const [holder, other] = [await door.enroll(), await door.enroll()];
  const campaign = await sendNew(door.fleet, 1);
  await using held = await holder.ready();
  await using idle = await other.ready();
  held.send(inventory);
  assert.equal((await held.ask(pull))?.type, "lease");
  idle.send(inventoryOf("R59M"));
  assert.equal((await idle.ask(heartbeat))?.type, "heartbeatAck");
  await revokeSite(door.fleet.ctx, holder.siteId);
  const called = await Promise.race([idle.read(), sleep(5_000)]);
  assert.deepEqual(called, { type: "workWaiting" });
  const lease = await idle.ask({ type: "pull", devices: [{ id: "R59M", room: 1 }] });
  assert.deepEqual(lease?.type === "lease" && lease.items.map(({ phone }) => phone), campaign.phones);
});

Deno.test("agentRoutes() ends the older connection of a site when a new one comes (rule 1)", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const old = await site.ready();
  await using present = await site.ready();
  assert.deepEqual(await old.read(), { type: "superseded", epoch: present.epoch });
  assert.equal((await old.closed).code, CLOSE.superseded);
  assert.equal((await present.ask(heartbeat))?.type, "heartbeatAck");
  assert.equal(door.hub.size, 1);
});

Deno.test("agentRoutes() stops a site whose live connections keep ending each other: two machines with one key", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  let present = await site.ready();
  for (let round = 1; round <= MAX_SUPERSEDED; round++) {
    const stopped = () => door.fleet.one("SELECT stopped FROM sites");
    assert.deepEqual(await stopped(), { stopped: 0 }, `after ${round - 1}`);
    const next = await site.ready();
    assert.equal((await present.closed).code, CLOSE.superseded);
    await until(door, `superseded_count = ${round}`);
    present = next;
  }
  assert.equal(
    (await door.fleet.one("SELECT stop_reason FROM sites WHERE stopped")).stop_reason,
    "two_machines",
  );
  const alert = await door.fleet.one("SELECT data FROM events WHERE type = 'alert'");
  assert.equal(JSON.parse(String(alert.data)).code, "two_machines");
  await present[Symbol.asyncDispose]();
});

Deno.test("agentRoutes() does not count a machine that left or was cut off as a second one", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  for (let round = 0; round <= MAX_SUPERSEDED; round++) await (await site.ready())[Symbol.asyncDispose]();
  await using last = await site.ready();
  assert.equal((await last.ask(heartbeat))?.type, "heartbeatAck");
  assert.deepEqual(await door.fleet.one("SELECT stopped, superseded_count FROM sites"), {
    stopped: 0,
    superseded_count: 0,
  });
});

Deno.test("noteSuperseded() does not mistake one machine with a failing network for two", async () => {
  await using fleet = await openFleet();
  const { site } = await fleet.addSite();
  for (let round = 0; round < 2 * MAX_SUPERSEDED; round++) {
    await noteSuperseded(fleet.ctx, site);
    fleet.pass(DEAD_SOCKET_MS);
  }
  assert.equal((await fleet.one("SELECT stopped FROM sites")).stopped, 0);
});

Deno.test("noteSuperseded() keeps the reason of a site stopped because of its journal, and reports it once", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await fleet.reconnect(site, { counterAtOpen: 1 });
  for (let round = 0; round < MAX_SUPERSEDED; round++) await noteSuperseded(fleet.ctx, site.site);
  const { stopped, stop_reason } = await fleet.one("SELECT stopped, stop_reason FROM sites");
  assert.deepEqual([stopped, stop_reason], [1, "journal_doubted"]);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 1);
});

Deno.test("agentRoutes() ends a connection that another instance superseded, at its next frame", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const old = await site.ready();
  await door.fleet.ctx.db.execute("UPDATE sites SET epoch = 9");
  assert.deepEqual(await old.ask(heartbeat), { type: "superseded", epoch: 9 });
  assert.equal((await old.closed).code, CLOSE.superseded);
});

Deno.test("agentRoutes() handles the frames of a connection one at a time, in order (rule 2)", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await sendNew(door.fleet, 1);
  await using agent = await site.ready();
  // Without waiting: the pull needs the inventory sent before it, and its answer comes before the heartbeat's.
  for (const frame of [inventory, pull, heartbeat]) agent.send(frame);
  assert.equal((await agent.read())?.type, "lease");
  assert.equal((await agent.read())?.type, "heartbeatAck");
});

Deno.test("agentRoutes() starts a frame only when the previous one is done, however long that takes (rule 2)", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = await site.ready();
  let running = 0;
  let most = 0;
  const batch = door.fleet.ctx.db.batch.bind(door.fleet.ctx.db);
  door.fleet.ctx.db.batch = async (...args) => {
    most = Math.max(most, ++running);
    // Long enough for the other frames to arrive.
    await sleep(50);
    return await batch(...args).finally(() => running--);
  };
  for (const frame of [inventory, pull, pull, heartbeat]) agent.send(frame);
  assert.equal((await agent.read())?.type, "heartbeatAck");
  assert.equal(most, 1);
});

Deno.test("agentRoutes() ends a connection after a frame it could not handle, so that the agent repeats it", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const agent = await site.ready();
  door.fleet.ctx.db.batch = () => Promise.reject(new Error("no room"));
  agent.send(pull);
  // A heartbeat needs no batch.
  assert.notEqual((await agent.ask(heartbeat))?.type, "heartbeatAck");
  assert.equal((await agent.closed).code, 1011);
});

Deno.test("agentRoutes() sends waiting work and recalls to a connected agent through the outbox", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = await site.ready();
  await sendNew(door.fleet, 1);
  assert.deepEqual(await agent.read(), { type: "workWaiting" });

  const items = [{ token: "a".repeat(32), phones: ["+972540000001"] }];
  await door.fleet.ctx.db.execute({
    sql: "INSERT INTO events (at, type, site, data) VALUES (0, 'recall', ?, ?)",
    args: [site.siteId, JSON.stringify(items[0])],
  });
  door.fleet.ctx.wakeOutbox();
  assert.deepEqual(await agent.read(), { type: "recall", items });
});

Deno.test("agentRoutes() closes the socket of a revoked site, and refuses it from then on", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const agent = await site.ready();
  await revokeSite(door.fleet.ctx, site.siteId);
  assert.equal((await agent.closed).code, CLOSE.revoked);
  assert.equal((await ask(site, await site.sign())).status, 401);
});

Deno.test("agentRoutes() refuses another version and says which side to update (rule 1)", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const cases = [["shigur.agent.v1", /התוכנה שבאתר/], ["shigur.agent.v9", /השרת/]] as const;
  for (const [protocol, text] of cases) {
    // fetch() may not send an upgrade, so a plain socket reads the refusal.
    const answer = await rawUpgrade(site, protocol);
    assert.match(answer, /^HTTP\/1\.1 426 /);
    assert.match(answer, text);
  }
});

Deno.test("agentRoutes() closes a socket whose other end is silent", async () => {
  await using door = await openAgentDoor({ deadSocketMs: 1000 });
  const site = await door.enroll();
  // A bare TCP client that accepts the upgrade and then answers no ping.
  const { hostname, port } = new URL(site.origin);
  using conn = await Deno.connect({ hostname, port: Number(port) });
  await conn.write(await upgradeRequest(site, AGENT_SUBPROTOCOL));
  const bytes = new Uint8Array(await new Response(conn.readable).arrayBuffer());
  // The edge's last bytes are a close frame (RFC 6455 section 5.5.1: 0x88), then the end.
  assert.equal(kindsOf(bytes).at(-1), 0x88);
  assert.equal(door.hub.size, 0);
});

/** Waits for the writes caused by a close: they happen after the socket is gone. */
async function until(door: AgentDoorTest, condition: string): Promise<void> {
  for (
    let look = 0;
    (await door.fleet.one(`SELECT id FROM sites WHERE ${condition}`)).id === undefined;
    look++
  ) {
    assert.ok(look < 1_000, `it never came to ${condition}`);
    await sleep(5);
  }
}

/** Returns the first byte of each frame after the answer to the upgrade; several may arrive in one piece. */
function kindsOf(bytes: Uint8Array): number[] {
  const kinds: number[] = [];
  let at = new TextDecoder("latin1").decode(bytes).indexOf("\r\n\r\n") + 4;
  while (at < bytes.length) {
    kinds.push(bytes[at]);
    const length = bytes[at + 1];
    // RFC 6455 section 5.2: 126 = the length is in the next two bytes. No frame here is longer, and a server masks
    // none.
    at += length < 126 ? 2 + length : 4 + (bytes[at + 2] << 8) + bytes[at + 3];
  }
  return kinds;
}

function ask(site: FakeSite, token: string): Promise<Response> {
  return fetch(`${site.origin}/agent/ws`, { headers: { authorization: `Bearer ${token}` } });
}

async function upgradeRequest(site: FakeSite, protocol: string): Promise<Uint8Array> {
  return new TextEncoder().encode([
    "GET /agent/ws HTTP/1.1",
    `Host: ${new URL(site.origin).host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    `Sec-WebSocket-Protocol: ${protocol}`,
    `Authorization: Bearer ${await site.sign()}`,
    "",
    "",
  ].join("\r\n"));
}

async function rawUpgrade(site: FakeSite, protocol: string): Promise<string> {
  const { hostname, port } = new URL(site.origin);
  using conn = await Deno.connect({ hostname, port: Number(port) });
  await conn.write(await upgradeRequest(site, protocol));
  const buffer = new Uint8Array(4096);
  const length = await conn.read(buffer) ?? 0;
  return new TextDecoder().decode(buffer.subarray(0, length));
}

Deno.test("agentRoutes() yields after each frame while others wait, but not to callers that wait for the database", async () => {
  let given = 0;
  const createYieldToEventLoop = () => () => void given++;
  await using door = await openAgentDoor({ createYieldToEventLoop });
  const site = await door.enroll();
  await using agent = await site.ready();
  for (let asked = 0; asked < 10; asked++) {
    agent.send(heartbeat);
    await agent.read();
  }
  assert.equal(given, 0);
  for (let sent = 0; sent < 200; sent++) agent.send(heartbeat);
  for (let answered = 0; answered < 200; answered++) await agent.read();
  assert.ok(given > 0);
});

Deno.test("agentRoutes() lets others have their turn between reading a long hello and handling it", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = await site.connect();
  const open = Array.from({ length: 2_000 }, (_, no) => ({
    token: String(no).padStart(32, "0"),
    campaign: 1,
    phone: `+${972_540_000_000 + no}`,
    attempt: 1,
    at: "held" as const,
  }));
  let othersTurns = 0;
  for (let no = 0; no < 50; no++) void turnLoop().then(() => othersTurns++);
  agent.hello(open);
  assert.equal((await agent.read())?.type, "helloAck");
  assert.equal(othersTurns, 50);
});
