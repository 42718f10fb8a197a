import type { Client } from "@libsql/client/web";
import { MARK_KEY } from "../audit_log/mark_key.ts";
import { AppKeyError, type AppKeys, findAppKeys, readAppKeys } from "../keys/app_key.ts";
import type { Config } from "../config.ts";

const HAS_SYSTEM = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'system'";
const IS_SEALED = `SELECT 1 FROM system WHERE key = '${MARK_KEY}'`;

/**
 * Reads the keys; makes one only for a database that was never used with a key. A new key in place of a lost one
 * would open nothing, and would occupy the place of the lost one.
 *
 * @throws AppKeyError when the database was used with a key and there is none, or when the key's file holds no valid
 * one
 */
export async function openAppKeys(
  db: Client,
  config: Pick<Config, "appKey" | "appKeyBeside" | "dataDir">,
  randomBytes: (length: number) => Uint8Array,
): Promise<AppKeys> {
  let reason: string;
  try {
    return await findAppKeys(config);
  } catch (error) {
    if (!(error instanceof AppKeyError)) throw error;
    reason = error.message;
  }
  const isSealed = (await db.execute(HAS_SYSTEM)).rows.length > 0 &&
    (await db.execute(IS_SEALED)).rows.length > 0;
  if (!isSealed) return await readAppKeys(config, randomBytes);
  throw new AppKeyError(
    `This database was used with a key. ${reason} Restore that key (docs/operations.md): no other key opens what the ` +
      "database keeps.",
  );
}
