/**
 * `deno task audit`: recalculates balances, reservations and counters of the database from its rows, and prints the
 * differences. It only reads; the edge may run meanwhile. Exit code 0 = no difference.
 */
import { parseConfig } from "../config.ts";
import { connectExisting } from "../db/connect.ts";
import { refuseArguments } from "./no_arguments.ts";
import { auditQueue } from "../queue/audit.ts";
import { print, runCommand } from "./run_command.ts";

await runCommand("audit", main);

async function main(): Promise<number> {
  refuseArguments("audit", Deno.args);
  const config = parseConfig(Deno.env.toObject());
  const db = await connectExisting(config.databaseUrl, config.databaseAuthToken);
  const differences = await auditQueue(db);
  db.close();
  for (const { rule, found } of differences) print(`${rule}: ${JSON.stringify(found)}`);
  print(differences.length === 0 ? "All rules hold." : `${differences.length} rows break a rule.`);
  return differences.length === 0 ? 0 : 1;
}
