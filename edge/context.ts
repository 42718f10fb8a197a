/** What every verb of the edge is handed; made once in main.ts, or by a test. */
import type { Client } from "@libsql/client/web";
import type { Log } from "./log.ts";

export interface EdgeContext {
  db: Client;
  /** Server time in milliseconds. */
  now(): number;
  /** `length` bytes that cannot be guessed. */
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** Tells the outbox tail that a commit may have left events; losing the call costs one poll. */
  wakeOutbox(): void;
  log: Log;
  /** The audit log's keys, and where its heads are written out. */
  audit: AuditParts;
  /** Seal the database's mark, which sites return. */
  databaseMarkKeys: MarkKeys;
  /** What a starting edge waits for before it leases; absent = nothing. */
  startWait?: StartWait;
  /** Milliseconds for which one look at the whole fleet serves everybody who asks; absent = each looks for itself. */
  fleetMaxAgeMs?: number;
  /** Absent = uploads are not scanned. */
  scan?: Scan;
}

/** The first key seals marks; what any of them sealed is genuine. */
export type MarkKeys = readonly [Uint8Array, ...Uint8Array[]];

export interface StartWait {
  /** JSON of the sites to be heard, with what the database held of each when the edge started. */
  awaited: string;
}

export interface Verdict {
  /** The name of what the file holds; null = nothing that is known. */
  found: string | null;
}

/** Looks for what is known to be malicious. Rejects with ScanError, and nothing else, when there is no verdict. */
export type Scan = (file: Uint8Array) => Promise<Verdict>;

export interface ChainParts {
  /** The first seals rows and heads; what any of them sealed is good. */
  sealKeys: readonly [Uint8Array, ...Uint8Array[]];
  heads: HeadsOutside;
}

export interface AuditParts extends ChainParts {
  /** Makes the marks that stand in place of numbers and addresses (mark_key.ts). */
  markKey: Uint8Array;
}

/** Heads as lines of text, the oldest first. */
export interface HeadsOutside {
  append(line: string): Promise<void>;
  read(): Promise<string[]>;
}
