import { createHash } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { CheckedImage } from "./image.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";

const STORE = `INSERT INTO images (sha256, media_type, bytes, width, height, created_at)
  VALUES (:sha256, :mediaType, :bytes, :width, :height, :now) ON CONFLICT DO NOTHING`;
// Deletes the new image too, when the campaign was sent meanwhile and no other campaign uses it.
const FORGET = `DELETE FROM images WHERE sha256 IN (:before, :sha256)
  AND sha256 NOT IN (SELECT image FROM campaigns WHERE image IN (:before, :sha256))`;

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
  const sha256 = image && createHash("sha256").update(image.bytes).digest("hex");
  if (image) await turnLoop();
  const args = { ...image, sha256, now, before: campaign.image };
  const { replaced } = await writeBatch(ctx.db, {
    stored: image ? statement(STORE, args) : undefined,
    replaced: query.update(campaigns).set({ image: sha256, updatedAt: now })
      .where(and(eq(campaigns.id, campaign.id), inArray(campaigns.status, EDITABLE_STATUSES))),
    forgotten: statement(FORGET, args),
    event: campaignChanged(now, campaign),
  });
  ctx.wakeOutbox();
  if (replaced.rowsAffected !== 1) throw new HttpError("campaign_not_editable");
}
