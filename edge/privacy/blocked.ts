/**
 * Blocks erased numbers from new messages: only a keyed mark of each number remains, and every upload leaves it out.
 */
import type { InStatement, Transaction } from "@libsql/client/web";
import { execute, query, toStatement } from "../db/query.ts";
import { blockedMarks } from "../db/schema.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";

/** Returns true when a number, in digits, must never be messaged. */
export type IsBlocked = (phone: number) => boolean;

/** The result of readBlocked() when there are no marks. */
export const nobody: IsBlocked = () => false;

/**
 * Reads the marks for many numbers. Call it in the transaction `tx` that adds the numbers, so that a simultaneous
 * erasure runs before or after it. An HMAC per number would cost seconds per million, so a cheaper bucket filters
 * first.
 */
export async function readBlocked(
  ctx: EdgeContext,
  tx: Pick<Transaction, "execute"> = ctx.db,
): Promise<IsBlocked> {
  const { mark, bucket } = blockedMarks;
  const { rows } = await execute(tx, query.select({ mark, bucket }).from(blockedMarks));
  if (rows.length === 0) return nobody;
  const bucketOf = bucketsOf(ctx);
  const buckets = new Set(rows.map(({ bucket }) => bucket));
  const marks = new Set(rows.map(({ mark }) => mark));
  return (phone) => buckets.has(bucketOf(phone)) && marks.has(markOf(ctx, "phone", `+${phone}`));
}

/** Returns the statement that blocks a number. */
export function blockNumber(ctx: EdgeContext, phone: number): InStatement {
  const mark = markOf(ctx, "phone", `+${phone}`);
  return toStatement(
    query.insert(blockedMarks).values({ mark, bucket: bucketsOf(ctx)(phone), at: ctx.now() })
      .onConflictDoNothing({ target: blockedMarks.mark }),
  );
}

/**
 * Returns a keyed function from a number to one of 65,536 buckets. A bucket reveals little about its number, and
 * without the key nothing.
 */
function bucketsOf({ audit }: Pick<EdgeContext, "audit">): (phone: number) => number {
  const key = new DataView(audit.markKey.buffer, audit.markKey.byteOffset);
  const [low, high] = [key.getInt32(0), key.getInt32(4)];
  return (phone) => {
    let hash = Math.imul((phone >>> 0) ^ low, 0x9e3779b1) ^
      Math.imul((phone / 2 ** 32 + high) | 0, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    return hash >>> 16;
  };
}
