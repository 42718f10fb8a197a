import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";

/** A cause of alerts that lasts. */
export interface RaisedCause {
  cause: string;
  code: string;
  type: "error" | "warning";
  count: number;
}

const HAS_LISTENER = "EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = 0)";
const ANY = `SELECT ${HAS_LISTENER} OR EXISTS (SELECT 1 FROM raised_causes) AS any`;
// Rules tell of both (25_webhooks.sql).
const SEEN = "UPDATE raised_causes SET seen_at = :now";
const END = `DELETE FROM raised_causes WHERE cause NOT IN (SELECT value ->> 'cause' FROM json_each(:causes))
  OR NOT ${HAS_LISTENER}`;
const RAISE = `INSERT INTO raised_causes (cause, code, severity, amount, seen_at)
  SELECT value ->> 'cause', value ->> 'code', value ->> 'type', value ->> 'count', :now FROM json_each(:causes)
  WHERE ${HAS_LISTENER} ON CONFLICT (cause) DO UPDATE SET amount = excluded.amount`;

/** Tells administrators' webhooks of the causes that came and went since the last time. */
export async function raiseCauses(ctx: EdgeContext, present: readonly RaisedCause[]): Promise<void> {
  const { rows: [found] } = await ctx.db.execute(ANY);
  if (found?.any !== 1) return;
  const causes = JSON.stringify(
    present.map(({ cause, code, type, count }) => ({ cause, code, type, count })),
  );
  const args = { causes, now: ctx.now() };
  await ctx.db.batch([statement(SEEN, args), statement(END, args), statement(RAISE, args)], "write");
}
