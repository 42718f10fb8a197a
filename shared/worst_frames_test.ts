/**
 * Random frames, from a CBOR grammar and from changed real frames: the cost of each stays in proportion to its
 * bytes. `deno task lies` tries 100,000 of them (FRAMES), the suite only a share.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { agentFrameSchema, edgeFrameSchema, MAX_FRAME_BYTES, MAX_OPEN_ROWS } from "./agent_protocol.ts";
import { decodeFrame, encodeFrame } from "./cbor.ts";
import { AGENT_FRAMES, EDGE_FRAMES } from "./testing/example_frames.ts";
import { isWithinCpu } from "./testing/cpu_bound.ts";
import { Random } from "./testing/random.ts";
import { SEED } from "./testing/seed.ts";
import { threadCpuMs } from "./testing/thread_cpu.ts";

const FRAMES = Number(Deno.env.get("FRAMES") ?? 1_000);
const MAX_CPU_MS = 20;
const MAX_BYTES = 20e6;
/**
 * Most tries for a frame above a limit. The lowest cost counts, because compilation, garbage collection and other
 * tests add cost.
 */
const TRIES = 8;

Deno.test(`decodeFrame() takes at most ${MAX_CPU_MS} ms and ${MAX_BYTES / 1e6} MB for each of ${FRAMES} random frames`, () => {
  const random = new Random(SEED);
  const schemas = [agentFrameSchema, edgeFrameSchema];
  // Each known frame twice, so that both schemas read it.
  const known = worstKnown().flatMap((frame) => [frame, frame]);
  let refused = 0;
  let bytes = 0;
  for (let run = 0; run < FRAMES; run++) {
    const frame = known[run] ?? anyFrame(random);
    bytes += frame.length;
    assert.ok(frame.length <= MAX_FRAME_BYTES);
    const schema = schemas[run % 2]!;
    const least = leastCost(() => {
      try {
        return decodeFrame(frame, schema);
      } catch (error) {
        assert.ok(error instanceof SyntaxError, String(error));
        refused++;
      }
    });
    const what = `frame ${run} of SEED=${SEED}, ${frame.length} bytes that begin with ${
      hexOf(frame.subarray(0, 40))
    }`;
    assert.ok(isWithinCpu(least.cpuMs, MAX_CPU_MS), `${least.cpuMs} ms for ${what}`);
    assert.ok(least.bytes <= MAX_BYTES, `${least.bytes} bytes of memory for ${what}`);
  }
  assert.ok(refused > FRAMES / 2, "most of them are no frames");
  assert.ok(refused < FRAMES * TRIES && bytes > FRAMES * 100);
});

/** Returns the lowest cost of several tries; stops at the first try within both limits. */
function leastCost(act: () => unknown): { cpuMs: number; bytes: number } {
  const least = { cpuMs: Infinity, bytes: Infinity };
  for (let i = 0; i < TRIES; i++) {
    const heapBefore = heapBytes();
    const cpuBefore = threadCpuMs();
    const kept = act();
    const cpuMs = threadCpuMs() - cpuBefore;
    const grown = heapBytes() - heapBefore;
    // A smaller heap means a garbage collection in between; the measurement is useless.
    if (grown >= 0 || i > 0) least.bytes = Math.min(least.bytes, Math.max(0, grown));
    least.cpuMs = Math.min(least.cpuMs, cpuMs);
    if (least.cpuMs <= MAX_CPU_MS && least.bytes <= MAX_BYTES) return least;
    void kept;
  }
  return least;
}

function heapBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// --- the frames with the highest known cost ---

const row = { token: "0".repeat(32), campaign: 1, phone: "+972543710968", attempt: 1, at: "held" };
const hello = {
  type: "hello",
  epoch: 1,
  journalId: "0".repeat(32),
  counterAtOpen: null,
  journalCounter: 0,
  agentVersion: "1",
};

