/** Tries whether a PNG's data open: in a Worker where the runtime has Workers, one PNG at a time, within some seconds. */
import { HttpError } from "../http/http_error.ts";
import { sleep } from "../time/sleep.ts";
import { type PngVerdict, verdictOn } from "./png_verdict.ts";

/** How long a Worker may take. */
export interface DecodeLimit {
  maxDecodeMs?: number;
  /** Replaced by tests. */
  wait?: typeof sleep;
}

/** Forty times what the largest picture takes: of a machine under load a worker waits for seconds to begin. */
const MAX_DECODE_MS = 20_000;
/** Steps in which that time is counted. */
const STEPS = 50;
/** Beyond this the next one is told to come back. */
const MAX_WAITING = 20;
const RETRY = { "retry-after": "5" };
const LATE_TEXT = "המערכת עמוסה כרגע ולא הספיקה לבדוק את התמונה, ולכן היא לא נקלטה. אפשר לנסות שוב בעוד רגע.";

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Opens the compressed parts of a PNG that cleanPng() left.
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
    // A Worker is late when the machine is busy: that says nothing about the PNG.
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
 * Resolves after `ms` in which this thread could read an answer. A thread that stood still finds its timers due before it
 * reads what came meanwhile: standing still costs one step, however long it was.
 */
async function passed(ms: number, wait: typeof sleep, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < STEPS && !signal.aborted; step++) await wait(ms / STEPS, signal);
}
