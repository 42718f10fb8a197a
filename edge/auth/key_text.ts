/**
 * The text of an API key: `shg_live_` or `shg_test_`, 32 random bytes as 43 digits of base 62, and a CRC-32 as six.
 * Scanners of source code find leaked keys by the prefix, and the checksum tells a key from a text that looks like one.
 */
import type { KeyMode } from "shared/api_key.ts";
import type { EdgeContext } from "../context.ts";

const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECK_DIGITS = 6;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Every key, and hardly anything else. */
export const KEY_PATTERN = /^shg_(live|test)_[0-9A-Za-z]{49}$/;
/** Characters of a key that are shown again: the prefix and four digits. */
export const START_CHARS = "shg_live_".length + 4;

/** Returns the text of a new key. */
export function makeKeyText({ randomBytes }: Pick<EdgeContext, "randomBytes">, mode: KeyMode): string {
  const number = BigInt(`0x${randomBytes(SECRET_BYTES).toHex()}`);
  const body = `shg_${mode}_${toBase62(number, SECRET_DIGITS)}`;
  return body + checksum(body);
}

/** Returns whether `text` is a whole key whose checksum is right; it may still be nobody's. */
export function isKeyText(text: string): boolean {
  return KEY_PATTERN.test(text) && checksum(text.slice(0, -CHECK_DIGITS)) === text.slice(-CHECK_DIGITS);
}

/** Returns the stored form of a key: SHA-256 in hexadecimal. It is so random that a fast hash is enough. */
export async function hashKeyText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(new TextEncoder().encode(body))), CHECK_DIGITS);
}

function toBase62(number: bigint, length: number): string {
  let text = "";
  for (let rest = number; text.length < length; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}

/** CRC-32 as in zip files (polynomial 0xEDB88320). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
