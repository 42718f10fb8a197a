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
import type { InStatement, ResultSet } from "@libsql/client/web";
import { writeAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";

export const THROTTLE_WINDOW_MS = 15 * 60_000;
export const MAX_TRIES = { pair: 10, address: 30, account: 100 };
/** How long an address remains a usual place of an account, in milliseconds. */
export const USUAL_PLACE_MS = 30 * 24 * 60 * 60_000;

export interface LoginTry {
  /** Whether this account logged in from this address within USUAL_PLACE_MS. */
  isUsualPlace: boolean;
  /** Results of the `beside` statements, at the moment of counting. */
  beside: ResultSet[];
  /** Returns the statements for a complete login; the caller adds them to its own batch. */
  succeeded(): InStatement[];
  /** Takes this try back, because its password was right; earlier tries remain counted. */
  takenBack(): Promise<void>;
}

/**
 * Counts a try before the password is compared, so that parallel tries cannot avoid the count. `key` hashes the
 * stored names and addresses. `beside` runs in the same batch, for tries that are not refused.
 *
 * @throws HttpError too_many_attempts with Retry-After when the limit is reached
 */
export async function startLoginTry(
  ctx: EdgeContext,
  key: CryptoKey,
  usernameKey: string,
  address: string,
  beside: InStatement[] = [],
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
    usualPlace: {
      sql: "SELECT 1 FROM login_attempts WHERE key = ? AND first_at > ?",
      args: [usual, now - USUAL_PLACE_MS],
    },
    beside,
  });
  const isUsualPlace = counted.usualPlace.rows.length > 0;
  const limits = [
    { row: counted.ofPair.rows[0]!, max: MAX_TRIES.pair },
    { row: counted.ofAddress.rows[0]!, max: MAX_TRIES.address },
    { row: counted.ofAccount.rows[0]!, max: isUsualPlace ? Infinity : MAX_TRIES.account },
  ];
  const reached = limits.filter(({ row, max }) => Number(row.failures) > max);
  if (reached.length > 0) {
    // Audit once when the limit is reached, not for each try after it.
    if (reached.some(({ row, max }) => Number(row.failures) === max + 1)) {
      const data = { from: markOf(ctx, "address", address), name: markOf(ctx, "name", usernameKey) };
      const { rows: [user] } = await ctx.db.execute({
        sql: "SELECT id FROM users WHERE username_key = ?",
        args: [usernameKey],
      });
      await writeAudit(ctx, { kind: "login_locked", actor: null, user: user && Number(user.id), data });
    }
    const freeAt = Math.max(...reached.map(({ row }) => Number(row.first_at))) + THROTTLE_WINDOW_MS;
    throw new HttpError("too_many_attempts", {
      headers: { "retry-after": String(Math.max(1, Math.ceil((freeAt - now) / 1000))) },
    });
  }
  return {
    isUsualPlace,
    beside: counted.beside,
    succeeded() {
      return [
        { sql: "DELETE FROM login_attempts WHERE key = ?", args: [pair] },
        {
          sql: "UPDATE login_attempts SET failures = failures - 1 WHERE key IN (?, ?) AND failures > 0",
          args: [from, account],
        },
        {
          sql: `INSERT INTO login_attempts (key, failures, first_at) VALUES (?, 0, ?)
            ON CONFLICT (key) DO UPDATE SET first_at = excluded.first_at`,
          args: [usual, ctx.now()],
        },
      ];
    },
    async takenBack() {
      await ctx.db.execute({
        sql: "UPDATE login_attempts SET failures = failures - 1 WHERE key IN (?, ?, ?) AND failures > 0",
        args: [pair, from, account],
      });
    },
  };
}

/** Removes expired counts; a tick. Usual places are the rows without failures. */
export async function forgetLoginTries(ctx: EdgeContext): Promise<void> {
  const now = ctx.now();
  await ctx.db.execute({
    sql: "DELETE FROM login_attempts WHERE first_at <= ? OR (failures > 0 AND first_at <= ?)",
    args: [now - USUAL_PLACE_MS, now - THROTTLE_WINDOW_MS],
  });
}

/** Counts a try. The window does not move with further tries, so waiting it out always helps. */
function countTry(key: string, now: number): InStatement {
  return {
    sql: `INSERT INTO login_attempts (key, failures, first_at) VALUES (?, 1, ?)
      ON CONFLICT (key) DO UPDATE SET
        failures = CASE WHEN first_at <= ?3 THEN 1 ELSE failures + 1 END,
        first_at = CASE WHEN first_at <= ?3 THEN excluded.first_at ELSE first_at END
      RETURNING failures, first_at`,
    args: [key, now, now - THROTTLE_WINDOW_MS],
  };
}

async function keyOf(key: CryptoKey, ...parts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
  return mac.subarray(0, 16).toHex();
}
