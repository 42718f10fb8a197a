/** ClamAV's daemon over TCP (clamd(8)): a program of the operator's on this machine or in its private network. */
import { readVerdict, ScanError } from "./clamd_answer.ts";
import type { ClamdAddress } from "../config.ts";
import type { Scan, Verdict } from "../context.ts";

/** failed: there was no verdict. */
export const SCAN_RESULTS = ["clean", "found", "failed"] as const;
export type ScanResult = (typeof SCAN_RESULTS)[number];

export interface ClamdParts {
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Told of every file how it came out. */
  onResult?(result: ScanResult): void;
}

/** From the call to the verdict, the wait for a turn included. A list of 10 MB takes it a second or two. */
export const SCAN_WITHIN_MS = 20_000;
/** clamd has ten threads unless it is told otherwise, and serves the other edges of its machine as well. */
export const SCANS_AT_ONCE = 4;
/** Each holds a file of up to 10 MB; the next one is told to come back. */
export const SCANS_WAITING = 20;

/** Below the 4 kB in which clamd writes an answer; a verdict has some 60 bytes. */
const MAX_ANSWER_BYTES = 1024;

/** Makes the scan by the clamd at `address`; it connects anew for each file, so clamd may come and go. */
export function openClamd(address: ClamdAddress, { sleep, onResult = () => {} }: ClamdParts): Scan {
  const inTurn = openTurns();

  async function withinTime(file: Uint8Array): Promise<Verdict> {
    const over = new AbortController();
    const late = sleep(SCAN_WITHIN_MS, over.signal).then(() => {
      throw new ScanError(`clamd gave no answer in ${SCAN_WITHIN_MS / 1000} s`);
    });
    try {
      return await Promise.race([inTurn(() => ask(address, file, over.signal)), late]);
    } finally {
      over.abort();
    }
  }

  return async (file) => {
    try {
      const verdict = await withinTime(file);
      onResult(verdict.found === null ? "clean" : "found");
      return verdict;
    } catch (cause) {
      onResult("failed");
      if (cause instanceof ScanError) throw cause;
      const { hostname, port } = address;
      throw new ScanError(`Cannot ask clamd at ${hostname}:${port}: ${cause}`, { cause });
    }
  };
}

/** Lets `SCANS_AT_ONCE` act at a time, the others in the order they came. One whose time is over acts no more. */
function openTurns() {
  const waiting: (() => void)[] = [];
  let free = SCANS_AT_ONCE;
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else if (waiting.length < SCANS_WAITING) await new Promise<void>((go) => waiting.push(go));
    else throw new ScanError("Too many files wait for clamd");
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

async function ask(address: ClamdAddress, file: Uint8Array, signal: AbortSignal): Promise<Verdict> {
  signal.throwIfAborted();
  using conn = await Deno.connect({ ...address, signal });
  signal.throwIfAborted();
  signal.addEventListener("abort", () => conn[Symbol.dispose]());
  const sent = send(conn, file);
  // clamd may refuse in the middle: what it says then tells more than the broken pipe does.
  sent.catch(() => {});
  const verdict = readVerdict(await readToEnd(conn));
  // A verdict on a part of the file is none.
  await sent;
  return verdict;
}

/** One chunk, its length before it, and a chunk of no length for the end. */
async function send(conn: Deno.TcpConn, file: Uint8Array): Promise<void> {
  const chunk = file.length === 0 ? [] : [lengthOf(file), file];
  for (const bytes of [new TextEncoder().encode("zINSTREAM\0"), ...chunk, new Uint8Array(4)]) {
    for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
  }
}

/** Four bytes in network order. */
function lengthOf(file: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, file.length);
  return bytes;
}

/** clamd closes behind its one answer. */
async function readToEnd(conn: Deno.TcpConn): Promise<Uint8Array> {
  const answer = new Uint8Array(MAX_ANSWER_BYTES);
  for (let length = 0; length < answer.length;) {
    const read = await conn.read(answer.subarray(length));
    if (read === null) return answer.subarray(0, length);
    length += read;
  }
  throw new ScanError("Cannot read clamd's answer: it is too long");
}