function worstKnown(): Uint8Array[] {
  const empty = { type: "inventory", devices: Array(500).fill({}), accounts: Array(2000).fill({}) };
  const fill = (count: number, item: number[]) =>
    join([0x9a, count >>> 24, count >>> 16 & 255, count >>> 8 & 255, count & 255], repeated(item, count));
  return [
    sharedDoubling(20),
    bigNumber(400_000),
    fill(900_000, [0xa0]),
    fill(900_000, [0x80]),
    fill(900_000, [0xf6]),
    fill(99_990, [0xa0]),
    fill(99_990, [0x80]),
    fill(49_990, [0xa1, 0x60, 0xf6]),
    encodeFrame({ ...hello, open: Array(MAX_OPEN_ROWS).fill(row) }),
    encodeFrame({ ...hello, open: Array(MAX_OPEN_ROWS).fill({}) }),
    encodeFrame({ ...hello, open: Array(MAX_OPEN_ROWS).fill({ ...row, at: 7 }) }),
    encodeFrame({ ...hello, open: [...Array(MAX_OPEN_ROWS - 1).fill(row), null] }),
    encodeFrame({ ...hello, open: Array(60_000).fill(null) }),
    encodeFrame({ ...hello, open: [], features: Array(60_000).fill("follows_stops") }),
    encodeFrame(empty),
    encodeFrame({ type: "stillPart", id: 1, at: 0, size: 1, data: "A".repeat(1_000_000) }),
    encodeFrame({ type: "erased", items: Array(60_000).fill({}) }),
    encodeFrame({ type: "inboundAck", ids: Array(60_000).fill(1) }),
    encodeFrame({
      type: "recall",
      items: Array(5000).fill({ token: row.token, phones: Array(5).fill(row.phone) }),
    }),
    encodeFrame({ type: "lease", text: "ש".repeat(520_000) }),
    encodeFrame({ ...hello, type: "x".repeat(1_000_000) }),
    encodeFrame({ ...hello, journalId: "0".repeat(1_000_000) }),
    new Uint8Array(MAX_FRAME_BYTES).fill(0x81),
    new Uint8Array(MAX_FRAME_BYTES).fill(0xd9),
    new Uint8Array(MAX_FRAME_BYTES).fill(0x9f),
  ];
}

/** A decimal fraction whose mantissa is a list that holds the same list twice, `depth` times: 2^depth words. */
function sharedDoubling(depth: number): Uint8Array {
  const bytes = [0xc4, 0x82, 0x00, 0x98, depth];
  bytes.push(0xd8, 0x1c, 0x82, 0x01, 0x01);
  for (let i = 0; i < depth - 1; i++) bytes.push(0xd8, 0x1c, 0x82, 0xd8, 0x1d, 0x18, i, 0xd8, 0x1d, 0x18, i);
  return new Uint8Array(bytes);
}

function bigNumber(length: number): Uint8Array {
  return join(
    [0xc2, 0x5a, length >>> 24, length >>> 16 & 255, length >>> 8 & 255, length & 255],
    repeated([0xff], length),
  );
}

// --- the grammar ---

function anyFrame(random: Random): Uint8Array {
  switch (random.below(4)) {
    case 0:
      return grammar(random);
    case 1:
      return dense(random);
    case 2:
      return nearlyReal(random);
    default:
      return changed(random, random.pick(BYTES_OF_BOTH));
  }
}

/** Returns one random value of any CBOR kind, including kinds that frames do not use. */
function grammar(random: Random): Uint8Array {
  const out: number[] = [];
  let left = random.size(20_000);
  value(0);
  return new Uint8Array(out);

  function value(depth: number): void {
    left--;
    const count = Math.max(0, Math.min(random.size(300), left));
    switch (random.below(depth > 12 ? 6 : 11)) {
      case 0:
      case 1:
        return head(random.below(2), random.below(2 ** 32));
      case 2:
        out.push(random.pick([0xf4, 0xf5, 0xf6, 0xf7, 0xe0, 0xf8, 0xff]));
        return;
      case 3:
        out.push(random.pick([0xfb, 0x1b, 0x3b]), ...bytes(8));
        return;
      case 4:
      case 5:
        head(random.pick([2, 3, 3, 3]), count);
        left -= count;
        out.push(...Array(count).fill(random.pick([0x61, 0x30, 0xd7, 0xff])));
        return;
      case 6:
      case 7:
        if (random.below(8) === 0) out.push(0x9f);
        else head(4, count);
        for (let i = 0; i < count && left > 0; i++) value(depth + 1);
        return;
      case 8:
        if (random.below(8) === 0) out.push(0xbf);
        else head(5, count);
        for (let i = 0; i < count && left > 0; i++) {
          head(3, 3);
          out.push(0x61 + random.below(26), 0x61 + random.below(26), 0x61 + random.below(26));
          value(depth + 1);
        }
        return;
      default:
        head(6, random.pick([0, 1, 2, 3, 4, 5, 25, 27, 28, 29, 64, 258, 259, 51, 0xdfff]));
        return value(depth + 1);
    }
  }

  function head(major: number, argument: number): void {
    if (argument < 24) out.push(major << 5 | argument);
    else if (argument < 256) out.push(major << 5 | 24, argument);
    else if (argument < 65536) out.push(major << 5 | 25, argument >>> 8, argument & 255);
    else {out.push(
        major << 5 | 26,
        argument >>> 24,
        argument >>> 16 & 255,
        argument >>> 8 & 255,
        argument & 255,
      );}
  }

  function bytes(count: number): number[] {
    return Array.from({ length: count }, () => random.below(256));
  }
}

