/** Signatures of Standard Webhooks 1.0.0: HMAC-SHA-256 over id, time and body. */
import { createHmac } from "node:crypto";
import type { EdgeContext } from "../context.ts";

const SECRET_BYTES = 32;
const PREFIX = "whsec_";

/** Returns the bytes of a new secret. */
export function makeSecret({ randomBytes }: Pick<EdgeContext, "randomBytes">): Uint8Array<ArrayBuffer> {
  return randomBytes(SECRET_BYTES);
}

/** Returns a secret as its owner sees it. */
export function secretText(secret: Uint8Array): string {
  return `${PREFIX}${secret.toBase64()}`;
}

/** Returns the three headers of a call, signed with each secret, the present one first. */
export function signedHeaders(
  { id, at, body }: { id: string; at: number; body: string },
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const timestamp = Math.floor(at / 1_000);
  const signed = `${id}.${timestamp}.${body}`;
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) =>
      `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`
    ).join(" "),
  };
}
