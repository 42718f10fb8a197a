import type { TakenBack } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { Actor } from "./own_campaign.ts";
import { undoSend } from "./undo_send.ts";

/** SQL condition on a campaign `c`: its time has come, or it was sent without a wait. */
export const HAS_STARTED = "(c.starts_at IS NULL OR c.starts_at <= :now)";

// An administrator's pause stays an administrator's.
const WAITS =
  "(status = 'processing' OR (status = 'paused' AND paused_by = 'client')) AND starts_at IS NOT NULL";

/**
 * Takes the send of a campaign back, in one transaction: the campaign is ready again, its words can change, and its
 * units are back in the quota. Works until its first message is handed to a site, also after the wait.
 *
 * @throws HttpError not_found (also another client's), send_began, campaign_state
 */
export async function takeBackSend(
  ctx: EdgeContext,
  user: Pick<Actor, "id">,
  campaign: number,
): Promise<TakenBack> {
  return await undoSend(ctx, user, campaign, { waits: WAITS, audit: "campaign_taken_back" });
}
