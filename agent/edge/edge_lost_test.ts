import assert from "node:assert/strict";
import { exportJWK, generateKeyPair } from "jose";
import { AGENT_SUBPROTOCOL, CLOSE } from "shared/agent_protocol.ts";
import { FaultyServers, NO_NAME, NOBODY } from "shared/testing/faulty_servers.ts";
import { systemClock } from "../time/system_clock.ts";
import { keepConnected } from "./edge_connection.ts";
import type { EdgeLost } from "./edge_lost.ts";
import { checkEdge } from "../doctor/check_edge.ts";
import type { Identity } from "./identity.ts";
import type { LogFields } from "../log.ts";
import { fastClock } from "../testing/fast_clock.ts";
import { TokenSigner } from "./token.ts";

const never = new AbortController().signal;

/** Returns the first loss of a connection, as the log and the owner receive it. */
async function firstLost(edgeUrl: string, clock = systemClock): Promise<{ lost: EdgeLost; line: LogFields }> {
  const stop = new AbortController();
  const ended = Promise.withResolvers<EdgeLost>();
  let line: LogFields = {};
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const identity: Identity = {
    siteId: 1,
    siteName: "חיפה",
    key: await exportJWK(privateKey) as Identity["key"],
  };
  const running = keepConnected({
    edgeUrl,
    tokens: new TokenSigner(identity, { now: Date.now, newId: () => crypto.randomUUID() }),
    clock,
    random: () => 1,
    log: (_level, event, fields = {}) => {
      if (event === "edge_lost") line = fields;
    },
    onFrame() {},
    onEnd() {},
    onLost: ended.resolve,
  }, stop.signal);
  const lost = await ended.promise;
  stop.abort();
  await running;
  return { lost, line };
}

async function causeOf(edgeUrl: string) {
  return (await firstLost(edgeUrl)).lost.cause;
}

Deno.test("edge_lost names the cause of a lost connection, and doctor names the same", async () => {
  await using servers = new FaultyServers();
  const plain = servers.status(200);
  const addresses: [string, string][] = [
    [NOBODY, "refused"],
    [NO_NAME, "dns"],
    [servers.tls("good"), "tls_untrusted"],
    [servers.tls("expired"), "tls_expired"],
    [servers.tls("not_yet"), "tls_not_yet_valid"],
    [plain.replace("http:", "https:"), "tls"],
    [servers.tls("good").replace("https:", "http:"), "not_http"],
    [servers.cut(), "cut"],
  ];
  for (const [edgeUrl, cause] of addresses) {
    assert.equal(await causeOf(edgeUrl), cause, edgeUrl);
    const asked = { edgeUrl, identity: null, now: Date.now, newId: () => crypto.randomUUID() };
    const [finding] = await checkEdge(asked, never);
    assert.equal(finding!.facts.cause, cause, `doctor at ${edgeUrl}`);
  }
});

Deno.test("edge_lost includes a proxy's status, and its waiting time", async () => {
  await using servers = new FaultyServers();
  const { lost, line } = await firstLost(servers.status(502));
  assert.deepEqual(lost, { cause: "http_status", why: "edge answered 502", status: 502 });
  assert.deepEqual(line, { ...lost, waitMs: 500 });
  assert.equal((await firstLost(servers.status(302))).lost.status, 302);
  assert.equal(await causeOf(servers.status(401)), "token_refused");
});

Deno.test("edge_lost distinguishes a proxy without upgrade from incompatible versions", async () => {
  for (
    const [spoken, cause] of [
      [AGENT_SUBPROTOCOL, "no_upgrade"],
      ["shigur.agent.v999", "agent_older"],
      ["shigur.agent.v0", "edge_older"],
    ] as const
  ) {
    await using edge = served(() =>
      new Response("{}", { status: 426, headers: { "sec-websocket-protocol": spoken } })
    );
    assert.equal(await causeOf(edge.url), cause);
  }
});

Deno.test("edge_lost reports a host that answers nothing as timeout", async () => {
  await using servers = new FaultyServers();
  const late = Promise.withResolvers<void>();
  const { lost } = await firstLost(servers.silent(late.promise), fastClock(1_000));
  late.resolve();
  assert.deepEqual(lost, { cause: "timeout", why: "heard nothing for 15000 ms" });
});

Deno.test("edge_lost reports why an open connection was closed", async () => {
  for (
    const [code, cause] of [[CLOSE.superseded, "superseded"], [CLOSE.revoked, "revoked"], [
      1000,
      "closed",
    ]] as const
  ) {
    await using edge = served((request) => {
      const { socket, response } = Deno.upgradeWebSocket(request, { protocol: AGENT_SUBPROTOCOL });
      socket.onopen = () => socket.close(code, "bye");
      return response;
    });
    const { lost } = await firstLost(edge.url);
    assert.equal(lost.cause, cause);
    assert.equal(lost.code, code);
  }
});

Deno.test("a site sends its token only to an address that asks for one", async () => {
  const shown: string[] = [];
  await using edge = served((request) => {
    if (request.headers.get("upgrade") === null) shown.push(request.headers.get("authorization") ?? "none");
    return new Response("bad gateway", { status: 502 });
  });
  await causeOf(edge.url);
  assert.deepEqual(shown, [], "its status said all of it: nothing was asked again");
});

function served(answer: (request: Request) => Response): { url: string } & AsyncDisposable {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}
