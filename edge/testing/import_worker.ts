/**
 * For the test that kills it: a process that imports files. Its first argument names the database, its second the
 * time. Before its third commit it prints a line and then waits forever. At that moment one part of a file is stored,
 * and every row of the next part is written.
 */
import type { TransactionMode } from "@libsql/client/web";
import { connectDatabase } from "../db/connect.ts";
import { runImports } from "../files/run_imports.ts";
import { testContext } from "./test_context.ts";

const [url, now] = Deno.args;
const ctx = testContext(await connectDatabase(url!), { now: () => Number(now) });
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
