/**
 * Generated pictures of up to five megabytes, the upload limit: the cost of each stays in proportion to its bytes. SEED
 * and IMAGES search further than the suite does.
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import process from "node:process";
import { crc32, deflateSync } from "node:zlib";
import { MAX_IMAGE_BYTES } from "shared/campaign.ts";
import { isWithinCpu } from "shared/testing/cpu_bound.ts";
import { SEED } from "shared/testing/seed.ts";
import { threadCpuMs } from "shared/testing/thread_cpu.ts";
import { HttpError } from "../http/http_error.ts";
import { checkImage } from "./image.ts";
import { verdictOn } from "./png_verdict.ts";
import { Random } from "shared/testing/random.ts";

const IMAGES = Number(Deno.env.get("IMAGES") ?? 15);
/** On the main thread, without a pause. */
const MAX_CHECK_MS = 50;
/** In the Worker. */
const MAX_OPEN_MS = 2_000;
const MAX_MEMORY_BYTES = 10 * MAX_IMAGE_BYTES;
/** Repeat a measurement over the bound: other processes and the garbage collector cost time too. */
const TRIES = 8;

Deno.test(`checkImage() handles ${IMAGES} random pictures of SEED=${SEED} within time and memory`, async () => {
  const random = new Random(SEED);
  const known = worstKnown();
  let refused = 0;
  let opened = 0;
  for (let run = 0; run < IMAGES; run++) {
    const bytes = known[run] ?? anyImage(random);
    const what = `picture ${run}, ${bytes.length} bytes that begin with ${
      Buffer.from(bytes.subarray(0, 40)).toString("hex")
    }`;
    const checked = await leastCost(MAX_CHECK_MS, what, () => {
      try {
        return checkImage(bytes, "a.png");
      } catch (error) {
        assert.ok(error instanceof HttpError, String(error));
        return null;
      }
    });
    if (checked === null) refused++;
    if (checked?.mediaType !== "image/png") continue;
    opened++;
    await leastCost(MAX_OPEN_MS, what, () => verdictOn(checked.bytes));
  }
  assert.ok(refused > IMAGES / 10 && opened > 0, `${refused} were refused, ${opened} opened`);
});

