import type { SecondFactor } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import { secondFactors } from "../db/schema.ts";

/** Returns the state of the second factor of `userId`. */
export async function readSecondFactor(ctx: EdgeContext, userId: number): Promise<SecondFactor> {
  const result = await ctx.db.execute({
    sql: `SELECT (SELECT confirmed_at FROM second_factors WHERE user = ?1) AS confirmed_at,
      (SELECT count(*) FROM recovery_codes WHERE user = ?1) AS "recoveryCodes"`,
    args: [userId],
  });
  return rowsAs(result, { since: secondFactors.confirmedAt, recoveryCodes: wholeNumber })[0]!;
}
