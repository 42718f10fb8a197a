/** Codes that replace the phone when it is lost: random, written down by the user, each valid once. */
import type { InStatement } from "@libsql/client/web";
import { createHash } from "node:crypto";
import { Secret } from "otpauth";
import type { EdgeContext } from "../context.ts";

const CODES = 10;
/** 120 bits: from 112 bits on a plain hash is enough (ASVS 5.0, 6.5.2). In Base32, six groups of four. */
const CODE_BYTES = 15;

/** Returns new codes as the user reads them, and the statements that replace all earlier ones. */
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

/** Returns a typed code without separators between groups and without direction marks from right-to-left text. */
export function bareCode(typed: string): string {
  return typed.replaceAll(/[^0-9a-z]/gi, "").toUpperCase();
}

/** Returns the SHA-256 of a bare code in hexadecimal. */
export function hashRecoveryCode(bare: string): string {
  return createHash("sha256").update(bare).digest("hex");
}
