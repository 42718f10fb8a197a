/** Headers and body of every kind of response, for every kind of caller. */
import assert from "node:assert/strict";
import { paste } from "../testing/advertising.ts";
import { addressOf, ROUTES } from "../testing/route_table.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { CONTENT_SECURITY_POLICY } from "./security_headers.ts";
import { serve } from "./serve.ts";

const ON_EVERY_ANSWER = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "strict-transport-security": "max-age=31536000",
};
/** Headers with names and versions of programs, which help an attacker choose an attack. */
const ON_NONE = ["server", "x-powered-by", "via"];
const JSON_TYPE = /^application\/json(; charset=UTF-8)?$/i;

Deno.test("every answer of every route carries the security headers, and the type of its body", async () => {
  await using world = await openWorld();
  const { edge, client, admin, id } = world;
  const seen = new Set<number>();
  for (const [route, { json }] of Object.entries(ROUTES)) {
    const method = route.slice(0, route.indexOf(" "));
    for (const person of [edge.visitor, client, admin]) {
      if (route === "POST /api/auth/logout" && person !== edge.visitor) continue;
      const answer = await person.ask(addressOf(route, { id }), { method, json });
      seen.add(answer.status);
      await assertHeaders(answer, route);
    }
  }
  for (const status of [200, 201, 204, 400, 401, 403, 404, 415, 426]) {
    assert.ok(seen.has(status), `no answer was ${status}`);
  }
});

Deno.test("each kind of answer states its type, and how long it may be kept", async () => {
  await using world = await openWorld();
  const { edge, client, admin, id } = world;
  const big = { method: "POST", json: "x".repeat(70_000) };
  const wrong = { method: "POST", body: "x", headers: { "content-type": "text/plain" } };
  const metrics = { headers: { authorization: `Bearer ${METRICS_TOKEN}` } };
  const kinds: [Pick<TestPerson, "ask">, string, RequestInit, number, RegExp, RegExp][] = [
    [edge.visitor, "/", {}, 200, /^text\/html; charset=utf-8$/i, /^no-cache$/],
    [edge.visitor, "/client/campaign/1", {}, 200, /^text\/html; charset=utf-8$/i, /^no-cache$/],
    [edge.visitor, "/assets/app-1.js", {}, 200, /^text\/javascript; charset=utf-8$/i, /immutable$/],
    [edge.visitor, "/assets/app-1.css", {}, 200, /^text\/css; charset=utf-8$/i, /immutable$/],
    [edge.visitor, "/robots.txt", {}, 200, /^text\/plain; ?charset=utf-8$/i, /^public/],
    [edge.visitor, "/favicon.svg", {}, 200, /^image\/svg\+xml/, /^public/],
    [edge.visitor, "/assets/none.js", {}, 404, /^text\/plain; ?charset=utf-8$/i, /^$/],
    [edge.visitor, "/healthz", {}, 200, /^text\/plain; ?charset=utf-8$/i, /^$/],
    [edge.visitor, "/metrics", metrics, 200, /^text\/plain; version=0\.0\.4; charset=utf-8$/i, /^no-store$/],
    [edge.visitor, "/agent/install.sh", {}, 200, /^text\/x-shellscript; charset=utf-8$/i, /^no-cache$/],
    [client, "/api/campaigns", {}, 200, JSON_TYPE, /^private, no-cache$/],
    [client, `/api/campaigns/${id}`, {}, 200, JSON_TYPE, /^no-store$/],
    [client, `/api/campaigns/${id}/image`, {}, 200, /^image\/png$/, /^private, /],
    [client, `/api/campaigns/${id}/deliveries.csv`, {}, 200, /^text\/csv; charset=utf-8$/, /^no-store$/],
    [admin, "/api/admin/audit.csv", {}, 200, /^text\/csv; charset=utf-8$/, /^no-store$/],
    [client, "/api/campaigns/x", {}, 404, JSON_TYPE, /^no-store$/],
    [client, "/api/users", {}, 403, JSON_TYPE, /^no-store$/],
    [edge.visitor, "/api/auth/me", {}, 401, JSON_TYPE, /^no-store$/],
    [edge.visitor, "/api/auth/login", big, 413, JSON_TYPE, /^no-store$/],
    [edge.visitor, "/api/auth/login", wrong, 415, JSON_TYPE, /^no-store$/],
    [edge.visitor, "/", { method: "PROPFIND" }, 404, JSON_TYPE, /^$/],
  ];
  for (const [person, path, init, status, type, cache] of kinds) {
    const answer = await person.ask(path, init);
    assert.equal(answer.status, status, path);
    assert.match(answer.headers.get("content-type") ?? "", type, path);
    assert.match(answer.headers.get("cache-control") ?? "", cache, path);
    await assertHeaders(answer, path);
  }

  const list = await client.ask("/api/campaigns");
  const headers = { "if-none-match": list.headers.get("etag")! };
  const unchanged = await client.ask("/api/campaigns", { headers });
  assert.equal(unchanged.status, 304);
  await assertHeaders(unchanged, "304");
  edge.ctx.db.execute = () => Promise.reject(new Error("the database is gone"));
  const failed = await client.ask("/api/auth/me");
  assert.equal(failed.status, 500);
  await assertHeaders(failed, "500");
  edge.readiness.stop();
  const stopping = await edge.visitor.ask("/readyz");
  assert.equal(stopping.status, 503);
  await assertHeaders(stopping, "503");
});

