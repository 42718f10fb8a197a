/** What opens in place of a code when the phone is gone: random, written down by the user, good once each. */
import type { InStatement } from "@libsql/client/web";
import { createHash } from "node:crypto";
import { Secret } from "otpauth";
import type { EdgeContext } from "../context.ts";

const CODES = 10;
/** 120 bits: from 112 on a plain hash is enough (ASVS 5.0, 6.5.2). In Base32 six groups of four. */
const CODE_BYTES = 15;

/** New codes as the user reads them, and the statements that put them in place of all before. */
export function newRecoveryCodes(
  ctx: Pick<EdgeContext, "randomBytes">,
  userId: number,
): { codes: string[]; statements: InStatement[] } {
  const codes = Array.from({ length: CODES }, () => {
    const { base32 } = new Secret({ buffer: ctx.randomBytes(CODE_BYTES).buffer });
    return base32.match(/.{4}/g)!.join("-");
  });
  return {
    codes,
    statements: [
      { sql: "DELETE FROM recovery_codes WHERE user = ?", args: [userId] },
      {
        sql: "INSERT INTO recovery_codes (code_hash, user) SELECT value, ? FROM json_each(?)",
        args: [userId, JSON.stringify(codes.map((code) => hashRecoveryCode(bareCode(code))))],
      },
    ],
  };
}

/** A code as it is meant: however its groups are divided, and whatever a right-to-left text put around it. */
export function bareCode(typed: string): string {
  return typed.replaceAll(/[^0-9a-z]/gi, "").toUpperCase();
}

/** SHA-256 of a bare code, hexadecimal. */
export function hashRecoveryCode(bare: string): string {
  return createHash("sha256").update(bare).digest("hex");
}
