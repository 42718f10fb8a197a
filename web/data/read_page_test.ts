import assert from "node:assert/strict";
import { readPage } from "./read_page.ts";
import { withServer } from "../testing/with_server.ts";

Deno.test("readPage() sends a page in the address, and the words of a search in the body", async () => {
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
