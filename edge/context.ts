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
}
