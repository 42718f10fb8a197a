/** Bodies in very small pieces over a real socket: the cost lies in the runtime's own streams. */
import assert from "node:assert/strict";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { BYTES_A_PIECE, FREE_PIECES, gatherBody } from "./gather_body.ts";
import { HttpError } from "./http_error.ts";

/** One piece of a body keeps 64 kB of memory when its reader brings no buffer; this many would take 2 GB. */
const MANY_PIECES = 32_000;
const MAX_MEMORY_BYTES = 200 * 1024 * 1024;

const encoder = new TextEncoder();

Deno.test("a visitor's body in pieces of one byte is refused, and takes no memory", async () => {
  await using edge = await openTestApp();
  const body = JSON.stringify({ username: "x", password: "y".repeat(MANY_PIECES) });
  const rssBefore = Deno.memoryUsage().rss;
  const answer = await sendInPieces(
    edge,
    "POST /api/auth/login",
    { "content-type": "application/json" },
    body,
  );
  assert.match(answer, /^HTTP\/1\.1 400 [^]*"invalid_input"/);
  assert.ok(Deno.memoryUsage().rss - rssBefore < MAX_MEMORY_BYTES);
});

Deno.test("a file in pieces of one byte is refused, and takes no memory", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const headers = { "content-type": "multipart/form-data; boundary=b", cookie: client.cookie };
  const part = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
  const body = `--b\r\n${part}\r\n\r\n${"0".repeat(MANY_PIECES)}\r\n--b--\r\n`;
  const rssBefore = Deno.memoryUsage().rss;
  const answer = await sendInPieces(edge, "POST /api/suppressions/file", headers, body);
  assert.match(answer, /^HTTP\/1\.1 400 [^]*"invalid_input"/);
  assert.ok(Deno.memoryUsage().rss - rssBefore < MAX_MEMORY_BYTES);
});

Deno.test("a short body in pieces of one byte is accepted", async () => {
  await using edge = await openTestApp();
  const body = JSON.stringify({ username: "nobody", password: "wrong password" });
  const answer = await sendInPieces(
    edge,
    "POST /api/auth/login",
    { "content-type": "application/json" },
    body,
  );
  assert.match(answer, /^HTTP\/1\.1 401 /);
});

Deno.test("gatherBody() returns a body of any pieces, and throws after too many of them", async () => {
  const text = "שלום ".repeat(4_000);
  const bytes = encoder.encode(text);
  for (const size of [BYTES_A_PIECE, 1_000, 16 * 1024, 100_000]) {
    assert.equal(await new Response(gatherBody(byteStream(bytes, size))).text(), text, `${size}`);
  }
  const free = new Response(gatherBody(byteStream(bytes.subarray(0, FREE_PIECES), 1)));
  assert.equal((await free.bytes()).length, FREE_PIECES);
  await assert.rejects(
    new Response(gatherBody(byteStream(bytes, 1))).text(),
    (error) => error instanceof HttpError && error.code === "invalid_input",
  );
});

/** Returns a byte stream like the runtime's, with `size` bytes in each piece. */
function byteStream(bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at += size));
      else {
        controller.close();
        (controller as ReadableByteStreamController).byobRequest?.respond(0);
      }
    },
  });
}

/** Sends a body as chunks of one byte over a socket of its own; returns the raw response. */
async function sendInPieces(
  edge: TestApp,
  call: string,
  headers: Record<string, string>,
  body: string,
): Promise<string> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, edge.app.fetch);
  const host = `127.0.0.1:${server.addr.port}`;
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const [method, path] = call.split(" ");
  const lines = { host, origin: `http://${host}`, "transfer-encoding": "chunked", ...headers };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const chunks = [...body].map((sign) => `1\r\n${sign}\r\n`).join("");
  const bytes = encoder.encode(`${method} ${path} HTTP/1.1\r\n${head}\r\n${chunks}0\r\n\r\n`);
  const writing = writeAll(connection, bytes).catch(() => {});
  const buffer = new Uint8Array(16 * 1024);
  let answer = "";
  while (!answer.includes('"code":')) {
    const read = await connection.read(buffer);
    if (read === null) break;
    answer += new TextDecoder().decode(buffer.subarray(0, read));
  }
  await writing;
  return answer;
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}
