import { sql } from "drizzle-orm";
import type { CampaignKind } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { writeBatch } from "../db/write_batch.ts";
import type { SessionUser } from "../http/router.ts";
import { checkWords } from "../lawful/sent_text.ts";
import type { CheckedImage } from "./image.ts";
import { findSaved } from "../saved_messages/find_saved.ts";
import { storeImage } from "./store_image.ts";
import { showCampaign } from "./view.ts";

export interface NewCampaign {
  name: string;
  message: string;
  /** Absent = the client did not choose a kind. */
  kind?: CampaignKind | undefined;
  image: CheckedImage | null;
  /** The saved message that it begins with: its image is taken, unless there is another. */
  saved?: number | undefined;
}

/**
 * Creates a draft that belongs to `user`. Equal images are stored once.
 *
 * @throws {HttpError} `not_found` without such a saved message; `invalid_input` when an advertisement is too long together with the text that the law adds
 */
export async function createCampaign(
  ctx: EdgeContext,
  user: SessionUser,
  { name, message, kind = "undeclared", image, saved }: NewCampaign,
): Promise<Campaign> {
  await checkWords(ctx, { client: user.id, kind, message });
  const now = ctx.now();
  const kept = saved === undefined ? undefined : await findSaved(ctx, user, saved);
  const { sha256, stored } = await storeImage(image, now);
  const { created } = await writeBatch(ctx.db, {
    stored,
    created: query.insert(campaigns)
      .values({
        client: user.id,
        name,
        message,
        kind,
        image: sha256 ?? keptImage(kept),
        createdAt: now,
        updatedAt: now,
      })
      .returning({ id: campaigns.id }),
    event: {
      sql: `INSERT INTO events (at, type, client, campaign, data)
        VALUES (?, 'campaign_changed', ?, last_insert_rowid(), json_object('campaignId', last_insert_rowid()))`,
      args: [now, user.id],
    },
    used: kept && statement(USE, { saved: kept.id, now }),
  });
  ctx.wakeOutbox();
  return await showCampaign(ctx, user, created.rows[0]!.id);
}

const USE = "UPDATE saved_messages SET used_count = used_count + 1, used_at = :now WHERE id = :saved";

/**
 * The image of a saved message, in the statement that creates the campaign: a message that was removed meanwhile may
 * have taken its image along.
 */
function keptImage(kept: { id: number } | undefined) {
  return kept === undefined
    ? null
    : sql`(SELECT s.image FROM saved_messages s JOIN images i ON i.sha256 = s.image WHERE s.id = ${kept.id})`;
}
