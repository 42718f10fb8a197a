import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import { noteAudit } from "../audit_log/note_audit.ts";
import { checkAudit } from "../audit_log/check_tick.ts";
import { noteRestore } from "../audit_log/note_restore.ts";
import { sealAudit } from "../audit_log/seal.ts";
import { TEST_APP_KEY, TEST_MARK_KEYS, testAuditParts } from "../testing/audit_parts.ts";
import { silentLog } from "../testing/test_context.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { refuseDatabase } from "./refuse_database.ts";
import { DatabaseRefusedError } from "./refused_error.ts";
import type { AuditParts } from "../context.ts";

/** Writes and seals one row of the audit log at a time. */
async function sealOne(db: Client, audit: AuditParts, at: number): Promise<void> {
  await db.execute(noteAudit(at, { kind: "exported", actor: null, data: { what: "devices", at } }));
  const rest = { randomBytes: (length: number) => new Uint8Array(length), wakeOutbox() {}, log: silentLog };
  await sealAudit({ ...rest, db, audit, databaseMarkKeys: TEST_MARK_KEYS, now: () => at });
}

Deno.test("refuseDatabase() refuses a database without the rows that newer heads name, file or remote", async () => {
  for (const remote of [false, true]) {
    const lines: string[] = [];
    const audit = testAuditParts(lines);
    await using older = await openTestDatabase({ remote });
    await using newer = await openTestDatabase();
    for (const db of [older.db, newer.db]) await sealOne(db, db === older.db ? testAuditParts() : audit, 1);
    await refuseDatabase(older.db, audit);
    await sealOne(newer.db, audit, 2);
    await refuseDatabase(newer.db, audit);
    await assert.rejects(
      refuseDatabase(older.db, audit),
      (error) =>
        error instanceof DatabaseRefusedError && /older than.*deno task restored/.test(error.message),
    );
  }
});

Deno.test("refuseDatabase() accepts the loss of a recorded restore, recorded outside or only in the database", async () => {
  const lines: string[] = [];
  const audit = testAuditParts(lines);
  await using older = await openTestDatabase();
  await using newer = await openTestDatabase();
  await sealOne(newer.db, audit, 2);
  const restored = noteAudit(2, { kind: "database_restored", actor: null });
  await assert.rejects(refuseDatabase(older.db, audit), DatabaseRefusedError);
  await older.db.execute(restored);
  await refuseDatabase(older.db, audit);
  await sealOne(newer.db, audit, 3);
  await assert.rejects(
    refuseDatabase(older.db, audit),
    DatabaseRefusedError,
    "a head newer than that restore",
  );
  await noteRestore({ audit, now: () => 4 });
  await refuseDatabase(older.db, audit);
});

Deno.test("refuseDatabase() misses no row by the head of an empty log, which a change of APP_KEY signs", async () => {
  await using database = await openTestDatabase();
  const lines: string[] = [];
  const audit = testAuditParts(lines, ["a new key of tests, long enough to be one", TEST_APP_KEY]);
  const rest = { randomBytes: (length: number) => new Uint8Array(length), wakeOutbox() {}, log: silentLog };
  await checkAudit({ ...rest, db: database.db, audit, databaseMarkKeys: TEST_MARK_KEYS, now: () => 1 });
  assert.equal(lines.length, 1);
  await refuseDatabase(database.db, audit);
});

Deno.test("refuseDatabase() allows an installation to move to a remote database, empty or its own", async () => {
  const lines: string[] = [];
  const audit = testAuditParts(lines);
  await using before = await openTestDatabase();
  await sealOne(before.db, audit, 1);
  await using empty = await openTestDatabase({ remote: true, migrated: false });
  await refuseDatabase(empty.db, audit);
  await using started = await openTestDatabase({ remote: true });
  await refuseDatabase(started.db, audit);
  await using file = await openTestDatabase();
  await assert.rejects(refuseDatabase(file.db, audit), /not the one of/);
});

Deno.test("refuseDatabase() refuses a backup's copy that was moved to a remote database", async () => {
  await using database = await openTestDatabase({ remote: true });
  await database.db.execute("INSERT INTO system (key, value) VALUES ('backup_copy', '2026-11-21')");
  await assert.rejects(refuseDatabase(database.db, testAuditParts()), /is a backup's copy/);
});
