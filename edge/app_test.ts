import assert from "node:assert/strict";
import { makeCampaign } from "./testing/make_campaign.ts";
import { openTestApp, TEST_PASSWORD } from "./testing/test_app.ts";
import { serve } from "./http/serve.ts";
import { CONTENT_SECURITY_POLICY } from "./http/security_headers.ts";

const KIB = 1024;
const json = { "content-type": "application/json", origin: "http://localhost" };

Deno.test("createApp() logs a person in, returns their user, and ends the session at logout", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson({ messageQuota: 7 });
  const me = await client.ask("/api/auth/me");
  assert.equal(me.status, 200);
  assert.deepEqual(await me.json(), {
    id: client.id,
    username: client.username,
    role: "client",
    messageQuota: 7,
    disabled: false,
    secondFactor: false,
    lacksSecondFactor: false,
    firstPassword: false,
    createdAt: edge.clock.now,
  });
  assert.equal((await client.ask("/api/auth/logout", { method: "POST" })).status, 204);
  assert.equal((await client.ask("/api/auth/me")).status, 401);
});

Deno.test("createApp() puts the strict policy, a request id and no-store on answers, refusals and failures", async () => {
  await using edge = await openTestApp({ publicUrl: new URL("https://shigur.example") });
  const client = await edge.addPerson();
  for (const path of ["/api/auth/me", "/api/no-such", "/api/users", "/ws", "/healthz"]) {
    const { headers } = await client.ask(path);
    assert.equal(headers.get("content-security-policy"), CONTENT_SECURITY_POLICY, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(headers.get("strict-transport-security"), "max-age=31536000");
    assert.match(headers.get("x-request-id")!, /^[0-9a-f]{16}$/);
    assert.equal(headers.get("access-control-allow-origin"), null);
    if (path.startsWith("/api")) assert.equal(headers.get("cache-control"), "no-store");
  }
  assert.ok(!/unsafe-|\*|https?:/.test(CONTENT_SECURITY_POLICY));
});

Deno.test("createApp() answers an unknown call with JSON, for any method and any caller", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  for (
    const path of ["/api", "/api/", "/api/no-such", "/api/users/1/no-such", "/api/auth/login/x", "/agent/x"]
  ) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      for (const person of [admin, edge.visitor]) {
        const answer = await person.ask(path, { method });
        assert.equal(answer.status, 404, `${method} ${path}`);
        assert.deepEqual(await answer.json(), { error: "לא נמצא.", code: "not_found" });
      }
    }
  }
  assert.equal((await admin.ask("/api/auth/me", { method: "DELETE" })).status, 404);
  for (const method of ["POST", "PUT", "OPTIONS", "PROPFIND"]) {
    const answer = await admin.ask("/login", { method });
    assert.deepEqual(await answer.json(), { error: "לא נמצא.", code: "not_found" });
    assert.equal(answer.headers.get("content-security-policy"), CONTENT_SECURITY_POLICY, method);
  }
});

Deno.test("createApp() refuses bodies that are broken, too large or of another kind, before anything reads them", async () => {
  await using edge = await openTestApp();
  const ask = async (body: BodyInit, headers: HeadersInit = json, path = "/api/auth/login") => {
    const answer = await edge.app.request(path, { method: "POST", body, headers });
    const { code } = await answer.json();
    return `${answer.status} ${code}`;
  };
  const valid = JSON.stringify({ username: "nobody", password: TEST_PASSWORD });
  assert.equal(await ask(valid), "401 wrong_credentials");
  assert.equal(
    await ask(valid, { "content-type": "application/json; charset=utf-8" }),
    "401 wrong_credentials",
  );
  for (
    const broken of [
      "",
      "{",
      '{"username":',
      "undefined",
      "\u0000",
      "[".repeat(30_000),
      new Uint8Array([0xff, 0xfe]),
    ]
  ) {
    assert.equal(await ask(broken), "400 invalid_input", String(broken).slice(0, 20));
  }
  for (
    const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "text/json",
    ]
  ) {
    assert.equal(await ask(valid, { "content-type": type }), "415 unsupported_media", type);
  }
  assert.equal(await ask(`"${"x".repeat(64 * KIB)}"`), "413 body_too_large");
  assert.equal(await ask(endless(), json), "413 body_too_large");
  assert.equal(await ask(" ".repeat(64 * KIB - valid.length) + valid), "401 wrong_credentials", "just fits");
});

