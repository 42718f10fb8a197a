import { and, eq, inArray } from "drizzle-orm";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { CheckedImage } from "./image.ts";
import { storeImage } from "./store_image.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";

// Deletes the new image too, when the campaign was sent meanwhile and no other campaign uses it.
const FORGET = `DELETE FROM images WHERE sha256 IN (:before, :sha256)
  AND sha256 NOT IN (SELECT image FROM campaigns WHERE image IN (:before, :sha256))
  AND sha256 NOT IN (SELECT image FROM message_images WHERE image IN (:before, :sha256))`;

/**
 * Sets or removes the image of a draft or ready campaign, and deletes an image that no campaign uses now.
 *
 * @throws {HttpError} `campaign_not_editable` when it was sent in the meantime
 */
export async function setImage(
  ctx: EdgeContext,
  campaign: CampaignRow,
  image: CheckedImage | null,
): Promise<void> {
  const now = ctx.now();
  const { sha256, stored } = await storeImage(image, now);
  const { replaced } = await writeBatch(ctx.db, {
    stored,
    replaced: query.update(campaigns).set({ image: sha256, updatedAt: now })
      .where(and(eq(campaigns.id, campaign.id), inArray(campaigns.status, EDITABLE_STATUSES))),
    forgotten: statement(FORGET, { sha256, before: campaign.image }),
    event: campaignChanged(now, campaign),
  });
  ctx.wakeOutbox();
  if (replaced.rowsAffected !== 1) throw new HttpError("campaign_not_editable");
}
