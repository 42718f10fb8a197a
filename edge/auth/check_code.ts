import type { Client } from "@libsql/client/web";
import { and, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { noteAudit, writeAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { SealingKeys } from "../keys/sealed.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { recoveryCodes, secondFactors } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { bareCode, hashRecoveryCode } from "./recovery_codes.ts";
import { openSecret } from "./sealed_secret.ts";
import { stepOf } from "./totp.ts";

export interface CodeGiven {
  userId: number;
  /** Null = the user is logging in. */
  actor: number | null;
  code: string;
  /** The caller's address. */
  address: string;
}

/**
 * Accepts a code of the user's application, or a recovery code: each is valid once. The caller has counted the try
 * (login_throttle.ts).
 *
 * @throws HttpError wrong_code for any other code, and when the factor was turned off meanwhile
 */
export async function checkCode(ctx: EdgeContext, factorKeys: SealingKeys, given: CodeGiven): Promise<void> {
  const code = bareCode(given.code);
  const isTaken = /^\d{6}$/.test(code)
    ? await takeStep(ctx, factorKeys, given.userId, code)
    : await takeRecoveryCode(ctx, given.userId, code);
  if (!isTaken) await refuseCode(ctx, given);
}

/** Audits the wrong code and throws `wrong_code`. */
export async function refuseCode(
  ctx: EdgeContext,
  { userId: user, actor, address }: Omit<CodeGiven, "code">,
): Promise<never> {
  const data = { from: markOf(ctx, "address", address) };
  await writeAudit(ctx, { kind: "code_refused", actor, user, data });
  throw new HttpError("wrong_code");
}

/** Returns the secret of a `confirmed` or `begun` factor; null when there is none, or when APP_KEY has changed. */
export async function readSecret(
  ctx: Pick<EdgeContext, "log"> & { db: Pick<Client, "execute"> },
  factorKeys: SealingKeys,
  userId: number,
  state: "confirmed" | "begun",
): Promise<{ sealed: string; secret: Uint8Array<ArrayBuffer> } | null> {
  const { user, confirmedAt, secret } = secondFactors;
  const isInState = state === "confirmed" ? isNotNull(confirmedAt) : isNull(confirmedAt);
  const { rows: [row] } = await execute(
    ctx.db,
    query.select({ sealed: secret }).from(secondFactors).where(and(eq(user, userId), isInState)),
  );
  if (!row) return null;
  try {
    return { sealed: row.sealed, secret: await openSecret(factorKeys, userId, row.sealed) };
  } catch (error) {
    ctx.log.warn("second_factor_unreadable", { user: userId, error: String(error) });
    return null;
  }
}

async function takeStep(ctx: EdgeContext, factorKeys: SealingKeys, userId: number, code: string) {
  const held = await readSecret(ctx, factorKeys, userId, "confirmed");
  const step = held && stepOf(held.secret, code, ctx.now());
  if (step === null) return false;
  const { user, secret, lastStep } = secondFactors;
  const { rowsAffected } = await execute(
    ctx.db,
    query.update(secondFactors).set({ lastStep: step })
      .where(and(eq(user, userId), eq(secret, held!.sealed), lt(lastStep, step))),
  );
  return rowsAffected === 1;
}

async function takeRecoveryCode(ctx: EdgeContext, userId: number, code: string): Promise<boolean> {
  const left = "json_object('left', (SELECT count(*) FROM recovery_codes WHERE user = ?))";
  const { taken } = await writeBatch(ctx.db, {
    taken: query.delete(recoveryCodes)
      .where(and(eq(recoveryCodes.codeHash, hashRecoveryCode(code)), eq(recoveryCodes.user, userId))),
    audited: rightAfter(
      "taken",
      noteAudit(ctx.now(), {
        kind: "recovery_code_used",
        actor: userId,
        dataSql: { sql: left, args: [userId] },
      }, STEP_BEFORE_CHANGED),
    ),
  });
  return taken.rowsAffected === 1;
}
