/** The one secret of an installation, and a separate key for every use (HKDF, RFC 5869). */
import { base64url } from "jose";
import { hkdfSync } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Config, isGoodAppKey, LEAST_DIFFERENT, LEAST_KEY_LENGTH } from "../config.ts";

/** The purpose of a derived key; two purposes never share one. */
export type KeyUse =
  | "login-throttle"
  | "audit-seal"
  | "number-mark"
  | "mark-key"
  | "second-factor"
  | "webhook-secret"
  | "database-mark";

/**
 * The application key, then, during a change of key, the other one. All new values use the first; values of either
 * are read.
 */
export type AppKeys = readonly [string, ...string[]];

/** No key here opens the database's secrets; another try with the same keys fails in the same way. */
export class AppKeyError extends Error {
  override readonly name = "AppKeyError";
}

/** Returns the keys of the configuration, or the key stored in its `dataDir`. @throws what keepAppKey() throws */
export async function readAppKeys(
  { appKey, appKeyBeside, dataDir }: Pick<Config, "appKey" | "appKeyBeside" | "dataDir">,
  randomBytes: (length: number) => Uint8Array,
): Promise<AppKeys> {
  const key = appKey ?? await keepAppKey(dataDir, randomBytes);
  return appKeyBeside === undefined || appKeyBeside === key ? [key] : [key, appKeyBeside];
}

/**
 * Returns the keys like readAppKeys(), for commands that only read: a new key would open nothing.
 *
 * @throws AppKeyError when there is none
 */
export async function findAppKeys(
  config: Pick<Config, "appKey" | "appKeyBeside" | "dataDir">,
): Promise<AppKeys> {
  return await readAppKeys(config, () => {
    throw new AppKeyError(`APP_KEY is not set, and DATA_DIR ${config.dataDir} has no app_key.`);
  });
}

/**
 * Returns the application key stored in `dataDir`; creates the file (mode 0600) the first time. Two processes that
 * start at once get the same key.
 *
 * @throws AppKeyError when the file holds a key that the configuration would refuse; what the file system throws
 */
export async function keepAppKey(
  dataDir: string,
  randomBytes: (length: number) => Uint8Array,
): Promise<string> {
  const path = join(dataDir, "app_key");
  // A restarted edge needs no disk space for the key.
  if (!await isThere(path)) await makeAppKey(path, randomBytes);
  const key = (await Deno.readTextFile(path)).trim();
  if (!isGoodAppKey(key)) {
    throw new AppKeyError(
      `${path} must hold at least ${LEAST_KEY_LENGTH} characters, ${LEAST_DIFFERENT} of them different.`,
    );
  }
  return key;
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** Writes a separate file and links it into place: a reader never sees half a key, and the first writer wins. */
async function makeAppKey(path: string, randomBytes: (length: number) => Uint8Array): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(draft, base64url.encode(randomBytes(32)), { mode: 0o600 });
    await Deno.link(draft, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Derives the keys of one use: the first makes new values, and values of any of them are valid. */
export function deriveKeys(
  [appKey, ...beside]: AppKeys,
  use: KeyUse,
): readonly [Uint8Array, ...Uint8Array[]] {
  return [deriveBytes(appKey, use), ...beside.map((key) => deriveBytes(key, use))];
}

/** Derives the HMAC-SHA-256 key of one use from the application key. */
export async function deriveKey(appKey: string, use: KeyUse): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", new TextEncoder().encode(appKey), "HKDF", false, [
    "deriveKey",
  ]);
  const info = new TextEncoder().encode(`shigur ${use}`);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info },
    material,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign"],
  );
}

/** Returns the key of deriveKey() as 32 bytes at once, for callers that cannot await the Web Crypto API. */
export function deriveBytes(appKey: string, use: KeyUse): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", appKey, new Uint8Array(32), `shigur ${use}`, 32));
}
