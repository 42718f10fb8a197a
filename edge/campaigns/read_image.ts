import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { CampaignRow } from "../db/schema.ts";

export interface StoredImage {
  mediaType: string;
  bytes: ArrayBuffer;
}

/**
 * Returns the image of a campaign.
 *
 * @throws {HttpError} `not_found` when it has none
 */
export async function readImage(ctx: EdgeContext, campaign: CampaignRow): Promise<StoredImage> {
  const { rows } = await ctx.db.execute({
    sql: "SELECT media_type, bytes FROM images WHERE sha256 = ?",
    args: [campaign.image],
  });
  const bytes = rows[0]?.bytes;
  if (!(bytes instanceof ArrayBuffer)) throw new HttpError("not_found");
  return { mediaType: String(rows[0].media_type), bytes };
}
