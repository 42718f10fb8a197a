/** Encrypted bytes in the database: AES-256-GCM under a key derived from the application key, bound to their name. */
import { base64url } from "jose";
import type { EdgeContext } from "../context.ts";
import { type AppKeys, deriveBytes, type KeyUse } from "./app_key.ts";

/** The first key seals, any of them opens. */
export type SealingKeys = readonly [CryptoKey, ...CryptoKey[]];

const NONCE_BYTES = 12;

/** Derives the keys of one use from the application keys. */
export async function openSealingKeys([appKey, ...beside]: AppKeys, use: KeyUse): Promise<SealingKeys> {
  return [await openKey(appKey, use), ...await Promise.all(beside.map((key) => openKey(key, use)))];
}

/** Seals `bytes` under the name `what`; they cannot be opened under another name. */
export async function seal(
  ctx: Pick<EdgeContext, "randomBytes">,
  [key]: SealingKeys,
  what: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const nonce = ctx.randomBytes(NONCE_BYTES);
  const sealed = new Uint8Array(await crypto.subtle.encrypt(cipherOf(what, nonce), key, bytes));
  return `${base64url.encode(nonce)}.${base64url.encode(sealed)}`;
}

/** Opens the result of seal() and returns which of `keys` did. @throws OperationError when keys, name or text differ */
export async function open(
  keys: SealingKeys,
  what: string,
  text: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; key: number }> {
  const [nonce, sealed] = text.split(".").map((part) => new Uint8Array(base64url.decode(part)));
  const cipher = cipherOf(what, nonce!);
  for (const [key, one] of keys.entries()) {
    try {
      return { bytes: new Uint8Array(await crypto.subtle.decrypt(cipher, one, sealed!)), key };
    } catch (error) {
      if (key === keys.length - 1) throw error;
    }
  }
  throw new Error("There is no key");
}

async function openKey(appKey: string, use: KeyUse): Promise<CryptoKey> {
  const bytes = new Uint8Array(deriveBytes(appKey, use));
  return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function cipherOf(what: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(what) };
}
