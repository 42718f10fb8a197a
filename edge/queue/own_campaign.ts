import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { rowsAs } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** The person acting on a campaign: one of its client, or an administrator. */
export type Actor = Pick<Caller, "client" | "person" | "role">;

/** SQL condition: the actor may stop and start the campaign. Needs :client and :isAdmin. */
export const MAY_ACT = "(client = :client OR :isAdmin)";

/**
 * SQL condition: neither :person nor the account of :client is disabled. A disabled person's last request may arrive
 * after that.
 */
export const IS_ENABLED = "NOT EXISTS (SELECT 1 FROM users WHERE id IN (:person, :client) AND disabled)";

/**
 * SQL: the id of :campaign; null when the actor may not see it, so that nothing of another person's campaign is read.
 */
export const OWN_CAMPAIGN = `(SELECT id FROM campaigns WHERE id = :campaign AND ${MAY_ACT})`;

const LOOK = `SELECT status FROM campaigns WHERE id = :campaign AND ${MAY_ACT}`;

/** Returns the arguments of MAY_ACT and IS_ENABLED, and the acting :person. */
export function actorArgs(
  { client, person, role }: Actor,
): { client: number; person: number; isAdmin: boolean } {
  return { client, person, isAdmin: role === "admin" };
}

/**
 * Throws the reason why an action changed nothing; `pausedText` is the text for a paused campaign.
 *
 * @throws HttpError not_found (also another client's) or campaign_state, always
 */
export async function refuseAct(
  ctx: EdgeContext,
  actor: Actor,
  campaign: number,
  pausedText?: string,
): Promise<never> {
  const found = await ctx.db.execute(statement(LOOK, { campaign, ...actorArgs(actor) }));
  const [row] = rowsAs(found, { status: campaigns.status });
  if (row === undefined) throw new HttpError("not_found");
  const { status } = row;
  const text = status === "paused" ? pausedText : undefined;
  throw new HttpError("campaign_state", { detail: `status is ${status}`, text });
}
