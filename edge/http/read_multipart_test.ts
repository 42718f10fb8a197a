import assert from "node:assert/strict";
import { HttpError } from "./http_error.ts";
import { countTurns } from "../testing/count_turns.ts";
import {
  BYTES_A_TURN,
  MAX_FIELD_CHARS,
  MAX_FILE_NAME_CHARS,
  MAX_PARTS,
  readMultipart,
} from "./read_multipart.ts";

const BOUNDARY = "boundaryOfTests";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const encoder = new TextEncoder();

function part(name: string, content: string, fileName?: string): string {
  const file = fileName === undefined ? "" : `; filename="${fileName}"\r\nContent-Type: text/csv`;
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
}

function post(body: BodyInit | null, type = TYPE): Request {
  return new Request("http://localhost/", { method: "POST", body, headers: { "content-type": type } });
}

async function codeOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(() => null, (error) => error);
  assert.ok(error instanceof HttpError, String(error));
  return error.code;
}

Deno.test("readMultipart() returns fields and files with their bytes and Hebrew names", async () => {
  const body = part("name", "קמפיין") + part("file", "050-123\r\n4567", "רשימה.csv") + `--${BOUNDARY}--\r\n`;
  const form = await readMultipart(post(body), 10_000);
  assert.equal(form.get("name"), "קמפיין");
  const file = form.get("file");
  assert.ok(file instanceof File);
  assert.equal(file.name, "רשימה.csv");
  assert.equal(await file.text(), "050-123\r\n4567");
});

Deno.test("readMultipart() accepts a body of exactly the limit and refuses one byte more", async () => {
  const body = encoder.encode(part("file", "x".repeat(100), "a.csv") + `--${BOUNDARY}--\r\n`);
  assert.ok((await readMultipart(post(body), body.length)).get("file") instanceof File);
  assert.equal(await codeOf(readMultipart(post(body), body.length - 1)), "body_too_large");
});

Deno.test("readMultipart() stops an endless body at the limit, whatever length it claims", async () => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      controller.enqueue(encoder.encode(pulled++ === 0 ? part("file", "", "a.csv") : "5".repeat(1_000)));
    },
    cancel() {
      cancelled = true;
    },
  });
  assert.equal(await codeOf(readMultipart(post(endless), 20_000)), "body_too_large");
  assert.ok(cancelled);
  assert.ok(pulled < 50, `${pulled} chunks were read`);
});

Deno.test("readMultipart() yields to the event loop while a long body arrives", async () => {
  const pieces = 8;
  const body = encoder.encode(
    part("file", "5".repeat(pieces * BYTES_A_TURN), "a.csv") + `--${BOUNDARY}--\r\n`,
  );
  using turns = countTurns();
  await readMultipart(post(inChunks(body, BYTES_A_TURN / 4)), 2 * body.length);
  assert.ok(turns.count >= pieces, `${turns.count} turns`);
});

Deno.test("readMultipart() does not begin to read a body whose length is over the limit", async () => {
  const request = post(part("file", "x".repeat(100), "a.csv"));
  request.headers.set("content-length", "1000000");
  assert.equal(await codeOf(readMultipart(request, 10_000)), "body_too_large");
});

Deno.test("readMultipart() refuses a cut-off body and other kinds of body", async () => {
  assert.equal(
    await codeOf(readMultipart(post(part("file", "abc", "a.csv").slice(0, -10)), 10_000)),
    "invalid_input",
  );
  assert.equal(await codeOf(readMultipart(post("{}", "application/json"), 10_000)), "unsupported_media");
  assert.equal(await codeOf(readMultipart(post(null), 10_000)), "unsupported_media");
});

Deno.test("readMultipart() refuses more parts than any of our forms has, in any pieces", async () => {
  const parts = (count: number) => encoder.encode(part("a", "", "a").repeat(count) + `--${BOUNDARY}--\r\n`);
  const most = parts(MAX_PARTS);
  const tooMany = parts(MAX_PARTS + 1);
  for (const size of [1, 7, BOUNDARY.length, 100, 100_000]) {
    const form = await readMultipart(post(inChunks(most, size)), 100_000);
    assert.equal(form.getAll("a").length, MAX_PARTS);
    assert.equal(await codeOf(readMultipart(post(inChunks(tooMany, size)), 100_000)), "invalid_input");
  }
});

