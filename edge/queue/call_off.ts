import type { TakenBack } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { Actor } from "./own_campaign.ts";
import { undoSend } from "./undo_send.ts";

/**
 * Calls a plan off, in one transaction: the campaign is ready again, its words can change, and its units are back in
 * the quota. Works until the plan starts, also while it waits for a person.
 *
 * @throws HttpError not_found (also another client's), send_began, campaign_state
 */
export async function callOffPlan(
  ctx: EdgeContext,
  user: Pick<Actor, "id">,
  campaign: number,
): Promise<TakenBack> {
  return await undoSend(ctx, user, campaign, { waits: "status = 'scheduled'", audit: "campaign_called_off" });
}
