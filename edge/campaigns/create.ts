import type { InStatement } from "@libsql/client/web";
import { createHash } from "node:crypto";
import type { Campaign } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "../http/router.ts";
import type { CheckedImage } from "./image.ts";
import { readNotices } from "./notices.ts";
import { readCampaign } from "./read.ts";
import { viewCampaign } from "./view.ts";

export interface NewCampaign {
  name: string;
  message: string;
  image: CheckedImage | null;
}

/** Makes a draft that belongs to `user`; the image is stored once, whoever sends it how often. */
export async function createCampaign(
  ctx: EdgeContext,
  user: SessionUser,
  { name, message, image }: NewCampaign,
): Promise<Campaign> {
  const now = ctx.now();
  const sha256 = image && createHash("sha256").update(image.bytes).digest("hex");
  const statements: InStatement[] = [
    {
      sql: `INSERT INTO campaigns (client, name, message, image, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
      args: [user.id, name, message, sha256, now, now],
    },
    {
      sql: `INSERT INTO events (at, type, client, campaign, data)
        VALUES (?, 'campaign_changed', ?, last_insert_rowid(), json_object('campaignId', last_insert_rowid()))`,
      args: [now, user.id],
    },
  ];
  if (image) {
    statements.unshift({
      sql: `INSERT INTO images (sha256, media_type, bytes, width, height, created_at)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      args: [sha256, image.mediaType, image.bytes, image.width, image.height, now],
    });
  }
  const results = await ctx.db.batch(statements, "write");
  ctx.wakeOutbox();
  const id = Number(results[image ? 1 : 0]?.rows[0]?.id);
  const row = await readCampaign(ctx, user, id);
  return viewCampaign(row, await readNotices(ctx, row));
}
