import type { Client } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import type { Log } from "../log.ts";
import { TEST_MARK_KEYS, testAuditParts } from "./audit_parts.ts";

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Returns a context over `db` that logs nothing and wakes nobody, with the machine's clock, or with parts of `own`. */
export function testContext(db: Client, own: Partial<Omit<EdgeContext, "db">> = {}): EdgeContext {
  return {
    db,
    now: Date.now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    wakeOutbox() {},
    log: silentLog,
    audit: testAuditParts(),
    databaseMarkKeys: TEST_MARK_KEYS,
    ...own,
  };
}
