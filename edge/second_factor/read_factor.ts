import type { SecondFactor } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";

/** Returns the state of the second factor of `userId`. */
export async function readSecondFactor(ctx: EdgeContext, userId: number): Promise<SecondFactor> {
  const { rows: [row] } = await ctx.db.execute({
    sql: `SELECT (SELECT confirmed_at FROM second_factors WHERE user = ?1) AS since,
      (SELECT count(*) FROM recovery_codes WHERE user = ?1) AS codes`,
    args: [userId],
  });
  return {
    since: row!.since === null ? null : Number(row!.since),
    recoveryCodes: Number(row!.codes),
  };
}
