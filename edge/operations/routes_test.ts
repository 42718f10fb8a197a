import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";
import { FIGURES_KEPT_MS } from "./database_gauges.ts";
import { READINESS_KEPT_MS } from "./readiness.ts";

const TOKEN = "a-token-of-tests-0123456789";

Deno.test("operationsRoutes() serves figures to this machine only, and not through a proxy on it", async () => {
  await using edge = await openTestApp();
  const ask = async (address: string, headers: Record<string, string> = {}) => {
    const answer = await edge.visitor.ask("/metrics", { address, headers });
    return [answer.status, await answer.text()] as const;
  };
  const [status, text] = await ask("127.0.0.1");
  assert.equal(status, 200);
  assert.match(text, /^shigur_database_up 1$/m);
  assert.match(text, /^shigur_queue_deliveries 0$/m);
  assert.equal((await ask("::1"))[0], 200);
  assert.equal((await ask("192.0.2.7"))[0], 404);
  const elsewhere = await edge.app.request("http://shigur.example/metrics", {}, {
    remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  });
  assert.equal(elsewhere.status, 404, "a proxy that adds no header asks for people's name");
  const noHost = new Request("http://127.0.0.1/metrics");
  Object.defineProperty(noHost, "url", { value: "http://][/metrics" });
  const nowhere = await edge.app.fetch(noHost, {
    remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  });
  assert.equal(nowhere.status, 404, "a Host that is none");
  for (const name of ["x-forwarded-for", "forwarded", "via"]) {
    assert.equal((await ask("127.0.0.1", { [name]: "127.0.0.1" }))[0], 404, name);
  }
});

Deno.test("operationsRoutes() serves figures to nobody without a token when it listens on other addresses", async () => {
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "127.example.org"]) {
    await using edge = await openTestApp({ host });
    assert.equal((await edge.visitor.ask("/metrics", { address: "127.0.0.1" })).status, 404, host);
  }
  for (const host of ["localhost", "::1", "127.0.0.2"]) {
    await using edge = await openTestApp({ host });
    assert.equal((await edge.visitor.ask("/metrics", { address: "127.0.0.1" })).status, 200, host);
  }
});

Deno.test("operationsRoutes() serves figures only to callers with the token", async () => {
  await using edge = await openTestApp({ metricsToken: TOKEN });
  const ask = async (authorization?: string) => {
    const headers: HeadersInit = authorization === undefined ? {} : { authorization };
    const answer = await edge.visitor.ask("/metrics", { address: "127.0.0.1", headers });
    await answer.body?.cancel();
    return answer.status;
  };
  assert.equal(await ask(`Bearer ${TOKEN}`), 200);
  for (const wrong of [undefined, "", TOKEN, `Bearer ${TOKEN}x`, "Bearer "]) {
    assert.equal(await ask(wrong), 404);
  }
});

Deno.test("operationsRoutes() reads the database for its figures once in a few seconds, for all callers", async () => {
  await using edge = await openTestApp();
  const read = async () => await (await edge.visitor.ask("/metrics", { address: "127.0.0.1" })).text();
  const client = await edge.addPerson();
  await read();
  await edge.ctx.db.execute({
    sql: `INSERT INTO campaigns (client, name, message, status, queued_count, send_at, created_at, updated_at)
      VALUES (?, 'א', 'ב', 'active', 7, 0, 0, 0)`,
    args: [client.id],
  });
  assert.match(await read(), /^shigur_queue_deliveries 0$/m);
  edge.clock.now += FIGURES_KEPT_MS;
  assert.match(await read(), /^shigur_queue_deliveries 7$/m);
});

Deno.test("operationsRoutes() omits the database's figures when it does not answer", async () => {
  await using edge = await openTestApp();
  edge.ctx.db.close();
  const text = await (await edge.visitor.ask("/metrics", { address: "127.0.0.1" })).text();
  assert.match(text, /^shigur_database_up 0$/m);
  assert.ok(!text.includes("shigur_queue_deliveries"));
  assert.match(text, /^shigur_sockets\{kind="agent"\} 0$/m);
});

Deno.test("/readyz refuses without a database, without a migration and while stopping; /healthz still answers", async () => {
  await using edge = await openTestApp();
  const ask = async (path: string) => {
    edge.clock.now += READINESS_KEPT_MS;
    const answer = await edge.visitor.ask(path);
    await answer.body?.cancel();
    return answer.status;
  };
  assert.equal(await ask("/readyz"), 200);
  const newest = "(SELECT max(name) FROM schema_migrations)";
  const { rows: [row] } = await edge.ctx.db.execute(
    `DELETE FROM schema_migrations WHERE name = ${newest} RETURNING name, sha256`,
  );
  assert.equal(await ask("/readyz"), 503);
  await edge.ctx.db.execute({
    sql: "INSERT INTO schema_migrations VALUES (?, ?)",
    args: [row!.name, row!.sha256],
  });
  assert.equal(await ask("/readyz"), 200);
  edge.readiness.stop();
  const loggedBefore = edge.logged.length;
  assert.deepEqual([await ask("/readyz"), await ask("/healthz")], [503, 200]);
  const socket = await edge.visitor.ask("/agent/ws", { headers: { upgrade: "websocket" } });
  assert.deepEqual([socket.status, socket.headers.get("connection")], [503, "close"]);
  const page = await edge.visitor.ask("/api/auth/me");
  assert.deepEqual([page.status, page.headers.get("connection")], [401, "close"]);
  const warned = edge.logged.slice(loggedBefore).filter((line) => JSON.parse(line).level === "warn");
  assert.deepEqual(warned, [], "an instance that was told to stop warns of nothing that it turns away");
});

Deno.test("/readyz refuses when the database is gone", async () => {
  await using edge = await openTestApp();
  edge.ctx.db.close();
  const answer = await edge.visitor.ask("/readyz");
  assert.deepEqual([answer.status, (await answer.json()).code], [503, "not_ready"]);
});
