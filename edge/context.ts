/** What every verb of the edge is handed; made once in main.ts, or by a test. */
import type { Client } from "@libsql/client/web";
import type { AuditParts } from "./audit_log/audit_parts.ts";
import type { Log } from "./log.ts";
import type { MarkKeys } from "./queue/database_mark.ts";
import type { StartWait } from "./queue/start_wait.ts";
import type { Scan } from "./virus_scan/clamd.ts";

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
