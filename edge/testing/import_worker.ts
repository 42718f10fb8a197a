/** For the test that kills it: another process that takes in files of the database named by its argument. */
import type { EdgeContext } from "../context.ts";
import { connectDatabase } from "../db/connect.ts";
import { runImports } from "../files/run_imports.ts";
import { testAuditParts } from "./audit_parts.ts";
import { silentLog } from "./fleet.ts";

const ctx: EdgeContext = {
  db: await connectDatabase(Deno.args[0]!),
  now: Date.now,
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  wakeOutbox() {},
  log: silentLog,
  audit: testAuditParts(),
};
while (await runImports(ctx) > 0);
