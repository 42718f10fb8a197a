/** Tries to decompress a PNG: one PNG at a time, within a time limit, and in a Worker where the runtime has Workers. */
import { HttpError } from "../http/http_error.ts";
import { sleep } from "../time/sleep.ts";
import { type PngVerdict, verdictOn } from "./png_verdict.ts";

/** The time limit of one Worker, and how it is measured. */
export interface DecodeLimit {
  maxDecodeMs?: number;
  /** Tests replace it. */
  wait?: typeof sleep;
}

/** Forty times the time of the largest picture: on a machine under load a Worker may need seconds to start. */
const MAX_DECODE_MS = 20_000;
/** The limit is measured in this many steps. */
const STEPS = 50;
/** With more PNGs waiting, the next caller must try again later. */
const MAX_WAITING = 20;
const RETRY = { "retry-after": "5" };
const LATE_TEXT = "המערכת עמוסה כרגע ולא הספיקה לבדוק את התמונה, ולכן היא לא נקלטה. אפשר לנסות שוב בעוד רגע.";

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Decompresses the parts of a PNG that cleanPng() kept.
 *
 * @throws {HttpError} `too_many_attempts` when too many wait, `not_ready` when the Worker is late
 */
export async function tryPng(png: Uint8Array, limit: DecodeLimit = {}): Promise<PngVerdict> {
  if (waiting >= MAX_WAITING) throw new HttpError("too_many_attempts", { headers: RETRY });
  waiting++;
  const turn = last.then(() => "Worker" in globalThis ? inWorker(png, limit) : verdictOn(png));
  last = turn.catch(() => {});
  return await turn.finally(() => waiting--);
}

async function inWorker(
  png: Uint8Array,
  { maxDecodeMs = MAX_DECODE_MS, wait = sleep }: DecodeLimit,
): Promise<PngVerdict> {
  const worker = new Worker(new URL("./png_worker.ts", import.meta.url), { type: "module" });
  const answered = new AbortController();
  const answer = Promise.withResolvers<PngVerdict>();
  worker.onmessage = ({ data }: MessageEvent<PngVerdict>) => answer.resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    answer.reject(new Error(event.message));
  };
  const late = passed(maxDecodeMs, wait, answered.signal).then(() => null);
  try {
    worker.postMessage(png);
    const verdict = await Promise.race([answer.promise, late]);
    // A late Worker means a busy machine, not a bad PNG.
    if (verdict === null) {
      throw new HttpError("not_ready", { text: LATE_TEXT, detail: "png is late", headers: RETRY });
    }
    return verdict;
  } finally {
    answered.abort();
    worker.terminate();
  }
}

/**
 * Resolves after `ms` in which this thread was able to read an answer. A blocked thread runs its due timers before it
 * reads new messages. Counting in steps makes each block cost one step at most, however long it was.
 */
async function passed(ms: number, wait: typeof sleep, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < STEPS && !signal.aborted; step++) await wait(ms / STEPS, signal);
}
