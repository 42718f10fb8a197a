/** Codes of an application: RFC 6238 with what every application takes, SHA-1, six digits, half a minute. */
import { Secret, TOTP } from "otpauth";

const STEP_MS = 30_000;
/** RFC 4226, section 4: 160 bits are recommended. */
export const SECRET_BYTES = 20;
/** One step each way, for clocks that differ and for who types slowly (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1;

/** The number of the half minute whose code this is, of those that may be meant at `now`; null = of none. */
export function stepOf(secret: Uint8Array<ArrayBuffer>, code: string, now: number): number | null {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(now / STEP_MS) + delta;
}

/** What an application reads: the secret in Base32, and the address that a QR picture holds. */
export function tellSecret(secret: Uint8Array<ArrayBuffer>, username: string) {
  const told = totp(secret, username);
  return { secret: told.secret.base32, uri: told.toString() };
}

function totp(secret: Uint8Array<ArrayBuffer>, label?: string): TOTP {
  return new TOTP({ issuer: "Shigur", label, secret: new Secret({ buffer: secret.buffer }) });
}
