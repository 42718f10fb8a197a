import { TEST_NUMBERS } from "shared/message.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";

const REASON = TEST_NUMBERS.map(({ phone, reason }) =>
  `WHEN ${phone} THEN ${reason === null ? "NULL" : `'${reason}'`}`
).join(" ");
const DUE = "state = 'queued' AND delivery IS NULL AND coalesce(send_after, 0) <= :now";
const LOOK = `SELECT 1 FROM messages WHERE ${DUE} LIMIT 1`;
// One that waited longer than its life, while no edge ran, ends as a real one would.
const SETTLE = `UPDATE messages SET updated_at = :now,
    state = iif(expires_at <= :now, 'skipped', outcome),
    reason = CASE WHEN expires_at <= :now THEN 'expired' ELSE CASE phone ${REASON} END END
  WHERE id IN (SELECT id FROM messages WHERE ${DUE} ORDER BY id LIMIT 500)`;

/** Moves messages of test keys to the outcome that their number says, and returns how many, at most a slice. */
export async function settleTests(ctx: EdgeContext): Promise<number> {
  const args = { now: ctx.now() };
  // Usually there is none, and this read takes no lock.
  if ((await ctx.db.execute(statement(LOOK, args))).rows.length === 0) return 0;
  return (await ctx.db.execute(statement(SETTLE, args))).rowsAffected;
}
