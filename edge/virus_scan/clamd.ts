/** Client of ClamAV's daemon over TCP (clamd(8)). The operator runs it on this machine or in its private network. */
import { readVerdict, ScanError } from "./clamd_answer.ts";
import type { ClamdAddress } from "../config.ts";
import type { Scan, Verdict } from "../context.ts";

/** failed: there was no verdict. */
export const SCAN_RESULTS = ["clean", "found", "failed"] as const;
export type ScanResult = (typeof SCAN_RESULTS)[number];

export interface ClamdParts {
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Called with the result of every file. */
  onResult?(result: ScanResult): void;
}

/** From the call to the verdict, including the wait for a free place. A list of 10 MB takes a second or two. */
const SCAN_WITHIN_MS = 20_000;
/** By default clamd has ten threads, and it serves the other edges of its machine too. */
export const SCANS_AT_ONCE = 4;
/** Each holds a file of up to 10 MB; the next caller must try again later. */
export const SCANS_WAITING = 20;

/** Below the 4 kB buffer in which clamd writes an answer; a verdict has some 60 bytes. */
const MAX_ANSWER_BYTES = 1024;

/** Returns a scan by the clamd at `address`. It opens a new connection for each file, so clamd may stop and start. */
export function openClamd(address: ClamdAddress, { sleep, onResult = () => {} }: ClamdParts): Scan {
  const limited = limitScans();

  async function withinTime(file: Uint8Array): Promise<Verdict> {
    const over = new AbortController();
    const late = sleep(SCAN_WITHIN_MS, over.signal).then(() => {
      throw new ScanError(`clamd gave no answer in ${SCAN_WITHIN_MS / 1000} s`);
    });
    try {
      return await Promise.race([limited(() => ask(address, file, over.signal)), late]);
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

/** Lets `SCANS_AT_ONCE` run at a time, in order of arrival. A scan past its time does not start. */
function limitScans() {
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
  // clamd may refuse in the middle: its answer says more than the broken pipe.
  sent.catch(() => {});
  const verdict = readVerdict(await readToEnd(conn));
  // A verdict on a part of the file is not valid.
  await sent;
  return verdict;
}

/** Sends one chunk after its length, and an empty chunk for the end. */
async function send(conn: Deno.TcpConn, file: Uint8Array): Promise<void> {
  const chunk = file.length === 0 ? [] : [lengthOf(file), file];
  for (const bytes of [new TextEncoder().encode("zINSTREAM\0"), ...chunk, new Uint8Array(4)]) {
    for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
  }
}

/** Returns the length as four bytes in network order. */
function lengthOf(file: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, file.length);
  return bytes;
}

/** clamd closes the connection after its one answer. */
async function readToEnd(conn: Deno.TcpConn): Promise<Uint8Array> {
  const answer = new Uint8Array(MAX_ANSWER_BYTES);
  for (let length = 0; length < answer.length;) {
    const read = await conn.read(answer.subarray(length));
    if (read === null) return answer.subarray(0, length);
    length += read;
  }
  throw new ScanError("Cannot read clamd's answer: it is too long");
}
