/**
 * Two edges that run by the unit of deploy/, with a site and people that connect through its Caddy. It is a
 * separate process, because a trusted certificate must be set at its start (`DENO_CERT`).
 */
import assert from "node:assert/strict";
import type { Tap } from "../simulator/phone/tap_log.ts";
import { commandOf, readDeployFile, startEdge, UNITS } from "./deploy_page.ts";
import { changeSettings, makeSite } from "./head_office.ts";
import { keepAsking, UNANSWERED_A_RESTART } from "./keep_asking.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { PATIENCE_MS, pause, until } from "./wait.ts";
import { LiveChannel } from "./two_edges_browser.ts";
import type { Program } from "./program.ts";
import { launchSite, type Process } from "./two_edges_process.ts";

const MESSAGES = 60;
const PASSWORD = "correct horse";
const ADDRESS_TRIES = 30;
const [dir, url, httpPort, ...ports] = Deno.args as [string, string, string, ...string[]];
const edgeUnit = readDeployFile(`systemd/${UNITS.edge}`);
const dataDir = `${dir}/data`;
const running: Process[] = [];
const edges: Program[] = [];

function startInstance(port: string): Program {
  const { words, env } = commandOf(edgeUnit, port);
  return startEdge(words, { ...env, PORT: port, DATA_DIR: dataDir, PUBLIC_URL: url });
}

async function seeAll(): Promise<void> {
  edges.push(...ports.map(startInstance));
  await Promise.all(edges.map((edge) => edge.line('{"event":"edge_ready"')));
  await until(async () => (await fetch(`${url}/readyz`)).ok, PATIENCE_MS, "an edge answers through Caddy");
  await seeTheDoor();
  await seeOldTls();
  const admin = await firstLogin();
  const client = await addClient(admin);
  const site = await startSite(admin);

  const channel = await LiveChannel.open(client);
  const campaign = await makeReadyCampaign(client, "מאחורי קאדי", MESSAGES);
  await client.read("POST", `/api/campaigns/${campaign}/send`);
  const draft = await makeReadyCampaign(client, "טיוטה", 1);
  const slow = seeSlowHead();
  await channel.next(({ type }) => type === "campaign_progress");
  const load = keepAsking(client, draft);
  await restartInTurn();
  const answers = await load.stop();
  const { 200: good = 0, ...others } = answers;
  const unanswered = Object.values(others).reduce((sum, count) => sum + count, 0);
  assert.ok(good > 0 && unanswered <= UNANSWERED_A_RESTART * ports.length, JSON.stringify(answers));
  const isOver = async () => {
    const { status } = await client.read<{ status: string }>("GET", `/api/campaigns/${campaign}`);
    return status === "completed";
  };
  await until(isOver, 3 * PATIENCE_MS, "the campaign completes");
  const tapped = site.taps().map(({ phone }) => phone);
  assert.deepEqual([tapped.length, new Set(tapped).size], [MESSAGES, MESSAGES]);
  assert.equal((await channel.closed).code, 1001);
  await slow;
  await seeThrottle();
  print(`answers during two restarts: ${JSON.stringify(answers)}`);
  print(`all seen: ${ports.length} edges, ${ports.length} restarts, ${tapped.length} sent once each`);
}

/** Plain HTTP redirects to TLS, the figures are hidden, and the headers make browsers use only TLS. */
async function seeTheDoor(): Promise<void> {
  const plain = await fetch(`http://localhost:${httpPort}/login?x=1`, { redirect: "manual" });
  await plain.body?.cancel();
  // Caddy takes its configured port for the default TLS port, which a location may omit.
  assert.deepEqual([plain.status, plain.headers.get("location")], [308, "https://localhost/login?x=1"]);
  const figures = await fetch(`${url}/metrics`);
  await figures.body?.cancel();
  assert.equal(figures.status, 404);
  const page = await fetch(`${url}/healthz`);
  await page.body?.cancel();
  assert.match(page.headers.get("strict-transport-security") ?? "", /max-age=\d{8}/);
}

