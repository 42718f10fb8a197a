import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { campaignChanged } from "./changed_event.ts";
import type { CampaignRow } from "./read.ts";

/**
 * Changes the words of a draft or ready campaign.
 *
 * @throws {HttpError} `campaign_not_editable` when it was sent in the meantime
 */
export async function editCampaign(
  ctx: EdgeContext,
  campaign: CampaignRow,
  words: { name?: string | undefined; message?: string | undefined },
): Promise<void> {
  const now = ctx.now();
  const [updated] = await ctx.db.batch([
    {
      sql: `UPDATE campaigns SET name = coalesce(?, name), message = coalesce(?, message), updated_at = ?
        WHERE id = ? AND status IN ('draft', 'ready')`,
      args: [words.name ?? null, words.message ?? null, now, campaign.id],
    },
    campaignChanged(now, campaign),
  ], "write");
  if (updated?.rowsAffected !== 1) throw new HttpError("campaign_not_editable");
  ctx.wakeOutbox();
}
