/**
 * `deno task app:key`: says what of the database still needs APP_KEY_BESIDE, after APP_KEY was changed. It only reads; the
 * edge may run meanwhile. Exit code 0 = nothing does, and it can be taken away.
 */
import { openChainParts } from "./audit_log/audit_parts.ts";
import { checkWholeChain } from "./audit_log/check_chain.ts";
import { opensMarkKey } from "./audit_log/mark_key.ts";
import { type AppKeys, findAppKeys } from "./auth/app_key.ts";
import { parseConfig } from "./config.ts";
import { connectExisting } from "./db/connect.ts";
import { errorText } from "./error_fields.ts";
import { refuseArguments } from "./no_arguments.ts";
import { openFactorKeys, readOldSecrets } from "./second_factor/sealed_secret.ts";

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
Deno.exit(await main());

async function main(): Promise<number> {
  try {
    refuseArguments("app:key", Deno.args);
    const config = parseConfig(Deno.env.toObject());
    const keys = await findAppKeys(config);
    const db = await connectExisting(config.databaseUrl, config.databaseAuthToken);
    const old = await readOldSecrets({ db }, await openFactorKeys(keys));
    const faultWith = async (some: AppKeys) =>
      (await checkWholeChain(db, openChainParts(some, config))).fault;
    // A row that the old key sealed reads as forged where the new one alone is asked.
    const fault = await faultWith(keys);
    const needsOld = fault === null && keys.length > 1 && await faultWith([keys[0]]) !== null;
    const left = [
      ...(old.length > 0 ? [`${old.length} second factors`] : []),
      ...(await opensMarkKey({ db }, keys) ? [] : ["the key of marks"]),
      ...(needsOld ? ["the audit log, until the next check has sealed it"] : []),
      ...(fault === null ? [] : [`the audit log (${fault.fault}, row ${fault.row})`]),
    ];
    db.close();
    print(
      left.length === 0
        ? "APP_KEY opens everything: nothing needs APP_KEY_BESIDE."
        : `APP_KEY alone does not open: ${left.join(", ")}.`,
    );
    return left.length === 0 ? 0 : 1;
  } catch (error) {
    print(`Cannot look: ${errorText(error)}`);
    return 1;
  }
}