/** A client with TLS 1.1 or older gets alert 70, protocol_version (RFC 5246, 7.2). */
async function seeOldTls(): Promise<void> {
  const { hostname, port } = new URL(url);
  using conn = await Deno.connect({ hostname, port: Number(port) });
  const version = [3, 2];
  const hello = [...version, ...new Uint8Array(32), 0, 0, 2, 0xc0, 0x09, 1, 0];
  const body = [1, 0, 0, hello.length, ...hello];
  await conn.write(Uint8Array.from([22, 3, 1, 0, body.length, ...body]));
  const record = new Uint8Array(16);
  const length = await conn.read(record) ?? 0;
  const [alert, , , , , , description] = record.subarray(0, length);
  assert.deepEqual([alert, description], [21, 70]);
}

/** Logs in with the printed password: one edge printed it, once. The product then requires another password. */
async function firstLogin(): Promise<Caller> {
  const lines = edges.flatMap((edge) => edge.lines).filter((line) => line.startsWith("First start. admin "));
  assert.equal(lines.length, 1);
  const [, username, given] = /^First start\. admin (\S+), password: (\S+) \(good for 7 days, .*\)$/.exec(
    lines[0]!,
  )!;
  const login = { username: username!, password: given!, role: "admin" as const };
  const first = await Caller.login(url, login);
  const json = { currentPassword: given, newPassword: PASSWORD };
  assert.equal((await first.call("POST", "/api/auth/password", { json })).status, 204);
  return await Caller.login(url, { ...login, password: PASSWORD });
}

/** Creates a client, whose login cookie is limited to this host and to TLS. */
async function addClient(admin: Caller): Promise<Caller> {
  const login = { username: "behind", password: PASSWORD, role: "client" as const };
  const { id } = await admin.read<{ id: number }>("POST", "/api/users", { json: login });
  await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota: 1_000 } });
  await changeSettings(admin, { rateLimit: 1, unconfirmedPerDay: 10_000 });
  const client = new Caller(url);
  const answer = await client.call("POST", "/api/auth/login", {
    json: { username: login.username, password: PASSWORD },
  });
  await answer.body?.cancel();
  const cookies = answer.headers.getSetCookie();
  assert.ok(cookies.length > 0 && cookies.every((cookie) => /^__Host-.*; Secure/.test(cookie)), `${cookies}`);
  return client;
}

/** Starts a site of four phones; its agent reaches the edges only through Caddy. */
async function startSite(admin: Caller): Promise<{ taps(): Tap[] }> {
  const joinToken = await makeSite(admin, "חיפה");
  const site = { name: "haifa", url, joinToken, devices: 4, speed: 20 };
  return await launchSite(`${dir}/site`, site, running);
}

/** Restarts one edge after the other, like an update according to the page. */
async function restartInTurn(): Promise<void> {
  for (const [index, port] of ports.entries()) {
    assert.equal(await edges[index]!.end("SIGTERM"), 0);
    edges[index] = startInstance(port);
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await until(isReady, PATIENCE_MS, "the edge is ready again");
    await pause(2_000);
  }
}

/** A request head that never ends is dropped. */
async function seeSlowHead(): Promise<void> {
  const { hostname, port } = new URL(url);
  using conn = await Deno.connectTls({ hostname, port: Number(port) });
  await conn.write(new TextEncoder().encode(`GET / HTTP/1.1\r\nHost: ${hostname}\r\nX-Slow: `));
  let isOver = false;
  const reading = (async () => {
    while (await conn.read(new Uint8Array(1024)).catch(() => null) !== null);
    isOver = true;
  })();
  await until(() => Promise.resolve(isOver), PATIENCE_MS, "Caddy ends a request that does not come");
  await reading;
}

/** The client address comes from Caddy, not from the caller; an address has thirty tries, for any names. */
async function seeThrottle(): Promise<void> {
  const answers: number[] = [];
  for (let turn = 0; turn < ADDRESS_TRIES + 2; turn++) {
    const response = await fetch(`${url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url, "x-forwarded-for": `198.51.100.${turn}` },
      body: JSON.stringify({ username: `guess-${turn}`, password: "a wrong guess" }),
    });
    await response.body?.cancel();
    answers.push(response.status);
  }
  assert.deepEqual(answers, [...Array(ADDRESS_TRIES).fill(401), 429, 429]);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

try {
  await seeAll();
} catch (error) {
  const lines = [...edges, ...running].flatMap(({ name, lines }) =>
    lines.slice(-15).map((line) => `${name} | ${line}`)
  );
  print(lines.join("\n"));
  throw error;
} finally {
  for (const one of running.toReversed()) await one.stop();
  for (const edge of edges) await edge.end("SIGTERM");
}
