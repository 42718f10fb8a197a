import type { CampaignStatus } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { statement } from "../db/statement.ts";

/** Who acts on a campaign: its owner, or an administrator. */
export type Actor = Pick<SessionUser, "id" | "role">;

/** True in SQL for campaigns the actor may stop and start. Needs :user and :isAdmin. */
export const MAY_ACT = "(client = :user OR :isAdmin)";

/** True in SQL unless :user was disabled, whose last request may come in behind that. */
export const IS_ENABLED = "NOT EXISTS (SELECT 1 FROM users WHERE id = :user AND disabled)";

/** The id of :campaign in SQL, or null of what the actor may not see: of somebody else's campaign nothing is read. */
export const OWN_CAMPAIGN = `(SELECT id FROM campaigns WHERE id = :campaign AND ${MAY_ACT})`;

const LOOK = `SELECT status FROM campaigns WHERE id = :campaign AND ${MAY_ACT}`;

/** What MAY_ACT needs. */
export function actorArgs({ id, role }: Actor): { user: number; isAdmin: boolean } {
  return { user: id, isAdmin: role === "admin" };
}

/**
 * Why an act found nothing to change; `pausedText` says it of a paused campaign.
 *
 * @throws HttpError not_found (also another client's) or campaign_state, always
 */
export async function refuseAct(
  ctx: EdgeContext,
  actor: Actor,
  campaign: number,
  pausedText?: string,
): Promise<never> {
  const { rows: [row] } = await ctx.db.execute(statement(LOOK, { campaign, ...actorArgs(actor) }));
  if (row === undefined) throw new HttpError("not_found");
  const status = row.status as CampaignStatus;
  const text = status === "paused" ? pausedText : undefined;
  throw new HttpError("campaign_state", { detail: `status is ${status}`, text });
}
