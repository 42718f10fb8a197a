/**
 * Hostile forms of up to ten megabytes: each costs no more than its bytes justify, and none blocks the loop. SEED and
 * FORMS search further than the suite does.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { isWithinCpu } from "shared/testing/cpu_bound.ts";
import { SEED } from "shared/testing/seed.ts";
import { threadCpuMs } from "shared/testing/thread_cpu.ts";
import { HttpError } from "./http_error.ts";
import { readMultipart } from "./read_multipart.ts";
import { Random } from "shared/testing/random.ts";

const FORMS = Number(Deno.env.get("FORMS") ?? 6);
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_CPU_MS = 2_000;
/** Longest time without a turn of the loop. */
const MAX_GAP_MS = 50;
/** The growing body, the stored parts of it, and the pieces in which it arrives. */
const MAX_MEMORY_BYTES = 8 * MAX_BYTES;
/** Tries after a bound is exceeded: other processes and garbage collection cost time too. */
const TRIES = 8;

const encoder = new TextEncoder();

const CONTENTS = [
  "0",
  "\r\n",
  "\r",
  "\n",
  "-",
  "--",
  "\r\n-",
  "\r\n--",
  "\r\n--b",
  "--b",
  "b",
  "\xff",
  "\x80\r\n--",
];

for (const content of CONTENTS) {
  Deno.test(`readMultipart() reads ten megabytes of ${JSON.stringify(content)} in time, and yields to the event loop`, async () => {
    // The content contains no boundary: the boundary ends in a character that the content does not have.
    const body = joined([part("file", 'filename="a.csv"'), repeated(content, MAX_BYTES), "\r\n--b=--\r\n"]);
    assert.equal(await keepsBounds({ body, boundary: "b=", pieceBytes: 64 * 1024 }), false);
  });
}

Deno.test(`readMultipart() reads ${FORMS} random forms of SEED=${SEED} in time, and yields to the event loop`, async () => {
  const random = new Random(SEED);
  let refused = 0;
  for (let run = 0; run < FORMS; run++) {
    const form = anyForm(random);
    if (await keepsBounds(form, `form ${run}`)) refused++;
  }
  assert.ok(refused > FORMS / 4, "most of them are no forms");
});

interface HostileForm {
  body: Uint8Array<ArrayBuffer>;
  boundary: string;
  pieceBytes: number;
}

/** Returns whether the form was refused; fails when a bound is exceeded. */
async function keepsBounds({ body, boundary, pieceBytes }: HostileForm, what = "it"): Promise<boolean> {
  let worst = "";
  for (let i = 0; i < TRIES; i++) {
    const request = new Request("http://localhost/", {
      method: "POST",
      body: inPieces(body, pieceBytes),
      headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    });
    const memoryBefore = memoryBytes();
    const before = threadCpuMs();
    const gaps = watchLoop();
    const error = await readMultipart(request, MAX_BYTES + 64 * 1024).then(() => null, (error) => error);
    const longestMs = gaps.stop();
    const allMs = threadCpuMs() - before;
    const grown = memoryBytes() - memoryBefore;
    assert.ok(error === null || error instanceof HttpError, String(error));
    const isInTime = isWithinCpu(allMs, MAX_CPU_MS) && isWithinCpu(longestMs, MAX_GAP_MS);
    if (isInTime && grown <= MAX_MEMORY_BYTES) return error !== null;
    worst = `${allMs} ms of processor, ${longestMs} without a turn, ${grown} bytes for ${what}`;
  }
  assert.fail(worst);
}

/** Measures the longest processor time between two turns of the loop. */
function watchLoop(): { stop(): number } {
  let last = threadCpuMs();
  let longestMs = 0;
  const look = () => {
    const now = threadCpuMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  let timer = setTimeout(function turned() {
    look();
    timer = setTimeout(turned, 0);
  }, 0);
  return {
    stop() {
      clearTimeout(timer);
      look();
      return longestMs;
    },
  };
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// --- the grammar ---

const BOUNDARIES = [
  "b",
  "-",
  "--",
  "a".repeat(70),
  "-".repeat(70),
  `${"-".repeat(69)}x`,
  "WebKitFormBoundary",
];
const PIECES = ["0", "\r\n", "\r\n\r\n", "--", "-", "\xd7\x90", '"', ";", "=", ": ", " ", "%22", "\0"];
const HEADERS = [
  "Content-Disposition: form-data",
  '; name="a"',
  '; filename="a"',
  ";",
  ' name="',
  "\r\n",
  ": ",
];

function anyForm(random: Random): HostileForm {
  const boundary = random.pick(BOUNDARIES);
  const words = [
    ...PIECES,
    ...HEADERS,
    `\r\n--${boundary}`,
    `--${boundary}`,
    boundary,
    `\r\n--${boundary}--`,
  ];
  const parts: (string | Uint8Array)[] = [];
  const most = random.below(3) === 0 ? MAX_BYTES : MAX_BYTES / 50;
  let left = most;
  while (left > 1_000) {
    const piece = Array.from({ length: 1 + random.below(4) }, () => random.pick(words)).join("");
    const count = random.below(2) === 0
      ? 1 + random.below(20)
      : Math.floor(random.below(left) / piece.length);
    if (random.below(3) === 0) parts.push(`\r\n--${boundary}\r\nContent-Disposition: form-data; name="`);
    const some = repeated(piece, Math.min(left, count * piece.length));
    parts.push(some);
    left -= some.length + 100;
  }
  const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  const body = joined([...(random.below(2) === 0 ? [opening] : []), ...parts, `\r\n--${boundary}--\r\n`]);
  return { body, boundary, pieceBytes: random.pick([4 * 1024, 64 * 1024, MAX_BYTES]) };
}

// --- bytes ---

function part(name: string, more: string): string {
  return `--b=\r\nContent-Disposition: form-data; name="${name}"; ${more}\r\n\r\n`;
}

/** Returns whole repetitions of a Latin-1 pattern, at most this many bytes. */
function repeated(pattern: string, maxBytes: number): Uint8Array {
  const piece = Uint8Array.from(pattern, (sign) => sign.charCodeAt(0));
  const bytes = new Uint8Array(maxBytes - maxBytes % piece.length);
  bytes.set(piece.subarray(0, bytes.length));
  // Double the filled part: copying one piece at a time would take longer than the measured work.
  for (let done = piece.length; done > 0 && done < bytes.length; done *= 2) {
    bytes.copyWithin(done, 0, Math.min(done, bytes.length - done));
  }
  return bytes;
}

function joined(parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const all = parts.map((one) => typeof one === "string" ? encoder.encode(one) : one);
  const bytes = new Uint8Array(all.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of all) {
    bytes.set(one, at);
    at += one.length;
  }
  return bytes;
}

/** Sends one piece in each turn, as a socket does. */
function inPieces(
  bytes: Uint8Array<ArrayBuffer>,
  pieceBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}
