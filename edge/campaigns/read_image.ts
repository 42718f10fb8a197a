import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";

export interface StoredImage {
  mediaType: string;
  bytes: ArrayBuffer;
}

/**
 * Returns the image of a campaign or a saved message.
 *
 * @throws {HttpError} `not_found` when it has none
 */
export async function readImage(ctx: EdgeContext, { image }: { image: string | null }): Promise<StoredImage> {
  const { rows } = await ctx.db.execute({
    sql: "SELECT media_type, bytes FROM images WHERE sha256 = ?",
    args: [image],
  });
  const bytes = rows[0]?.bytes;
  if (!(bytes instanceof ArrayBuffer)) throw new HttpError("not_found");
  return { mediaType: String(rows[0].media_type), bytes };
}
