/**
 * Codes of an application: RFC 6238 with the parameters that all applications accept: SHA-1, six digits, half a minute.
 */
import { Secret, TOTP } from "otpauth";

const STEP_MS = 30_000;
/** RFC 4226, section 4: 160 bits are recommended. */
export const SECRET_BYTES = 20;
/** One step each way, for differing clocks and slow typing (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1;

/** Returns the number of the half minute of a code that is valid at `now`; null = the code is not valid. */
export function stepOf(secret: Uint8Array<ArrayBuffer>, code: string, now: number): number | null {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(now / STEP_MS) + delta;
}

/** Returns what an application reads: the secret in Base32, and the address for a QR picture. */
export function showSecret(secret: Uint8Array<ArrayBuffer>, username: string) {
  const shown = totp(secret, username);
  return { secret: shown.secret.base32, uri: shown.toString() };
}

function totp(secret: Uint8Array<ArrayBuffer>, label?: string): TOTP {
  return new TOTP({ issuer: "Shigur", label, secret: new Secret({ buffer: secret.buffer }) });
}