Deno.test("createApp() accepts a POST without a body and without a length", async () => {
  await using edge = await openTestApp();
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  const connection = await Deno.connect({ port: Number(new URL(listener.url).port) });
  const request = "POST /api/auth/logout HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  await connection.write(new TextEncoder().encode(request));
  assert.match(await new Response(connection.readable).text(), /^HTTP\/1\.1 204 /);
  await listener.stop(1_000);
});

Deno.test("createApp() accepts up to ten megabytes of pasted numbers", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const paste = async (length: number) => {
    const answer = await client.ask("/api/campaigns/999/contacts/manual", {
      method: "POST",
      json: { numbers: "5".repeat(length) },
    });
    return answer.status;
  };
  assert.equal(await paste(10 * KIB * KIB), 404);
  assert.equal(await paste(11 * KIB * KIB), 413);
});

Deno.test("createApp() changes nothing when a pasted list continues for too long after its end", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const id = await makeCampaign(edge.ctx, { client: client.id, status: "draft" });
  const list = new TextEncoder().encode('{"numbers":"0521234567"}');
  const spaces = new TextEncoder().encode(" ".repeat(1024 * KIB));
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (sent === 12) return controller.close();
      controller.enqueue(sent++ === 0 ? list : spaces);
    },
  });
  const path = `/api/campaigns/${id}/contacts/manual`;
  assert.equal((await client.ask(path, { method: "POST", body, headers: json })).status, 413);
  const { totalContacts } = await (await client.ask(`/api/campaigns/${id}`)).json();
  assert.equal(totalContacts, 0);
});

Deno.test("createApp() identifies the caller before it reads a long body, and stops reading an endless one", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const path = "/api/campaigns/1/contacts/manual";
  for (const headers of [json, { ...json, "content-length": "9000000" }]) {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16 * KIB));
      },
    });
    assert.equal((await edge.app.request(path, { method: "POST", body, headers })).status, 401);
    assert.ok(pulled <= 4, `${pulled} pieces`);
  }
  assert.equal((await client.ask(path, { method: "POST", body: endless(), headers: json })).status, 413);
});

Deno.test("createApp() answers an unexpected failure with 500 and no details, and logs it with the request's id", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  edge.ctx.db.execute = () => Promise.reject(new Error("secret table sessions is gone"));
  const answer = await client.ask("/api/auth/me");
  assert.equal(answer.status, 500);
  const text = await answer.text();
  assert.equal(JSON.parse(text).code, "internal");
  assert.ok(!text.includes("secret"));
  const line = edge.logged.map((one) => JSON.parse(one)).find((one) => one.event === "request_failed");
  assert.equal(line.requestId, answer.headers.get("x-request-id"));
  assert.match(line.error, /secret table/);

  const ready = await edge.app.request("/readyz");
  assert.deepEqual([ready.status, (await ready.json()).code], [503, "not_ready"]);
  assert.equal((await edge.app.request("/healthz")).status, 200);
});

Deno.test("createApp() logs no password, cookie or body", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: "dana", password: "hunter2hunter2" },
  });
  await client.ask("/api/auth/login", { method: "POST", json: { username: 5, password: "hunter2hunter2" } });
  const all = edge.logged.join("\n");
  assert.ok(edge.logged.length > 0);
  assert.ok(!all.includes("hunter2") && !all.includes(client.cookie.slice(16, 40)));
});

function endless(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(16 * KIB)) });
}
