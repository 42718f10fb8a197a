/**
 * `deno task audit:log`: checks the audit log from first to last row against the head in the database and the heads
 * in DATA_DIR. It names the first row that was edited, removed, moved or cut off. It only reads; the edge may run
 * meanwhile. Exit code 0 = no fault.
 */
import { openChainParts } from "../audit_log/audit_parts.ts";
import { checkWholeChain } from "../audit_log/check_chain.ts";
import { parseConfig } from "../config.ts";
import { findAppKeys } from "../keys/app_key.ts";
import { connectExisting } from "../db/connect.ts";
import { refuseArguments } from "./no_arguments.ts";
import { print, runCommand } from "./run_command.ts";

const FAULTS = {
  edited: "differs from what was sealed: it was edited, or moved from another place",
  missing: "was removed",
  forged: "was sealed again without the key, and so were the rows after it",
  cut: "and the rows after it were cut off: a signed head names them",
  head_forged: "would be the next, but the head in the database was not signed with this APP_KEY",
};
/** With one key alone, a forger cannot be distinguished from the other key of a change. */
const UNDER_ONE_KEY =
  "While APP_KEY is changed, set APP_KEY_BESIDE to the other key and check again. Otherwise the row was forged";
const FAULTS_UNDER_ONE_KEY = {
  ...FAULTS,
  forged: `is not sealed with this APP_KEY. ${UNDER_ONE_KEY}`,
  head_forged: `${FAULTS.head_forged}. ${UNDER_ONE_KEY}`,
};

await runCommand("check the audit log", main);

async function main(): Promise<number> {
  refuseArguments("audit:log", Deno.args);
  const config = parseConfig(Deno.env.toObject());
  const keys = await findAppKeys(config);
  const audit = openChainParts(keys, config);
  const db = await connectExisting(config.databaseUrl, config.databaseAuthToken);
  const { rows, fault } = await checkWholeChain(db, audit);
  const { rows: [{ open }] } = await db.execute(
    "SELECT count(*) AS open FROM audit_log WHERE hash IS NULL",
  );
  db.close();
  const heads = (await audit.heads.read()).length;
  print(`${rows} rows are as sealed, ${open} are not sealed yet; compared with ${heads} heads in DATA_DIR.`);
  const faults = keys.length > 1 ? FAULTS : FAULTS_UNDER_ONE_KEY;
  if (fault !== null) print(`Row ${fault.row} ${faults[fault.fault]}.`);
  return fault === null ? 0 : 1;
}
