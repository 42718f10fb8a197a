/** A second factor's secret at rest: AES-256-GCM by a key of APP_KEY, bound to whose it is. */
import { base64url } from "jose";
import { deriveBytes } from "../auth/app_key.ts";
import type { EdgeContext } from "../context.ts";

const NONCE_BYTES = 12;

/** Derives the key from the application key. */
export async function openFactorKey(appKey: string): Promise<CryptoKey> {
  const bytes = new Uint8Array(deriveBytes(appKey, "second-factor"));
  return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** Seals `secret` for `userId`; another's seal opens nothing. */
export async function sealSecret(
  ctx: Pick<EdgeContext, "randomBytes">,
  key: CryptoKey,
  userId: number,
  secret: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const nonce = ctx.randomBytes(NONCE_BYTES);
  const sealed = new Uint8Array(await crypto.subtle.encrypt(cipherOf(userId, nonce), key, secret));
  return `${base64url.encode(nonce)}.${base64url.encode(sealed)}`;
}

/** Opens what sealSecret() made. @throws OperationError when key, user or text is another */
export async function openSecret(
  key: CryptoKey,
  userId: number,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const [nonce, sealed] = text.split(".").map((part) => new Uint8Array(base64url.decode(part)));
  return new Uint8Array(await crypto.subtle.decrypt(cipherOf(userId, nonce!), key, sealed!));
}

function cipherOf(userId: number, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(`user ${userId}`) };
}
