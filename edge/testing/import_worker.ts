/**
 * For the test that kills it: a process that imports files. Its first argument names the database, its second the
 * time. Before its third commit it prints a line and then waits forever. At that moment one part of a file is stored,
 * and every row of the next part is written.
 */
import type { TransactionMode } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { connectDatabase } from "../db/connect.ts";
import { runImports } from "../files/run_imports.ts";
import { TEST_MARK_KEYS, testAuditParts } from "./audit_parts.ts";
import { silentLog } from "./fleet.ts";

const [url, now] = Deno.args;
const ctx: EdgeContext = {
  db: await connectDatabase(url!),
  now: () => Number(now),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  wakeOutbox() {},
  log: silentLog,
  audit: testAuditParts(),
  databaseMarkKeys: TEST_MARK_KEYS,
};
const begin = ctx.db.transaction.bind(ctx.db);
let commits = 0;
ctx.db.transaction = async (mode?: TransactionMode) => {
  const transaction = await begin(mode ?? "write");
  const commit = transaction.commit.bind(transaction);
  transaction.commit = () => ++commits === 3 ? standStill() : commit();
  return transaction;
};
while (await runImports(ctx) > 0);

function standStill(): never {
  Deno.stdout.writeSync(new TextEncoder().encode("halfway\n"));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error("Nobody wakes it");
}
