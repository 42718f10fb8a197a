import assert from "node:assert/strict";
import { HttpError } from "./http_error.ts";
import { MAX_PARTS, readMultipart } from "./read_multipart.ts";

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

Deno.test("readMultipart() gives fields and files with their bytes and Hebrew names", async () => {
  const body = part("name", "קמפיין") + part("file", "050-123\r\n4567", "רשימה.csv") + `--${BOUNDARY}--\r\n`;
  const form = await readMultipart(post(body), 10_000);
  assert.equal(form.get("name"), "קמפיין");
  const file = form.get("file");
  assert.ok(file instanceof File);
  assert.equal(file.name, "רשימה.csv");
  assert.equal(await file.text(), "050-123\r\n4567");
});

Deno.test("readMultipart() takes a body of exactly the limit and refuses one byte more", async () => {
  const body = encoder.encode(part("file", "x".repeat(100), "a.csv") + `--${BOUNDARY}--\r\n`);
  assert.ok((await readMultipart(post(body), body.length)).get("file") instanceof File);
  assert.equal(await codeOf(readMultipart(post(body), body.length - 1)), "body_too_large");
});

Deno.test("readMultipart() stops an endless body at its limit, whatever length it claims", async () => {
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

Deno.test("readMultipart() does not begin to read a body whose length is over the limit", async () => {
  const request = post(part("file", "x".repeat(100), "a.csv"));
  request.headers.set("content-length", "1000000");
  assert.equal(await codeOf(readMultipart(request, 10_000)), "body_too_large");
});

Deno.test("readMultipart() refuses a torn body and other kinds of body", async () => {
  assert.equal(
    await codeOf(readMultipart(post(part("file", "abc", "a.csv").slice(0, -10)), 10_000)),
    "invalid_input",
  );
  assert.equal(await codeOf(readMultipart(post("{}", "application/json"), 10_000)), "unsupported_media");
  assert.equal(await codeOf(readMultipart(post(null), 10_000)), "unsupported_media");
});

Deno.test("readMultipart() refuses more parts than any form has, however the body arrives", async () => {
  const parts = (count: number) => encoder.encode(part("a", "", "a").repeat(count) + `--${BOUNDARY}--\r\n`);
  const most = parts(MAX_PARTS);
  const tooMany = parts(MAX_PARTS + 1);
  for (const size of [1, 7, BOUNDARY.length, 100, 100_000]) {
    const form = await readMultipart(post(inChunks(most, size)), 100_000);
    assert.equal(form.getAll("a").length, MAX_PARTS);
    assert.equal(await codeOf(readMultipart(post(inChunks(tooMany, size)), 100_000)), "invalid_input");
  }
});

Deno.test("readMultipart() goes by one boundary, whatever else the type may be read as", async () => {
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
