/** Limits searches for whole numbers by a user who sees masked ones: each result confirms or refutes a guess. */
import { markOf } from "../audit_log/number_mark.ts";
import { THROTTLE_WINDOW_MS } from "../auth/login_throttle.ts";
import { parsePhone } from "./parse_phone.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import { phoneRanges } from "./phone_search.ts";

/** Per user in a window of THROTTLE_WINDOW_MS. Trying the thousand numbers that a mask leaves open takes over a day. */
const MAX_WHOLE_NUMBERS = 10;

// The counts share a table with login attempts and are deleted with them. A full window does not move.
const COUNT = `INSERT INTO login_attempts (key, failures, first_at)
  SELECT :counter, 1, :now WHERE NOT EXISTS (SELECT 1 FROM login_attempts WHERE key = :number AND first_at > :since)
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN first_at <= :since THEN 1 ELSE failures + 1 END,
    first_at = CASE WHEN first_at <= :since THEN :now ELSE first_at END`;
// A screen repeats its requests: the same number counts once per window.
const KEEP = `INSERT INTO login_attempts (key, failures, first_at)
  SELECT :number, 1, :now
  WHERE (SELECT failures FROM login_attempts WHERE key = :counter AND first_at > :since) <= ${MAX_WHOLE_NUMBERS}
  ON CONFLICT (key) DO UPDATE SET first_at = :now WHERE first_at <= :since`;
const MAY_LOOK = "SELECT 1 FROM login_attempts WHERE key = :number AND first_at > :since";

/** Returns whether `q` can be a whole stored number; the beginning of a number reveals less and is not counted. */
export function isWholeNumber(q: string): boolean {
  return wholeNumbers(q).length > 0;
}

/**
 * Counts a number that `user` searches for, in the database, so that all edges and sessions share the count.
 *
 * @throws {HttpError} `too_many_attempts` over the limit
 */
export async function countWholeNumber(
  ctx: EdgeContext,
  user: Pick<Caller, "person">,
  q: string,
): Promise<void> {
  for (const phone of wholeNumbers(q)) await countNumber(ctx, user, phone);
}

async function countNumber(ctx: EdgeContext, user: Pick<Caller, "person">, phone: number): Promise<void> {
  const now = ctx.now();
  const args = {
    counter: markOf(ctx, "name", `whole numbers\n${user.person}`),
    number: markOf(ctx, "name", `whole number\n${user.person}\n${phone}`),
    now,
    since: now - THROTTLE_WINDOW_MS,
  };
  const { allowed } = await writeBatch(ctx.db, {
    counted: statement(COUNT, args),
    kept: statement(KEEP, args),
    allowed: statement(MAY_LOOK, args),
  });
  if (allowed.rows.length > 0) return;
  // No Retry-After: a screen would wait for minutes without a message.
  throw new HttpError("too_many_attempts", {
    text: "חיפשת יותר מדי מספרים שלמים בזמן קצר. אפשר לחפש שוב בעוד רבע שעה.",
  });
}

/** Returns each number that `q` can be: "508123456" is one of another country, and one here that lost its zero. */
function wholeNumbers(q: string): number[] {
  const ofDigits = phoneRanges(q).filter(({ first, last }) => first === last)
    .map(({ first }) => parsePhone(`+${first}`).phone);
  const phones = [...ofDigits, parsePhone(q).phone].filter((phone) => phone !== undefined);
  return [...new Set(phones)];
}
