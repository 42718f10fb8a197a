import type { CampaignKind } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { writeBatch } from "../db/write_batch.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { checkWords } from "../lawful/sent_text.ts";
import type { CheckedImage } from "./image.ts";
import { storeImage } from "./store_image.ts";
import { showCampaign } from "./view.ts";

export interface NewCampaign {
  name: string;
  message: string;
  /** Absent = the client did not choose a kind. */
  kind?: CampaignKind | undefined;
  image: CheckedImage | null;
}

/**
 * Creates a draft that belongs to the client of `user`. Equal images are stored once.
 *
 * @throws {HttpError} `invalid_input` when an advertisement is too long together with the text that the law adds
 */
export async function createCampaign(
  ctx: EdgeContext,
  user: Caller,
  { name, message, kind = "undeclared", image }: NewCampaign,
): Promise<Campaign> {
  await checkWords(ctx, { client: user.client, kind, message });
  const now = ctx.now();
  const { sha256, stored } = await storeImage(image, now);
  const { created } = await writeBatch(ctx.db, {
    stored,
    created: query.insert(campaigns)
      .values({
        client: user.client,
        name,
        message,
        kind,
        image: sha256,
        createdAt: now,
        updatedAt: now,
        editedBy: user.person,
        editedByKey: user.key?.id ?? null,
      })
      .returning({ id: campaigns.id }),
    event: {
      sql: `INSERT INTO events (at, type, client, campaign, data)
        VALUES (?, 'campaign_changed', ?, last_insert_rowid(), json_object('campaignId', last_insert_rowid()))`,
      args: [now, user.client],
    },
    recorded: recordCall({ status: 201, made: { sql: "(SELECT max(id) FROM campaigns)" } }, { always: true }),
  });
  ctx.wakeOutbox();
  return await showCampaign(ctx, user, created.rows[0]!.id);
}
