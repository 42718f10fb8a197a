/**
 * Requests that a proxy in front may split differently from the edge (smuggling): each is refused, and none hides
 * another.
 */
import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";
import { serve } from "./serve.ts";

const HIDDEN = "GET /healthz HTTP/1.1\r\nHost: hidden\r\n\r\n";
const CHUNKED = `0\r\n\r\n${HIDDEN}`;
/** The text after the first two lines. */
const SHAPES: Record<string, string> = {
  "two lengths": `Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${HIDDEN}`,
  "two lengths in one line": `Content-Length: 2, 40\r\n\r\n{}${HIDDEN}`,
  "a length and chunks": `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED}`,
  "chunks and a length": `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${CHUNKED}`,
  "chunks by another name": `Transfer-Encoding: xchunked\r\n\r\n${CHUNKED}`,
  "chunks that are not last": `Transfer-Encoding: chunked, identity\r\n\r\n${CHUNKED}`,
  "a length with a sign": `Content-Length: +2\r\n\r\n{}${HIDDEN}`,
  "a length below zero": `Content-Length: -1\r\n\r\n${HIDDEN}`,
  "a length beyond any": `Content-Length: 99999999999999999999\r\n\r\n{}${HIDDEN}`,
  "a space before the colon": `Content-Length : 2\r\n\r\n{}${HIDDEN}`,
  "a folded line": `X-One: 1\r\n Content-Length: 2\r\n\r\n{}${HIDDEN}`,
};

Deno.test("a request whose end can be read in two ways is refused, and its connection closed", async (t) => {
  await using edge = await openTestApp();
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  const port = Number(new URL(listener.url).port);
  for (const [what, rest] of Object.entries(SHAPES)) {
    await t.step(what, async () => {
      const connection = await Deno.connect({ port });
      const head = "POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\n";
      await connection.write(new TextEncoder().encode(head + rest));
      const answer = await new Response(connection.readable).text();
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, "one answer");
    });
  }
  assert.deepEqual(edge.logged, [], "nothing of it reached the application");
  await listener.stop(1_000);
});