Deno.test("readMultipart() refuses a long text field or file name, and accepts a long file", async () => {
  const end = `--${BOUNDARY}--\r\n`;
  const field = "\x01".repeat(MAX_FIELD_CHARS);
  const name = "x".repeat(MAX_FILE_NAME_CHARS);
  const form = await readMultipart(post(part("a", field) + part("b", `${field}1`, name) + end), 1_000_000);
  assert.ok(form.get("a") === field);
  const file = form.get("b");
  assert.ok(file instanceof File);
  assert.deepEqual([file.size, file.name.length], [MAX_FIELD_CHARS + 1, MAX_FILE_NAME_CHARS]);
  for (const long of [part("a", `${field}1`), part("b", "1", `${name}x`)]) {
    const body = part("c", "1") + long + part("d", "1", "a.csv") + end;
    assert.equal(await codeOf(readMultipart(post(body), 1_000_000)), "invalid_input");
  }
});

Deno.test("readMultipart() reads what the runtime writes, with any characters in names and in any pieces", async () => {
  const sent = new FormData();
  sent.set("name", " קמפיין\r\n--x ");
  sent.set("empty", "");
  sent.append("image", new File([], "", { type: "application/octet-stream" }));
  sent.append("image", new File(["\r\n\r\n--"], "a; name=b.csv", { type: "text/csv" }));
  sent.append(
    "image",
    new File([new Uint8Array([0, 0x80, 0xff, 13, 10])], 'גרש"ים; 100%.png', { type: "image/png" }),
  );
  const body = new Response(sent);
  const bytes = new Uint8Array(await body.arrayBuffer());
  for (const size of [1, 7, 100_000]) {
    const form = await readMultipart(post(inChunks(bytes, size), body.headers.get("content-type")!), 10_000);
    assert.deepEqual(await valuesOf(form), await valuesOf(sent));
  }
});

Deno.test("readMultipart() refuses parts that are cut off or have no name", async () => {
  const end = `--${BOUNDARY}--\r\n`;
  const torn = [
    `--${BOUNDARY}\r\n${end}`,
    `--${BOUNDARY}\r\n\r\n${end}`,
    `--${BOUNDARY}\r\n\r\nx\r\n${end}`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n${end}`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a\r\n\r\nx\r\n${end}`,
    `--${BOUNDARY}\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n${end}`,
    part("a", "x").replace(BOUNDARY, `${BOUNDARY}x`) + end + part("b", "x"),
    `${part("a", "x")}x${end}`,
    "",
  ];
  for (const body of torn) {
    assert.equal(await codeOf(readMultipart(post(body), 10_000)), "invalid_input", body);
  }
});

async function valuesOf(form: FormData): Promise<unknown[]> {
  return await Promise.all(
    [...form].map(async ([name, value]) =>
      value instanceof File ? [name, value.name, value.type, await value.bytes()] : [name, value]
    ),
  );
}

Deno.test("readMultipart() uses one boundary, even if the content type can be read in other ways", async () => {
  const parts = part("a", "", "a").repeat(MAX_PARTS + 1) + `--${BOUNDARY}--\r\n`;
  const types = [
    `multipart/form-data; a="; boundary=other"; boundary=${BOUNDARY}`,
    `multipart/form-data; boundary=other; boundary=${BOUNDARY}`,
    `multipart/form-data; boundary="${BOUNDARY}\\"`,
    `multipart/form-data; boundary=${BOUNDARY}"`,
    `multipart/form-data; boundary=`,
    `multipart/form-data; boundary=${"x".repeat(71)}`,
  ];
  for (const type of types) {
    const body = post(`${parts}--other--\r\n`, type);
    const count = await readMultipart(body, 100_000).then((form) => [...form].length, () => 0);
    assert.equal(count, 0, type);
  }
});

function inChunks(bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
}
