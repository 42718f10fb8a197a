import assert from "node:assert/strict";
import { ApiError, apiJson, apiRequest, isSessionOver, pathOfKey, readByKey } from "./api_client.ts";
import { withServer } from "../testing/with_server.ts";

Deno.test("apiRequest() throws the status, a colon and the body", async () => {
  await withServer(() => new Response("no such thing", { status: 404 }), async () => {
    await assert.rejects(apiRequest("GET", "/api/x"), { message: "404: no such thing", status: 404 });
  });
});

Deno.test("apiRequest() throws the status text when the body is empty", async () => {
  await withServer(() => new Response(null, { status: 503, statusText: "Service Unavailable" }), async () => {
    await assert.rejects(apiRequest("GET", "/api/x"), { message: "503: Service Unavailable" });
  });
});

Deno.test("ApiError carries the server's sentence, code and Retry-After", async () => {
  const body = { error: "יותר מדי ניסיונות", code: "too_many_attempts" };
  const answer = () => Response.json(body, { status: 429, headers: { "retry-after": "30" } });
  await withServer(answer, async () => {
    await assert.rejects(apiRequest("POST", "/api/x"), {
      serverText: body.error,
      code: body.code,
      retryAfterSeconds: 30,
    });
  });
});

Deno.test("apiRequest() sends plain values as JSON and forms as multipart", async () => {
  const echo = async (request: Request) =>
    Response.json({ type: request.headers.get("content-type"), text: await request.text() });
  await withServer(echo, async () => {
    assert.deepEqual(await apiJson("POST", "/api/x", { body: { a: 1 } }), {
      type: "application/json",
      text: '{"a":1}',
    });
    const form = new FormData();
    form.set("name", "סתיו");
    const sent = await apiJson<{ type: string; text: string }>("POST", "/api/x", { body: form });
    assert.match(sent.type, /^multipart\/form-data; boundary=/);
    assert.match(sent.text, /סתיו/);
  });
});

Deno.test("readByKey() reads the path that its key's segments form", async () => {
  assert.equal(pathOfKey(["/api/campaigns", 7, "deliveries"]), "/api/campaigns/7/deliveries");
  await withServer((request) => Response.json(new URL(request.url).pathname), async () => {
    assert.equal(await readByKey<string>()({ queryKey: ["/api/campaigns", 7] }), "/api/campaigns/7");
  });
});

Deno.test("readByKey() throws a 401 by default and returns null on request", async () => {
  const answer = () => Response.json({ error: "נא להתחבר", code: "not_logged_in" }, { status: 401 });
  await withServer(answer, async () => {
    const context = { queryKey: ["/api/auth/me"] };
    await assert.rejects(readByKey()(context), (error) => error instanceof ApiError && isSessionOver(error));
    assert.equal(await readByKey({ on401: "null" })(context), null);
  });
});

Deno.test("readByKey() throws other refusals in either mode", async () => {
  await withServer(() => new Response("x", { status: 500 }), async () => {
    await assert.rejects(readByKey({ on401: "null" })({ queryKey: ["/api/auth/me"] }), { message: "500: x" });
  });
});

Deno.test("apiRequest() keeps the key of a call that acts once until its answer came", async () => {
  const keys: (string | null)[] = [];
  const statuses = [500, 409, 201, 201];
  const answer = (request: Request) => {
    keys.push(request.headers.get("idempotency-key"));
    const status = statuses.shift()!;
    return Response.json({ code: status === 409 ? "call_running" : undefined }, { status });
  };
  const form = (name: string) => {
    const form = new FormData();
    form.set("name", name);
    form.set("image", new File(["x"], "a.png", { lastModified: 1 }));
    return form;
  };
  const press = (name = "סתיו") => apiRequest("POST", "/api/campaigns", { body: form(name), once: true });
  await withServer(answer, async () => {
    await assert.rejects(press(), "a fault: nobody knows whether it acted");
    await assert.rejects(press(), "the first still runs");
    await (await press()).body?.cancel();
    await (await press()).body?.cancel();
  });
  assert.match(keys[0]!, /^[0-9a-f]{32}$/);
  assert.equal(keys[1], keys[0]);
  assert.equal(keys[2], keys[0]);
  assert.notEqual(keys[3], keys[0], "after the answer it is a new act");
});

Deno.test("apiRequest() gives calls with other content other keys, and ordinary calls none", async () => {
  const keys: (string | null)[] = [];
  const answer = (request: Request) => {
    keys.push(request.headers.get("idempotency-key"));
    return new Response(null, { status: 500 });
  };
  await withServer(answer, async () => {
    for (const phone of ["0501", "0502", "0501"]) {
      await assert.rejects(apiRequest("POST", "/api/x", { body: { phone }, once: true }));
    }
    await assert.rejects(apiRequest("POST", "/api/x", { body: { phone: "0501" } }));
  });
  assert.notEqual(keys[0], keys[1]);
  assert.equal(keys[2], keys[0]);
  assert.equal(keys[3], null);
});

Deno.test("apiRequest() keeps the key of a call whose answer broke off in its middle", async () => {
  const keys: (string | null)[] = [];
  const answer = (request: Request) => {
    keys.push(request.headers.get("idempotency-key"));
    if (keys.length > 1) return Response.json({ id: 7 }, { status: 201 });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'));
      },
      pull: (controller) => controller.error(new Error("the line broke")),
    });
    return new Response(body, { status: 201 });
  };
  const press = () => apiJson<{ id: number }>("POST", "/api/lists", { body: { name: "סתיו" }, once: true });
  await withServer(answer, async () => {
    await assert.rejects(press());
    assert.equal((await press()).id, 7);
  });
  assert.equal(keys[1], keys[0]);
});
