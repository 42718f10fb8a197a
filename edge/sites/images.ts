import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { images } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

export interface SiteImage {
  bytes: Uint8Array<ArrayBuffer>;
  mediaType: string;
}

// No row = no such image, or no open lease of this site needs it.
const READ = `SELECT media_type, bytes FROM images WHERE sha256 = :sha256 AND EXISTS (
  SELECT 1 FROM deliveries d JOIN campaigns c ON c.id = d.campaign
  WHERE d.site = :site AND d.state = 'leased' AND c.image = :sha256)`;

/** Returns an image that a site needs for a delivery it holds, or null. */
export async function readSiteImage(
  ctx: EdgeContext,
  site: number,
  sha256: string,
): Promise<SiteImage | null> {
  const { bytes, mediaType } = images;
  const [image] = rowsAs(await ctx.db.execute(statement(READ, { site, sha256 })), { bytes, mediaType });
  return image === undefined ? null : { ...image, bytes: new Uint8Array(image.bytes) };
}
