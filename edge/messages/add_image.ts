import { IMAGE_KEPT_MS } from "shared/message.ts";
import type { MessageImage } from "shared/messages_api.ts";
import type { CheckedImage } from "../campaigns/image.ts";
import { storeImage } from "../campaigns/store_image.ts";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { rowsAs } from "../db/query.ts";
import { messageImages } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { writeBatch } from "../db/write_batch.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";

const ADD =
  "INSERT INTO message_images (client, image, created_at) VALUES (:client, :sha256, :now) RETURNING id";
const DROP = `DELETE FROM message_images WHERE id IN (
  SELECT id FROM message_images WHERE created_at <= :before ORDER BY id LIMIT 100) RETURNING image`;
// A carrier, a campaign or a later upload may still have it.
const DROP_UNUSED = `DELETE FROM images WHERE sha256 IN (SELECT value FROM json_each(:images))
  AND NOT EXISTS (SELECT 1 FROM message_images m WHERE m.image = images.sha256)
  AND NOT EXISTS (SELECT 1 FROM campaigns c WHERE c.image = images.sha256)`;

/** Stores a picture for the client's messages. */
export async function addMessageImage(
  ctx: EdgeContext,
  { client }: Pick<Caller, "client">,
  image: CheckedImage,
): Promise<MessageImage> {
  const now = ctx.now();
  const { sha256, stored } = await storeImage(image, now);
  const { added } = await writeBatch(ctx.db, {
    stored,
    added: statement(ADD, { client, sha256, now }),
    recorded: recordCall({ status: 201, made: { sql: "(SELECT max(id) FROM message_images)" } }, {
      always: true,
    }),
  });
  return viewImage(rowsAs(added, { id: messageImages.id })[0]!.id, now);
}

/** Returns the answer of an earlier upload. */
export async function readMessageImage(ctx: EdgeContext, id: number): Promise<MessageImage> {
  const found = await ctx.db.execute({
    sql: "SELECT created_at FROM message_images WHERE id = ?",
    args: [id],
  });
  return viewImage(id, rowsAs(found, { at: messageImages.createdAt })[0]?.at ?? 0);
}

/** Drops pictures that messages may use no longer, and returns how many, at most a slice; a tick. */
export async function dropMessageImages(ctx: EdgeContext): Promise<number> {
  return await inTransaction(ctx.db, async (tx) => {
    const before = ctx.now() - IMAGE_KEPT_MS;
    const gone = rowsAs(await tx.execute(statement(DROP, { before })), { image: messageImages.image });
    const images = JSON.stringify(gone.map(({ image }) => image));
    if (gone.length > 0) await tx.execute(statement(DROP_UNUSED, { images }));
    return gone.length;
  });
}

function viewImage(image: number, addedAt: number): MessageImage {
  return { image, keptUntil: addedAt + IMAGE_KEPT_MS };
}
