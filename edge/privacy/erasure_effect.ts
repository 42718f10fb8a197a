import type { ErasureEffect } from "shared/privacy.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import { parsePhone } from "../numbers/parse_phone.ts";

// One look at each campaign: no index covers the numbers of all campaigns.
const EFFECT = `SELECT count(*) AS campaigns, coalesce(sum(d.state IN ('queued', 'leased')
    AND c.status IN ('processing', 'active', 'paused')), 0) AS waiting
  FROM campaigns c CROSS JOIN deliveries d ON d.campaign = c.id AND d.phone = :phone`;

/**
 * Returns what an erasure of a number would touch, for the question before it.
 *
 * @throws {HttpError} `invalid_input`
 */
export async function readErasureEffect(ctx: EdgeContext, typed: string): Promise<ErasureEffect> {
  const { phone } = parsePhone(typed);
  if (phone === undefined) throw new HttpError("invalid_input", { text: "מספר הטלפון לא תקין." });
  const found = await ctx.db.execute(statement(EFFECT, { phone }));
  const [effect] = rowsAs(found, { campaigns: wholeNumber, waiting: wholeNumber });
  return { phone: `+${phone}`, ...effect! };
}
