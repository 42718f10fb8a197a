/** The parameters of every operation of the edge; created once in main.ts, or by a test. */
import type { Client } from "@libsql/client/web";
import type { AlertChannel, AlertFailure } from "shared/admin_api.ts";
import type { Log } from "./log.ts";

export interface EdgeContext {
  db: Client;
  /** Server time in milliseconds. */
  now(): number;
  /** Server time as createSteadyClock() returns it; absent = `now`. */
  steadyNow?: () => number;
  /** Returns `length` unpredictable bytes. */
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** Wakes the outbox tail after a commit that may have written events; a lost call costs one poll. */
  wakeOutbox(): void;
  log: Log;
  /** The audit log's keys, and the place outside the database for its heads. */
  audit: AuditParts;
  /** Keys that seal the database's mark, which sites return. */
  databaseMarkKeys: MarkKeys;
  /** The sites that a starting edge waits for before it leases; absent = none. */
  startWait?: StartWait;
  /** Milliseconds for which all callers share one read of the whole fleet; absent = each reads again. */
  fleetMaxAgeMs?: number;
  /** Absent = uploads are not scanned. */
  scan?: Scan;
  /** Origin of the recipients' links for removal; absent = the edge does not know its address. */
  linkOrigin?: string | undefined;
  /** Absent = alerts stay in the browser. */
  outside?: Outside;
}

/** What leaves the browser about one cause of alerts, or a test. */
export interface OutsideMessage {
  /** A cause's key, or "test". */
  cause: string;
  type: "error" | "warning" | "test";
  /** Hebrew sentences without names of clients, campaigns or recipients. */
  title: string;
  step: string;
  count: number;
  /** Start of the trouble; null = not known. */
  since: number | null;
  at: number;
  /** Names of sites. */
  places: string[];
  /** Address of the screen; null = the edge does not know its own. */
  url: string | null;
}

/** Sends one message. Rejects only with OutsideError. */
export type SendOutside = (message: OutsideMessage) => Promise<void>;

export interface Outside {
  /** The ways out that the environment names. */
  send: Partial<Record<AlertChannel, SendOutside>>;
  /** The screens' own address. */
  origin: string | null;
}

/** A message that was not accepted. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
  /**
   * @param reason in words of our own: the other side's words may hold secrets
   * @param mayHaveArrived whether the message left, so that another try could be a second message
   */
  constructor(
    readonly reason: AlertFailure,
    readonly mayHaveArrived: boolean,
    readonly status: number | null = null,
  ) {
    super(`Cannot deliver the alert: ${reason}${status === null ? "" : ` ${status}`}`);
  }
}

/** The first key seals marks; a mark sealed with any of them is genuine. */
export type MarkKeys = readonly [Uint8Array, ...Uint8Array[]];

export interface StartWait {
  /** JSON of the awaited sites, with the database's state of each when the edge started. */
  awaited: string;
}

export interface Verdict {
  /** The name of the malware in the file; null = nothing known. */
  found: string | null;
}

/** Scans a file for known malware. Rejects only with ScanError, when there is no verdict. */
export type Scan = (file: Uint8Array) => Promise<Verdict>;

export interface ChainParts {
  /** The first key seals rows and heads; a seal by any of them is valid. */
  sealKeys: readonly [Uint8Array, ...Uint8Array[]];
  heads: HeadsOutside;
}

export interface AuditParts extends ChainParts {
  /** Makes the marks that replace numbers and addresses (mark_key.ts). */
  markKey: Uint8Array;
}

/** Heads as lines of text, oldest first. */
export interface HeadsOutside {
  append(line: string): Promise<void>;
  read(): Promise<string[]>;
}
