import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import { HttpError } from "../http/http_error.ts";
import { openTestApp } from "../testing/test_app.ts";
import { tryPng } from "./decode_png.ts";
import { checkPngPixels } from "./png_pixels.ts";

const GREY = 0;
const PALETTE = 3;
const RGBA = 6;
/** Returns a PNG whose chunks are valid, whatever they contain. */
function png(
  { width = 20, height = 20, depth = 8, colour = RGBA, interlace = 0, data, more = [] }: {
    width?: number;
    height?: number;
    depth?: number;
    colour?: number;
    interlace?: number;
    data: Uint8Array;
    more?: Buffer[];
  },
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlace], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const end = chunk("IEND", Buffer.alloc(0));
  return Buffer.concat([signature, chunk("IHDR", header), ...more, chunk("IDAT", data), end]);
}

function chunk(name: string, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length);
  bytes.write(name, 4, "latin1");
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

const zeros = (count: number) => deflateSync(Buffer.alloc(count));
/** Twenty rows of twenty pixels of four bytes, with a filter byte before each row. */
const RIGHT_BYTES = 20 * (1 + 20 * 4);
const RIGHT = zeros(RIGHT_BYTES);
const REFUSED: Record<string, Uint8Array> = {
  "data that are no deflate stream": png({ data: Buffer.alloc(100, 7) }),
  "data cut off": png({ data: RIGHT.subarray(0, RIGHT.length - 5) }),
  "no data": png({ data: Buffer.alloc(0) }),
  "a wrong checksum of the data": png({ data: Buffer.concat([RIGHT.subarray(0, -1), Buffer.from([7])]) }),
  "fewer pixels than it says": png({ data: zeros(RIGHT_BYTES - 1) }),
  "more pixels than it says": png({ data: zeros(RIGHT_BYTES + 1) }),
  "a bomb": png({ data: zeros(50_000_000) }),
  "a filter that is none": png({ data: deflateSync(Buffer.alloc(RIGHT_BYTES, 9)) }),
  "a kind of picture that is none": png({ depth: 3, data: RIGHT }),
  "an interlace that is none": png({ interlace: 2, data: RIGHT }),
  "no palette": png({ colour: PALETTE, data: zeros(20 * 21) }),
};

for (const [name, bytes] of Object.entries(REFUSED)) {
  Deno.test(`checkPngPixels() refuses ${name}`, async () => {
    await assert.rejects(checkPngPixels(bytes), SyntaxError);
  });
}

Deno.test("checkPngPixels() takes each kind of picture, whole rows of it, interlaced ones too", async () => {
  await checkPngPixels(await Deno.readFile(new URL("./testdata/picture.png", import.meta.url)));
  await checkPngPixels(png({ data: RIGHT }));
  await checkPngPixels(png({ depth: 1, colour: GREY, data: zeros(20 * (1 + 3)) }));
  const more = [chunk("PLTE", Buffer.alloc(6))];
  await checkPngPixels(png({ depth: 2, colour: PALETTE, data: zeros(20 * (1 + 5)), more }));
  // The seven passes of eight by eight, and the four passes of one by three that hold pixels.
  const passes = [1 + 1, 1 + 1, 1 + 2, 2 * (1 + 2), 2 * (1 + 4), 4 * (1 + 4), 4 * (1 + 8)];
  const sum = passes.reduce((sum, bytes) => sum + bytes);
  await checkPngPixels(png({ width: 8, height: 8, colour: GREY, interlace: 1, data: zeros(sum) }));
  await checkPngPixels(png({ width: 1, height: 3, colour: GREY, interlace: 1, data: zeros(3 * 2) }));
});

Deno.test("tryPng() opens the largest allowed picture, a bomb only up to its pixels, and others afterwards", async () => {
  const largest = png({ width: 5000, height: 5000, depth: 16, data: zeros(5000 * (1 + 5000 * 8)) });
  const pictures = [largest, REFUSED["a bomb"]!, png({ data: RIGHT })];
  const verdicts = await Promise.all(pictures.map((picture) => tryPng(picture)));
  assert.deepEqual(verdicts.map(({ broken }) => broken), [
    null,
    "Cannot read PNG: it has more pixels than it says",
    null,
  ]);
});

Deno.test("tryPng() counts time in which an answer can be read, not time in which this thread was blocked", async () => {
  const answer = tryPng(png({ data: RIGHT }), { maxDecodeMs: 1_500 });
  // The Worker has started by then.
  await new Promise((resolve) => setTimeout(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_600);
  assert.deepEqual(await answer, { broken: null, profileOpens: true });
});

Deno.test("tryPng() reports a busy server, not a broken PNG, when the answer is late", async () => {
  // All of the time passes before the Worker can answer.
  const late = tryPng(png({ data: RIGHT }), { wait: () => Promise.resolve() });
  await assert.rejects(late, (error) => {
    assert.ok(error instanceof HttpError);
    assert.deepEqual([error.status, error.code, error.headers], [503, "not_ready", { "retry-after": "5" }]);
    assert.match(error.body.error, /עמוסה.*לא נקלטה/);
    return true;
  });
  assert.deepEqual(await tryPng(png({ data: RIGHT })), { broken: null, profileOpens: true });
});

Deno.test("tryPng() refuses the twenty-first waiting picture with a time to retry", async () => {
  const bytes = png({ data: RIGHT });
  const waiting = Array.from({ length: 20 }, () => tryPng(bytes));
  await assert.rejects(
    tryPng(bytes),
    (error) => error instanceof HttpError && error.code === "too_many_attempts",
  );
  assert.deepEqual(await Promise.all(waiting), Array(20).fill({ broken: null, profileOpens: true }));
});

Deno.test("POST /api/campaigns refuses a PNG with valid chunks and damaged data, and says what to do", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  for (const [bytes, status] of [[png({ data: RIGHT }), 201], [REFUSED["data cut off"]!, 415]] as const) {
    const body = new FormData();
    body.set("name", "סתיו");
    body.set("message", "שלום");
    body.set("image", new File([bytes.slice()], "a.png"));
    const answer = await client.ask("/api/campaigns", { method: "POST", body });
    assert.equal(answer.status, status);
    if (status === 415) assert.match((await answer.json()).error, /פגומה/);
    else await answer.body?.cancel();
  }
});
