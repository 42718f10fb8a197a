/**
 * Slows down guessing. The counts are in the database, so that all instances share them and a restart keeps them.
 *
 * The rule, for each fifteen minutes: 10 tries of one account from one address, 30 from one address over all
 * accounts, 100 of one account from all addresses. The last one does not apply to an address from which the account
 * logged in within 30 days. So strangers cannot lock the owner out of their usual place, and elsewhere only while
 * they keep trying.
 *
 * A right password takes back its own try. Where a code is needed too, only both together forgive the earlier wrong
 * tries.
 */
import type { InStatement } from "@libsql/client/web";
import { and, eq, gt, inArray, lte, or, sql } from "drizzle-orm";
import { writeAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { conditionSql, execute, query, type RowOf, toStatement } from "../db/query.ts";
import { loginAttempts, users } from "../db/schema.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { ACCOUNT_DISABLED, USER_FIELDS } from "./user_row.ts";

export const THROTTLE_WINDOW_MS = 15 * 60_000;
export const MAX_TRIES = { pair: 10, address: 30, account: 100 };
/** How long an address remains a usual place of an account, in milliseconds. */
export const USUAL_PLACE_MS = 30 * 24 * 60 * 60_000;

export interface LoginTry {
  /** Whether this account logged in from this address within USUAL_PLACE_MS. */
  isUsualPlace: boolean;
  /** The user with this name and their password's hash, at the moment of counting; undefined = unknown. */
  user: RowOf<ReturnType<typeof findByName>> | undefined;
  /** Returns the statements for a complete login; the caller adds them to its own batch. */
  succeeded(): InStatement[];
  /** Takes this try back, because its password was right; earlier tries remain counted. */
  takenBack(): Promise<void>;
}

/**
 * Counts a try before the password is compared, so that parallel tries cannot avoid the count. `key` hashes the
 * stored names and addresses.
 *
 * @throws HttpError too_many_attempts with Retry-After when the limit is reached
 */
export async function startLoginTry(
  ctx: EdgeContext,
  key: CryptoKey,
  usernameKey: string,
  address: string,
): Promise<LoginTry> {
  const now = ctx.now();
  const [pair, from, account, usual] = await Promise.all([
    keyOf(key, "pair", usernameKey, address),
    keyOf(key, "address", address),
    keyOf(key, "account", usernameKey),
    keyOf(key, "usual", usernameKey, address),
  ]);
  const counted = await writeBatch(ctx.db, {
    ofPair: countTry(pair, now),
    ofAddress: countTry(from, now),
    ofAccount: countTry(account, now),
    usualPlace: query.select({ key: loginAttempts.key }).from(loginAttempts)
      .where(and(eq(loginAttempts.key, usual), gt(loginAttempts.firstAt, now - USUAL_PLACE_MS))),
    user: findByName(usernameKey),
  });
  const [user] = counted.user.rows;
  const isUsualPlace = counted.usualPlace.rows.length > 0;
  const limits = [
    { row: counted.ofPair.rows[0]!, max: MAX_TRIES.pair },
    { row: counted.ofAddress.rows[0]!, max: MAX_TRIES.address },
    { row: counted.ofAccount.rows[0]!, max: isUsualPlace ? Infinity : MAX_TRIES.account },
  ];
  const reached = limits.filter(({ row, max }) => row.failures > max);
  if (reached.length > 0) {
    // Audit once when the limit is reached, not for each try after it.
    if (reached.some(({ row, max }) => row.failures === max + 1)) {
      const data = { from: markOf(ctx, "address", address), name: markOf(ctx, "name", usernameKey) };
      await writeAudit(ctx, { kind: "login_locked", actor: null, user: user?.id, data });
    }
    const freeAt = Math.max(...reached.map(({ row }) => row.firstAt)) + THROTTLE_WINDOW_MS;
    throw new HttpError("too_many_attempts", {
      headers: { "retry-after": String(Math.max(1, Math.ceil((freeAt - now) / 1000))) },
    });
  }
  return {
    isUsualPlace,
    user,
    succeeded() {
      const firstAt = ctx.now();
      return [
        query.delete(loginAttempts).where(eq(loginAttempts.key, pair)),
        takeTryBack([from, account]),
        query.insert(loginAttempts).values({ key: usual, failures: 0, firstAt })
          .onConflictDoUpdate({ target: loginAttempts.key, set: { firstAt } }),
      ].map(toStatement);
    },
    async takenBack() {
      await execute(ctx.db, takeTryBack([pair, from, account]));
    },
  };
}

/** Removes expired counts; a tick. Usual places are the rows without failures. */
export async function forgetLoginTries(ctx: EdgeContext): Promise<void> {
  const now = ctx.now();
  const { failures, firstAt } = loginAttempts;
  const isOver = and(gt(failures, 0), lte(firstAt, now - THROTTLE_WINDOW_MS));
  await execute(ctx.db, query.delete(loginAttempts).where(or(lte(firstAt, now - USUAL_PLACE_MS), isOver)));
}

function findByName(usernameKey: string) {
  return query.select({
    ...USER_FIELDS,
    passwordHash: users.passwordHash,
    accountDisabled: conditionSql(ACCOUNT_DISABLED),
  }).from(users)
    .where(eq(users.usernameKey, usernameKey));
}

function takeTryBack(keys: string[]) {
  return query.update(loginAttempts).set({ failures: sql`${loginAttempts.failures} - 1` })
    .where(and(inArray(loginAttempts.key, keys), gt(loginAttempts.failures, 0)));
}

/** Counts a try. The window does not move with further tries, so waiting it out always helps. */
function countTry(key: string, now: number) {
  const { failures, firstAt } = loginAttempts;
  const isOver = lte(firstAt, now - THROTTLE_WINDOW_MS);
  return query.insert(loginAttempts).values({ key, failures: 1, firstAt: now }).onConflictDoUpdate({
    target: loginAttempts.key,
    set: {
      failures: sql`CASE WHEN ${isOver} THEN 1 ELSE ${failures} + 1 END`,
      firstAt: sql`CASE WHEN ${isOver} THEN excluded.first_at ELSE ${firstAt} END`,
    },
  }).returning({ failures, firstAt });
}

async function keyOf(key: CryptoKey, ...parts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
  return mac.subarray(0, 16).toHex();
}
