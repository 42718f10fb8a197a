/**
 * `deno task app:key`: after a change of APP_KEY, prints what in the database still needs APP_KEY_BESIDE. It only
 * reads; the edge may run meanwhile. Exit code 0 = nothing needs it, and it can be removed.
 */
import { openChainParts } from "../audit_log/audit_parts.ts";
import { checkWholeChain } from "../audit_log/check_chain.ts";
import { opensMarkKey } from "../audit_log/mark_key.ts";
import { findAppKeys } from "../keys/app_key.ts";
import { parseConfig } from "../config.ts";
import { connectExisting } from "../db/connect.ts";
import { refuseArguments } from "./no_arguments.ts";
import { openFactorKeys, readOldSecrets } from "../auth/sealed_secret.ts";
import { openWebhookKeys, readOldWebhookSecrets } from "../webhooks/secrets.ts";
import { print, runCommand } from "./run_command.ts";

await runCommand("check the keys", main);

async function main(): Promise<number> {
  refuseArguments("app:key", Deno.args);
  const config = parseConfig(Deno.env.toObject());
  const keys = await findAppKeys(config);
  const db = await connectExisting(config.databaseUrl, config.databaseAuthToken);
  const old = await readOldSecrets({ db }, await openFactorKeys(keys));
  const webhooks = await readOldWebhookSecrets({ db }, await openWebhookKeys(keys));
  const { fault } = await checkWholeChain(db, openChainParts(keys, config));
  // Rows sealed by the other key are good, not forged: they wait for a check that vouches for them.
  const withOne = async () => (await checkWholeChain(db, openChainParts([keys[0]], config))).fault;
  const waiting = fault ?? (keys.length > 1 ? await withOne() : null);
  const left = [
    ...(old.length > 0 ? [`${old.length} second factors`] : []),
    ...(webhooks.length > 0 ? [`${webhooks.length} webhook secrets`] : []),
    ...(await opensMarkKey({ db }, keys) ? [] : ["the mark key"]),
    ...(waiting === null ? [] : [`the audit log from row ${waiting.row} on`]),
  ];
  db.close();
  print(
    left.length === 0
      ? "APP_KEY opens everything: nothing needs APP_KEY_BESIDE."
      : `APP_KEY alone does not open: ${left.join(", ")}.`,
  );
  if (fault !== null) {
    print("The audit log has a fault under all given keys. Run deno task audit:log to see the row.");
  }
  return left.length === 0 ? 0 : 1;
}
