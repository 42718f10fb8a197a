import assert from "node:assert/strict";
import {
  ApiError,
  apiJson,
  apiRequest,
  isSessionOver,
  pathOfKey,
  readByKey,
  readPage,
} from "./api_client.ts";

/** Runs `use` while fetch goes to a real server that answers with `answer`. */
async function withServer(
  answer: (request: Request) => Response | Promise<Response>,
  use: () => Promise<void>,
) {
  const realFetch = globalThis.fetch;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  const base = `http://127.0.0.1:${server.addr.port}`;
  globalThis.fetch = (path, init) => realFetch(new URL(String(path), base), init);
  try {
    await use();
  } finally {
    globalThis.fetch = realFetch;
    await server.shutdown();
  }
}

Deno.test("apiRequest() raises the status, a colon and the body", async () => {
  await withServer(() => new Response("no such thing", { status: 404 }), async () => {
    await assert.rejects(apiRequest("GET", "/api/x"), { message: "404: no such thing", status: 404 });
  });
});

Deno.test("apiRequest() raises the status text when the body is empty", async () => {
  await withServer(() => new Response(null, { status: 503, statusText: "Service Unavailable" }), async () => {
    await assert.rejects(apiRequest("GET", "/api/x"), { message: "503: Service Unavailable" });
  });
});

Deno.test("readPage() asks for a page by its address, and for what is searched for by its body", async () => {
  const echo = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return Response.json([request.method, pathname + search, await request.text()]);
  };
  const { signal } = new AbortController();
  await withServer(echo, async () => {
    const page = { limit: 20, state: undefined, cursor: null };
    assert.deepEqual(await readPage("/api/x", { ...page, q: "" }, signal), ["GET", "/api/x?limit=20", ""]);
    assert.deepEqual(await readPage("/api/x", { ...page, cursor: "0.7", q: "054-371" }, signal), [
      "POST",
      "/api/x/search",
      '{"limit":20,"cursor":"0.7","q":"054-371"}',
    ]);
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

Deno.test("readByKey() reads the path its key's segments make", async () => {
  assert.equal(pathOfKey(["/api/campaigns", 7, "deliveries"]), "/api/campaigns/7/deliveries");
  await withServer((request) => Response.json(new URL(request.url).pathname), async () => {
    assert.equal(await readByKey<string>()({ queryKey: ["/api/campaigns", 7] }), "/api/campaigns/7");
  });
});

Deno.test("readByKey() raises a 401 by default and answers null when told to", async () => {
  const answer = () => Response.json({ error: "נא להתחבר", code: "not_logged_in" }, { status: 401 });
  await withServer(answer, async () => {
    const context = { queryKey: ["/api/auth/me"] };
    await assert.rejects(readByKey()(context), (error) => error instanceof ApiError && isSessionOver(error));
    assert.equal(await readByKey({ on401: "null" })(context), null);
  });
});

Deno.test("readByKey() raises other refusals in either mode", async () => {
  await withServer(() => new Response("x", { status: 500 }), async () => {
    await assert.rejects(readByKey({ on401: "null" })({ queryKey: ["/api/auth/me"] }), { message: "500: x" });
  });
});
