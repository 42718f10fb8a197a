import assert from "node:assert/strict";
import { liveEventSchema } from "shared/live_event.ts";
import { type CallRate, createCallRate } from "../auth/call_rate.ts";
import { createBoundKeys } from "../auth/bound_key_calls.ts";
import { identify } from "../auth/identify.ts";
import { originGuard } from "../auth/origin_guard.ts";
import { sessionCookie } from "../auth/session_cookie.ts";
import { sleep } from "../time/sleep.ts";
import type { Attempt } from "../http/attempts.ts";
import { onError } from "../http/on_error.ts";
import { createRouter } from "../http/router.ts";
import { openLiveSocket } from "../testing/live_socket.ts";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { BROWSER_CLOSE, createBrowserHub } from "./browser_hub.ts";
import { liveRoutes } from "./routes.ts";
import { createTail } from "./tail.ts";

const strict = { sanitizeOps: true, sanitizeResources: true };
const HANDSHAKE = {
  connection: "keep-alive, Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const HALF_HANDSHAKES: Record<string, string>[] = [
  { ...HANDSHAKE, connection: "close" },
  { ...HANDSHAKE, upgrade: "h2c" },
  { ...HANDSHAKE, "sec-websocket-version": "8" },
  { ...HANDSHAKE, "sec-websocket-key": "x" },
  { connection: "upgrade", upgrade: "websocket" },
];

Deno.test(
  "/ws sends a client only their own events, in the shape of shared/live_event.ts",
  strict,
  async () => {
    await using test = await openTestApp();
    await using edge = serve(test);
    const dana = await test.addPerson({ messageQuota: 10 });
    const yossi = await test.addPerson();
    const danas = await edge.open({ cookie: dana.cookie });
    const yossis = await edge.open({ cookie: yossi.cookie });
    await commit(test, [dana.id, yossi.id]);
    const [event] = await danas.heard(1);
    assert.deepEqual(liveEventSchema.parse(JSON.parse(event)).data, { campaignId: dana.id });
    const [other] = await yossis.heard(1);
    assert.deepEqual(liveEventSchema.parse(JSON.parse(other)).data, { campaignId: yossi.id });
    await Promise.all([danas.end(), yossis.end()]);
  },
);

Deno.test(
  "/ws refuses a visitor, a foreign page and a plain request before the upgrade",
  strict,
  async () => {
    await using test = await openTestApp();
    await using edge = serve(test);
    const dana = await test.addPerson();
    const upgrade = { connection: "upgrade", upgrade: "websocket" };
    const cases: [Record<string, string>, number, string][] = [
      [{ ...upgrade, origin: edge.origin }, 401, "not_logged_in"],
      [{ ...upgrade, origin: edge.origin, cookie: "shigur_session=made-up" }, 401, "not_logged_in"],
      [{ ...upgrade, origin: "https://elsewhere.example", cookie: dana.cookie }, 403, "foreign_origin"],
      [{ ...upgrade, cookie: dana.cookie }, 403, "foreign_origin"],
      [{ origin: edge.origin, cookie: dana.cookie }, 426, "upgrade_required"],
      ...HALF_HANDSHAKES.map((half): [Record<string, string>, number, string] => [
        { ...half, origin: edge.origin, cookie: dana.cookie },
        426,
        "upgrade_required",
      ]),
    ];
    for (const [headers, status, code] of cases) {
      const response = await edge.app.request(`${edge.origin}/ws`, { headers });
      assert.deepEqual([response.status, (await response.json()).code], [status, code]);
    }
  },
);

Deno.test(
  "/ws closes the sockets of a session that logs out, and leaves the user's others open",
  strict,
  async () => {
    await using test = await openTestApp();
    await using edge = serve(test);
    const dana = await test.addPerson();
    const yossi = await test.addPerson();
    const danas = await edge.open({ cookie: dana.cookie });
    const yossis = await edge.open({ cookie: yossi.cookie });
    await dana.ask("/api/auth/logout", { method: "POST" });
    assert.equal(await danas.closed, BROWSER_CLOSE.sessionEnded);
    await commit(test, [yossi.id]);
    assert.equal((await yossis.heard(1)).length, 1);
    await yossis.end();
  },
);

Deno.test(
  "/ws sends people of one client its events, and closes a removed person's socket",
  strict,
  async () => {
    await using test = await openTestApp();
    await using edge = serve(test);
    const owner = await test.addPerson();
    const reader = await test.addColleague(owner, "reader");
    const [owners, readers] = [
      await edge.open({ cookie: owner.cookie }),
      await edge.open({ cookie: reader.cookie }),
    ];
    await commit(test, [owner.id]);
    assert.equal((await owners.heard(1)).length, 1);
    assert.equal((await readers.heard(1)).length, 1);
    assert.equal((await owner.ask(`/api/people/${reader.id}`, { method: "DELETE" })).status, 204);
    assert.equal(await readers.closed, BROWSER_CLOSE.sessionEnded);
    await owners.end();
  },
);

