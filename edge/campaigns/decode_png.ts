/** Tries whether a PNG's data open: in a Worker where the runtime has Workers, one PNG at a time, within some seconds. */
import { HttpError } from "../http/http_error.ts";
import { sleep } from "../sleep.ts";
import { checkPngPixels } from "./png_pixels.ts";
import { profileOpens } from "./png_profile.ts";

export interface PngVerdict {
  /** Why the pixels cannot be read, in English; null when they can. */
  broken: string | null;
  /** False when it has a colour profile that does not open within its limit. */
  profileOpens: boolean;
}

/** Forty times what the largest picture takes: of a machine under load a worker waits for seconds to begin. */
const MAX_DECODE_MS = 20_000;
/** Steps in which that time is counted. */
const STEPS = 50;
/** Beyond this the next one is told to come back. */
const MAX_WAITING = 20;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Opens the compressed parts of a PNG that cleanPng() left.
 *
 * @throws {HttpError} `too_many_attempts` when too many wait
 */
export async function tryPng(png: Uint8Array, maxDecodeMs = MAX_DECODE_MS): Promise<PngVerdict> {
  if (waiting >= MAX_WAITING) throw new HttpError("too_many_attempts", { headers: { "retry-after": "5" } });
  waiting++;
  const turn = last.then(() => "Worker" in globalThis ? inWorker(png, maxDecodeMs) : verdictOn(png));
  last = turn.catch(() => {});
  return await turn.finally(() => waiting--);
}

/** Judges in the calling thread. */
export async function verdictOn(png: Uint8Array): Promise<PngVerdict> {
  try {
    await checkPngPixels(png);
  } catch (error) {
    if (error instanceof SyntaxError) return { broken: error.message, profileOpens: true };
    throw error;
  }
  return { broken: null, profileOpens: profileOpens(png) };
}

async function inWorker(png: Uint8Array, maxDecodeMs: number): Promise<PngVerdict> {
  const worker = new Worker(new URL("./png_worker.ts", import.meta.url), { type: "module" });
  const answered = new AbortController();
  const answer = Promise.withResolvers<PngVerdict>();
  worker.onmessage = ({ data }: MessageEvent<PngVerdict>) => answer.resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    answer.reject(new Error(event.message));
  };
  const late = passed(maxDecodeMs, answered.signal)
    .then(() => ({ broken: "Cannot read PNG: it takes too long", profileOpens: true }));
  try {
    worker.postMessage(png);
    return await Promise.race([answer.promise, late]);
  } finally {
    answered.abort();
    worker.terminate();
  }
}

/**
 * Resolves after `ms` in which this thread could read an answer. A thread that stood still finds its timers due before it
 * reads what came meanwhile: standing still costs one step, however long it was.
 */
async function passed(ms: number, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < STEPS && !signal.aborted; step++) await sleep(ms / STEPS, signal);
}