const PIECES = [
  [0xa0],
  [0x80],
  [0xf6],
  [0x00],
  [0x60],
  [0x61, 0x61],
  [0xa1, 0x61, 0x61, 0x80],
  [0x81, 0x80],
  [
    0xa2,
    0x61,
    0x61,
    0xf6,
    0x61,
    0x62,
    0xf6,
  ],
  [0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0],
  [0x1a, 0xff, 0xff, 0xff, 0xff],
  [0xc2, 0x41, 0x01],
  [0xd8, 0x1d, 0x00],
];

/** Returns many repetitions of a small value, in a list or in a frame's own lists. */
function dense(random: Random): Uint8Array {
  const piece = Array.from({ length: 1 + random.below(3) }, () => random.pick(PIECES)).flat();
  const pieces = 1 + random.below(3);
  const count = random.size(Math.floor((MAX_FRAME_BYTES - 200) / piece.length));
  const items = pieces * count;
  const body = repeated(piece, count);
  const lists = [0x9a, items >>> 24, items >>> 16 & 255, items >>> 8 & 255, items & 255];
  if (random.below(2) === 0) return join(lists, body);
  const [type, field] = random.pick(
    [["hello", "open"], ["pull", "devices"], ["report", "items"], ["recall", "items"]] as const,
  );
  const text = (word: string) => [0x60 | word.length, ...new TextEncoder().encode(word)];
  return join([0xa2, ...text("type"), ...text(type), ...text(field), ...lists], body);
}

/** Returns a real frame with long lists and some changed words. */
function nearlyReal(random: Random): Uint8Array {
  const frame: Record<string, unknown> = structuredClone(random.pick(FRAMES_OF_BOTH));
  for (const [field, list] of Object.entries(frame)) {
    if (!Array.isArray(list) || list.length === 0) continue;
    const item = structuredClone(random.pick(list));
    if (typeof item === "object" && item !== null) {
      for (const name of Object.keys(item)) {
        if (random.below(9) === 0) item[name] = random.pick(STRANGE);
      }
    }
    frame[field] = Array(Math.min(random.size(5_000), 5_000)).fill(item);
  }
  if (random.below(3) === 0) frame[random.pick(Object.keys(frame))] = random.pick(STRANGE);
  const bytes = encodeFrame(frame);
  return bytes.length <= MAX_FRAME_BYTES ? bytes : bytes.subarray(0, MAX_FRAME_BYTES);
}

const STRANGE = [
  null,
  undefined,
  -1,
  2 ** 53,
  0.5,
  "",
  "א".repeat(300),
  {},
  [],
  { a: {} },
  Array(300).fill(1),
];
const FRAMES_OF_BOTH = [...AGENT_FRAMES, ...EDGE_FRAMES];
const BYTES_OF_BOTH = FRAMES_OF_BOTH.map(encodeFrame);

function changed(random: Random, bytes: Uint8Array): Uint8Array {
  let out: Uint8Array = bytes.slice();
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(out.length);
    const other = random.pick(BYTES_OF_BOTH);
    switch (random.below(4)) {
      case 0:
        out[at] = random.below(256);
        break;
      case 1:
        out = join(out.subarray(0, at), out.subarray(Math.min(out.length, at + 1 + random.below(8))));
        break;
      case 2:
        out = join(out.subarray(0, at), other.subarray(random.below(other.length)));
        break;
      default:
        out = join(
          out.subarray(0, at),
          repeated([...out.subarray(at, at + 1 + random.below(30))], random.size(2_000)),
          out.subarray(at),
        );
    }
    if (out.length === 0) return bytes;
  }
  return out.subarray(0, MAX_FRAME_BYTES);
}

// --- bytes and random numbers ---

function join(...parts: ArrayLike<number>[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function repeated(piece: number[], count: number): Uint8Array {
  const bytes = new Uint8Array(piece.length * count);
  for (let at = 0; at < bytes.length; at += piece.length) bytes.set(piece, at);
  return bytes;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
