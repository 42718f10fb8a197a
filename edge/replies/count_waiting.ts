import type { EdgeContext } from "../context.ts";

/** How many replies to a campaign wait for a person's decision. */
export async function countWaiting(ctx: EdgeContext, campaign: number): Promise<number> {
  const { rows: [found] } = await ctx.db.execute({
    sql: "SELECT count(*) AS n FROM replies WHERE campaign = ? AND state = 'waiting'",
    args: [campaign],
  });
  return Number(found!.n);
}