Deno.test(
  "/ws answers a ping, ignores other frames, and closes on one of more than a kilobyte",
  strict,
  async () => {
    await using test = await openTestApp();
    await using edge = serve(test);
    const { id, cookie } = await test.addPerson();
    const socket = await edge.open({ cookie });
    for (const frame of ["{", "null", '{"type":"send_all"}', "ping", '{"type":"ping"}']) socket.send(frame);
    assert.deepEqual(await socket.heard(2), ["pong", '{"type":"pong"}']);
    assert.deepEqual(edge.attempts, []);
    socket.send("x".repeat(2_000));
    assert.equal(await socket.closed, 1009);
    const binary = await edge.open({ cookie });
    binary.send(new Uint8Array(3));
    assert.equal(await binary.closed, 1009);
    const attempt = { code: "bad_frame", user: id, path: "/ws" };
    assert.deepEqual(edge.attempts, [attempt, attempt]);
  },
);

Deno.test("/ws disconnects a browser that asks and does not read the answers", strict, async () => {
  await using test = await openTestApp();
  await using edge = serve(test);
  const { add } = edge.browsers;
  edge.browsers.add = (socket, user) => {
    Object.defineProperty(socket, "bufferedAmount", { value: 1_000_000 });
    add(socket, user);
  };
  const { cookie } = await test.addPerson();
  for (const frame of ["ping", '{"type":"ping"}']) {
    const socket = await edge.open({ cookie });
    socket.send(frame);
    assert.equal(await socket.closed, BROWSER_CLOSE.tooSlow);
  }
  assert.equal(edge.browsers.size, 0);
});

Deno.test(
  "/ws counts frames as calls over all sockets of a user, and closes beyond the bound",
  strict,
  async () => {
    await using test = await openTestApp();
    await using edge = serve(test, createCallRate(test.ctx.now, { burst: 5, perSecond: 1 }));
    const { id, cookie } = await test.addPerson();
    const [one, two] = [await edge.open({ cookie }), await edge.open({ cookie })];
    for (let i = 0; i < 3; i++) one.send("ping");
    assert.deepEqual(await one.heard(3), ["pong", "pong", "pong"]);
    for (const frame of ["what no page says", "ping"]) two.send(frame);
    assert.deepEqual(await two.heard(1), ["pong"]);
    // Send nothing after it: when a closed socket has unread data, the other end loses the close code.
    two.send("ping");
    assert.equal(await two.closed, BROWSER_CLOSE.tooMany);
    assert.deepEqual(edge.attempts, [{ code: "too_many_attempts", user: id, path: "/ws" }]);
    const other = await edge.open(await test.addPerson());
    other.send("ping");
    assert.deepEqual(await other.heard(1), ["pong"]);
    test.clock.now += 1_000;
    one.send("ping");
    assert.equal((await one.heard(4)).length, 4);
    await Promise.all([one.end(), other.end()]);
  },
);

Deno.test("/ws keeps nothing of closed sockets", strict, async () => {
  await using test = await openTestApp();
  await using edge = serve(test);
  const { cookie } = await test.addPerson();
  const { join } = edge.tail;
  let listeners = 0;
  edge.tail.join = async () => {
    const leave = await join();
    listeners++;
    return () => {
      listeners--;
      leave();
    };
  };
  const sockets = await Promise.all(Array.from({ length: 20 }, () => edge.open({ cookie })));
  assert.equal(edge.browsers.size, 20);
  await Promise.all(sockets.map((socket) => socket.end()));
  while (edge.browsers.size > 0) await sleep(1);
  assert.equal(listeners, 0, "nobody is followed for any more");
});

Deno.test("/ws closes a socket whose session ends during the upgrade", strict, async () => {
  await using test = await openTestApp();
  await using edge = serve(test);
  const dana = await test.addPerson();
  const { join } = edge.tail;
  edge.tail.join = async () => {
    assert.equal((await dana.ask("/api/auth/logout", { method: "POST" })).status, 204);
    return await join();
  };
  const headers = { ...HANDSHAKE, origin: edge.origin, cookie: dana.cookie };
  const response = await edge.app.request(`${edge.origin}/ws`, { headers });
  assert.deepEqual([response.status, (await response.json()).code], [401, "not_logged_in"]);
});

/** Serves the live route over a real socket, with its tail running. */
function serve(test: TestApp, callRate?: CallRate) {
  const browsers = createBrowserHub(test.ctx.now);
  const tail = createTail({
    db: test.ctx.db,
    log: test.ctx.log,
    sleep,
    browsers,
    deliverToAgents: () => {},
  });
  const stop = new AbortController();
  const ended = tail.run(stop.signal);
  const app = createRouter();
  app.onError(onError(test.ctx));
  app.use(
    "/ws",
    originGuard(undefined),
    identify(test.ctx, sessionCookie(false), createBoundKeys(test.ctx, test.ctx.now)),
  );
  const attempts: Attempt[] = [];
  const sawAttempt = (attempt: Attempt) => void attempts.push(attempt);
  app.route("/", liveRoutes(test.ctx, { browsers, tail, callRate, sawAttempt }));
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.fetch);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return {
    app,
    origin,
    attempts,
    browsers,
    tail,
    open: ({ cookie }: { cookie: string }) => openLiveSocket(origin, cookie),
    async [Symbol.asyncDispose]() {
      browsers.closeAll();
      stop.abort();
      await Promise.all([ended, server.shutdown()]);
    },
  };
}

/** Writes one event for each of these clients; its campaign has the client's id. */
async function commit(test: TestApp, clients: number[]): Promise<void> {
  await test.ctx.db.execute({
    sql: `INSERT INTO events (at, type, client, campaign, data)
      SELECT 1, 'campaign_changed', value, value, json_object('campaignId', value) FROM json_each(?)`,
    args: [JSON.stringify(clients)],
  });
}