async function leastCost<T>(maxMs: number, what: string, act: () => T | Promise<T>): Promise<T> {
  let worst = "";
  for (let i = 0; i < TRIES; i++) {
    const memoryBefore = memoryBytes();
    const before = threadCpuMs();
    const answer = await act();
    const cpuMs = threadCpuMs() - before;
    const grown = memoryBytes() - memoryBefore;
    if (isWithinCpu(cpuMs, maxMs) && grown <= MAX_MEMORY_BYTES) return answer;
    worst = `${cpuMs} ms of processor, ${grown} bytes for ${what}`;
  }
  assert.fail(worst);
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// --- the most expensive pictures known ---

function worstKnown(): Uint8Array[] {
  const left = MAX_IMAGE_BYTES - 200;
  const jpegs = [[0xff, 0x00], [0xff, 0xd0], [0x00], [0xff, 0x01, 0x00], [0xff]].map((pair) =>
    joined([JPEG_HEAD, filled(pair, left), JPEG_END])
  );
  const segments = [[0xff, 0xfe, 0, 2], [0xff, 0xe1, 0, 2], [0xff, 0xc4, 0, 2], [0xff, 0xff, 0xfe, 0, 2]];
  return [
    ...jpegs,
    ...segments.map((one) => joined([JPEG_HEAD.subarray(0, 2), filled(one, left), JPEG_END])),
    png([["IDAT", deflateSync(new Uint8Array(25_000_000))]], 5_000, 5_000 - 1),
    png([["IDAT", filled([0], left)]], 10, 10),
    png(Array(9_000).fill(["IDAT", new Uint8Array(500)]), 10, 10),
    png(Array(9_000).fill(["tEXt", new Uint8Array(500)]), 10, 10),
    png(Array(300_000).fill(["tEXt", new Uint8Array(1)]), 10, 10),
    png([["iCCP", joined([[0x61, 0, 0], deflateSync(new Uint8Array(200_000_000))])]], 10, 10),
    webp("VP8X", filled([0x41, 0x4c, 0x50, 0x48, 0, 0, 0, 0], left)),
  ];
}

const JPEG_HEAD = Uint8Array.from(
  [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0],
);
const JPEG_END = Uint8Array.of(0xff, 0xd9);

// --- the grammar ---

function anyImage(random: Random): Uint8Array {
  const most = random.below(4) === 0 ? MAX_IMAGE_BYTES - 1_000 : 200_000;
  switch (random.below(3)) {
    case 0:
      return anyJpeg(random, most);
    case 1:
      return anyPng(random, most);
    default:
      return changed(random, random.below(2) === 0 ? anyJpeg(random, most) : anyPng(random, most));
  }
}

const JPEG_PIECES = [
  [0xff, 0x00],
  [0xff, 0xd3],
  [0x12],
  [0xff, 0xfe, 0, 2],
  [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x7f],
  [0xff, 0xc4, 0, 3, 1],
  [0xff, 0xe1, 0, 8, 0x45, 0x78, 0x69, 0x66, 0, 0],
];

function anyJpeg(random: Random, most: number): Uint8Array {
  const parts: Uint8Array[] = [JPEG_HEAD];
  for (let left = most; left > 100;) {
    const piece = random.pick(JPEG_PIECES);
    const part = filled(piece, Math.max(piece.length, random.below(left)));
    parts.push(part);
    left -= part.length;
  }
  return joined([...parts, JPEG_END]);
}

function anyPng(random: Random, most: number): Uint8Array {
  const chunks: [string, Uint8Array][] = [];
  let left = most;
  while (left > 100 && chunks.length < 12_000) {
    const kind = random.pick(["IDAT", "IDAT", "tEXt", "iCCP", "PLTE", "tRNS", "gAMA", "zTXt"]);
    const size = random.below(Math.min(left, random.pick([10, 300, most])));
    const body = random.below(3) === 0
      ? new Uint8Array(deflateSync(new Uint8Array(size * random.pick([1, 100]))))
      : filled([random.below(256), random.below(256)], size);
    const times = random.pick([1, 1, 2, 500]);
    for (let i = 0; i < times && left > body.length + 12; i++) {
      chunks.push([kind, body]);
      left -= body.length + 12;
    }
    left -= 12;
  }
  return png(chunks, random.pick([1, 10, 5_000]), random.pick([1, 10, 4_999]));
}

function changed(random: Random, bytes: Uint8Array): Uint8Array {
  const out = bytes.slice();
  for (let times = 1 + random.below(20); times > 0; times--) {
    out[random.below(out.length)] = random.below(256);
  }
  return random.below(3) === 0 ? out.subarray(0, random.below(out.length)) : out;
}

// --- bytes ---

function png(chunks: readonly (readonly [string, Uint8Array])[], width: number, height: number): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8;
  const all = [["IHDR", header], ...chunks, ["IEND", new Uint8Array()]] as const;
  return joined([[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], ...all.map(pngChunk)]);
}

function pngChunk([kind, body]: readonly [string, Uint8Array]): Uint8Array {
  const bytes = joined([
    new Uint8Array(4),
    Uint8Array.from(kind, (sign) => sign.charCodeAt(0)),
    body,
    new Uint8Array(4),
  ]);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(4, bytes.length - 4)));
  return bytes;
}

function webp(kind: string, body: Uint8Array): Uint8Array {
  const bytes = joined([
    Uint8Array.from(`RIFF\0\0\0\0WEBP${kind}`, (sign) => sign.charCodeAt(0)),
    new Uint8Array(14),
    body,
  ]);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(16, 10, true);
  return bytes;
}

/** Returns whole patterns, `maxBytes` at most. */
function filled(pattern: readonly number[], maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(maxBytes - maxBytes % pattern.length);
  bytes.set(pattern.slice(0, bytes.length));
  for (let done = pattern.length; done < bytes.length; done *= 2) {
    bytes.copyWithin(done, 0, Math.min(done, bytes.length - done));
  }
  return bytes;
}

function joined(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of parts) {
    bytes.set(one, at);
    at += one.length;
  }
  return bytes;
}