Deno.test("TRACE is refused with an empty answer", async () => {
  await using edge = await openTestApp();
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  const { host, port } = new URL(listener.url);
  for (const path of ["/", "/api/auth/me", "/ws"]) {
    const connection = await Deno.connect({ port: Number(port) });
    // From our own pages, so that no other guard refuses it first.
    const request =
      `TRACE ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nX-Mine: secret\r\n` +
      "Connection: close\r\n\r\n";
    await connection.write(new TextEncoder().encode(request));
    const answer = await new Response(connection.readable).text();
    assert.match(answer, /^HTTP\/1\.1 40[045] /, path);
    assert.ok(!answer.includes("secret"));
  }
  await listener.stop(1_000);
});

const METRICS_TOKEN = "a-token-of-metrics";

async function assertHeaders(answer: Response, what: string): Promise<void> {
  for (const [name, value] of Object.entries(ON_EVERY_ANSWER)) {
    assert.equal(answer.headers.get(name), value, `${name} of ${answer.status} ${what}`);
  }
  for (const name of ON_NONE) assert.equal(answer.headers.get(name), null, `${name} of ${what}`);
  const body = await answer.text();
  if (body !== "") assert.ok(answer.headers.get("content-type"), `type of ${what}`);
  if (body.startsWith("{")) assert.match(answer.headers.get("content-type")!, JSON_TYPE, what);
}

/**
 * Opens an edge under https with built screens, a client with a campaign, its image and a contact, and an
 * administrator.
 */
async function openWorld() {
  const webDir = await Deno.makeTempDir();
  const files = {
    "index.html": "<!doctype html><title>שיגור</title>",
    "robots.txt": "User-agent: *",
    "favicon.svg": "<svg/>",
    "assets/app-1.js": "export {};",
    "assets/app-1.css": "a{}",
  };
  await Deno.mkdir(`${webDir}/assets`);
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${webDir}/${name}`, text);
  const publicUrl = new URL("https://shigur.example");
  const edge: TestApp = await openTestApp({ webDir, publicUrl, metricsToken: METRICS_TOKEN });
  const client = await edge.addPerson({ messageQuota: 5 });
  const admin = await edge.addPerson({ role: "admin" });
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", "שלום");
  const picture = new URL("../campaigns/testdata/picture.png", import.meta.url);
  form.set("image", new File([await Deno.readFile(picture)], "picture.png"));
  const { id } = await (await client.ask("/api/campaigns", { method: "POST", body: form })).json();
  await paste(client, id, "0521111111");
  return {
    edge,
    client,
    admin,
    id: Number(id),
    async [Symbol.asyncDispose]() {
      await edge[Symbol.asyncDispose]();
      await Deno.remove(webDir, { recursive: true });
    },
  };
}
