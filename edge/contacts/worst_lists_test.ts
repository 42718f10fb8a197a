/**
 * The most expensive lists, found by varying patterns and mutating the worst: none costs more than its bytes justify,
 * and none blocks the loop. The suite reads half a megabyte of each, `deno task lies` ten (WORST_MB).
 */
import assert from "node:assert/strict";
import { isWithinCpu } from "shared/testing/cpu_bound.ts";
import { threadCpuMs } from "shared/testing/thread_cpu.ts";
import { HttpError } from "../http/http_error.ts";
import { readLongText } from "../http/read_long_text.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { readManualNumbers } from "./manual_numbers.ts";
import { readContacts } from "./read_contacts.ts";

const MEGABYTES = Number(Deno.env.get("WORST_MB") ?? 0.5);
/** For ten megabytes; the first megabyte already uses all library calls. */
const MAX_CPU_MS = 2_000;
/** Between two checks of the clock. A slice is 20 ms and the check follows it, later on a busy machine. */
const MAX_GAP_MS = 50;
/** Repeat a measurement over the bound: other processes and the garbage collector cost time too. */
const TRIES = 8;

const PATTERNS: Record<string, string> = {
  "zeros": "0 ",
  "pairs": "00 ",
  "triples": "000 ",
  "zeros and slashes": "0/",
  "prefixes abroad": "012 ",
  "a carrier's prefix, digit by digit": "01 ",
  "a carrier's prefix and more": "0121212 1 ",
  "a number behind a carrier's prefix": "013 44 20 7946 0 ",
  "a mobile behind a carrier's prefix": "0130501234567\n",
  "the zero of home abroad": "+4402079460\n",
  "another number of that kind": "004402079460 ",
  "plus signs": "+1 2 ",
  "calling codes": "+44 0 ",
  "fives": "5 5 5 5 ",
  "home codes": "972 5 ",
  "digits of another script": "٠ ",
  "digits of a third, which take four bytes": "𝟬 ",
  "another script's whole numbers": "٠٥٠١٢٣٤٥٦٧ ",
  "wide spaces": "0\u3000",
  "unseen marks": "0\u200f\u200f",
  "brackets": "(0(0",
  "short rows": "0\n",
  "tabs": "\t0",
  "numbers that are none": "0501\n",
  "exponents": "9.9E+11\n",
  "letters": "x\n",
  "letters and digits": "a0",
  "quotes": '"',
  "quotes in pairs of pairs": '"""",',
  "open quotes": '"0,\n',
  "empty fields": ",",
  "empty lines": "\n",
  "one line of digits": "1",
  "numbers": "0501234567\n",
  "numbers between direction marks": "\u200f0501234567\u200f\n",
  "rows of numbers abroad that only the library can judge": `${"+4402079460958\t".repeat(20)}\n`,
  "rows of short numbers abroad": `${"+44\t".repeat(20)}\n`,
};

for (const [name, pattern] of Object.entries(PATTERNS)) {
  const bytes = manyOf(pattern, MEGABYTES * 1024 * 1024);
  Deno.test(`readManualNumbers() reads ${MEGABYTES} MB of ${name} in time, and in slices`, async () => {
    await keepsBounds((yieldToEventLoop) => readManualNumbers(bytes, { seed: 7, yieldToEventLoop }));
  });
  Deno.test(`readContacts() reads ${MEGABYTES} MB of ${name} in time, and in slices`, async () => {
    await keepsBounds((yieldToEventLoop) => readContacts(bytes, { seed: 7, yieldToEventLoop }));
    const named = new Uint8Array([...new TextEncoder().encode("phone\n"), ...bytes]);
    await keepsBounds((yieldToEventLoop) => readContacts(named, { seed: 7, yieldToEventLoop }));
  });
}

for (const written of ["0", '":"a', '","numbers":"', "\\u0030", "\\ud83d", "\\n", "א"]) {
  Deno.test(`readLongText() reads ${MEGABYTES} MB of ${written} in time, and in slices`, async () => {
    const text = manyOf(written, MEGABYTES * 1024 * 1024 - 20);
    const body = new Uint8Array([...new TextEncoder().encode('{"numbers":"'), ...text, 0x22, 0x7d]);
    await keepsBounds((yieldToEventLoop) =>
      readLongText(new Blob([body]).stream(), {
        member: "numbers",
        maxTextBytes: 20e6,
        maxOtherBytes: 1_000,
        yieldToEventLoop,
      })
    );
  });
}

async function keepsBounds(read: (yieldToEventLoop: YieldToEventLoop) => Promise<unknown>): Promise<void> {
  let worst = "";
  for (let i = 0; i < TRIES; i++) {
    const before = threadCpuMs();
    let since = before;
    let longestMs = 0;
    await read(() => {
      longestMs = Math.max(longestMs, threadCpuMs() - since);
      since = threadCpuMs();
    }).catch((error) => assert.ok(error instanceof HttpError, String(error)));
    longestMs = Math.max(longestMs, threadCpuMs() - since);
    const allMs = threadCpuMs() - before;
    if (isWithinCpu(allMs, MAX_CPU_MS) && isWithinCpu(longestMs, MAX_GAP_MS)) return;
    worst = `${allMs} ms of processor, ${longestMs} of them without a look at the clock`;
  }
  assert.fail(worst);
}

/** Returns whole patterns, nearly `count` bytes. */
function manyOf(pattern: string, count: number): Uint8Array<ArrayBuffer> {
  const piece = new TextEncoder().encode(pattern);
  const bytes = new Uint8Array(count - count % piece.length);
  for (let at = 0; at < bytes.length; at += piece.length) bytes.set(piece, at);
  return bytes;
}
