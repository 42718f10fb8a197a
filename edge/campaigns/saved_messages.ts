/** Messages that a client keeps: written, changed, copied, taken from a campaign, removed. */
import type { CampaignKind } from "shared/campaign.ts";
import { MAX_SAVED, type SavedMessage, type SavedMessages } from "shared/saved_api.ts";
import type { EdgeContext } from "../context.ts";
import { everyColumn, rowsAs, wholeNumber } from "../db/query.ts";
import { getTableColumns } from "drizzle-orm";
import { type CampaignRow, savedMessages, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { checkWords } from "../lawful/sent_text.ts";
import { findSaved, type SavedRow } from "../saved_messages/find_saved.ts";
import type { CheckedImage } from "./image.ts";
import { storeImage } from "./store_image.ts";

const SHOW = `SELECT ${everyColumn(savedMessages, "s")}, u.username AS "changedBy"
  FROM saved_messages s JOIN users u ON u.id = s.updated_by WHERE s.client = :client`;
const LIST = `${SHOW} ORDER BY coalesce(s.used_at, s.updated_at) DESC, s.id DESC LIMIT ${MAX_SAVED}`;
const ONE = `${SHOW} AND s.id = :id`;
const SHOWN = { ...getTableColumns(savedMessages), changedBy: users.username };
const HAS_ROOM = `(SELECT count(*) FROM saved_messages WHERE client = :client) < ${MAX_SAVED}`;
const ADD =
  `INSERT INTO saved_messages (client, name, message, kind, image, created_at, updated_at, updated_by)
  SELECT :client, :name, :message, :kind, :image, :now, :now, :user WHERE ${HAS_ROOM} RETURNING id`;
// The image in the same statement: its campaign may be losing it.
const ADD_FROM_CAMPAIGN =
  `INSERT INTO saved_messages (client, name, message, kind, image, created_at, updated_at, updated_by)
  SELECT client, :name, message, kind, image, :now, :now, :user FROM campaigns
  WHERE id = :campaign AND client = :client AND ${HAS_ROOM} RETURNING id`;
const COPY =
  `INSERT INTO saved_messages (client, name, message, kind, image, created_at, updated_at, updated_by)
  SELECT client, :name, message, kind, image, :now, :now, :user FROM saved_messages
  WHERE id = :id AND client = :client AND ${HAS_ROOM} RETURNING id`;
const CHANGE = `UPDATE saved_messages SET name = :name, message = :message, kind = :kind, updated_by = :user,
    image = CASE WHEN :image IS NOT NULL THEN :image WHEN :keeps THEN image END,
    updated_at = max(:now, updated_at + 1)
  WHERE id = :id AND client = :client AND (:seen IS NULL OR updated_at = :seen)`;
const REMOVE = "DELETE FROM saved_messages WHERE id = :id AND client = :client";
const FORGET_IMAGE = `DELETE FROM images WHERE sha256 IN (:before, :image)
  AND sha256 NOT IN (SELECT image FROM campaigns WHERE image IN (:before, :image))
  AND sha256 NOT IN (SELECT image FROM saved_messages WHERE image IN (:before, :image))`;

export interface SavedWords {
  name: string;
  message: string;
  kind: CampaignKind;
  image: CheckedImage | null;
}

/** Returns the client's saved messages, those used or changed last first. */
export async function listSaved(
  ctx: EdgeContext,
  { id: client }: Pick<SessionUser, "id">,
): Promise<SavedMessages> {
  const rows = rowsAs(await ctx.db.execute(statement(LIST, { client })), SHOWN);
  return { items: rows.map(shown) };
}

/** @throws {HttpError} `not_found` */
export async function showSaved(ctx: EdgeContext, user: SessionUser, id: number): Promise<SavedMessage> {
  const [row] = rowsAs(await ctx.db.execute(statement(ONE, { client: user.id, id })), SHOWN);
  if (row === undefined) throw new HttpError("not_found");
  return shown(row);
}

/** @throws {HttpError} `invalid_input` for an advertisement that is too long, or beyond MAX_SAVED */
export async function addSaved(
  ctx: EdgeContext,
  user: SessionUser,
  words: SavedWords,
): Promise<SavedMessage> {
  const { name, message, kind } = words;
  await checkWords(ctx, { client: user.id, kind, message });
  const now = ctx.now();
  const { sha256: image, stored } = await storeImage(words.image, now);
  const args = { client: user.id, user: user.id, name, message, kind, image, now };
  const { added } = await writeBatch(ctx.db, {
    stored,
    added: statement(ADD, args),
    forgotten: statement(FORGET_IMAGE, { before: null, image }),
  });
  return await showSaved(ctx, user, idOf(added));
}

/** Saves the words and the image of a campaign. @throws {HttpError} `invalid_input` beyond MAX_SAVED */
export async function saveCampaign(
  ctx: EdgeContext,
  user: SessionUser,
  campaign: Pick<CampaignRow, "id">,
  name: string,
): Promise<SavedMessage> {
  const args = { campaign: campaign.id, client: user.id, user: user.id, name, now: ctx.now() };
  return await showSaved(ctx, user, idOf(await ctx.db.execute(statement(ADD_FROM_CAMPAIGN, args))));
}

/** @throws {HttpError} `not_found`; `invalid_input` beyond MAX_SAVED */
export async function copySaved(
  ctx: EdgeContext,
  user: SessionUser,
  { id }: SavedRow,
  name: string,
): Promise<SavedMessage> {
  const args = { id, client: user.id, user: user.id, name, now: ctx.now() };
  return await showSaved(ctx, user, idOf(await ctx.db.execute(statement(COPY, args))));
}

/**
 * Changes a saved message; campaigns that began with it stay as they are.
 *
 * @throws {HttpError} `not_found`; `words_changed` when it is no longer as the person saw it
 */
export async function changeSaved(
  ctx: EdgeContext,
  user: SessionUser,
  { id, image: before }: SavedRow,
  { keepsImage, seen, ...words }: SavedWords & { keepsImage: boolean; seen: number | undefined },
): Promise<SavedMessage> {
  const { name, message, kind } = words;
  await checkWords(ctx, { client: user.id, kind, message });
  const now = ctx.now();
  const { sha256: image, stored } = await storeImage(words.image, now);
  const args = { id, client: user.id, user: user.id, name, message, kind, image, now };
  const { changed } = await writeBatch(ctx.db, {
    stored,
    changed: statement(CHANGE, { ...args, keeps: keepsImage, seen: seen ?? null }),
    forgotten: statement(FORGET_IMAGE, { before, image }),
  });
  if (changed.rowsAffected === 0) {
    await findSaved(ctx, user, id);
    throw new HttpError("words_changed");
  }
  return await showSaved(ctx, user, id);
}

/** Removes a saved message, and its image when nothing else has it. */
export async function removeSaved(
  ctx: EdgeContext,
  user: SessionUser,
  { id, image }: SavedRow,
): Promise<void> {
  await writeBatch(ctx.db, {
    removed: statement(REMOVE, { id, client: user.id }),
    forgotten: statement(FORGET_IMAGE, { before: image, image: null }),
  });
}

function idOf(added: Parameters<typeof rowsAs>[0]): number {
  const [row] = rowsAs(added, { id: wholeNumber });
  if (row !== undefined) return row.id;
  throw new HttpError("invalid_input", {
    text: `אפשר לשמור עד ${MAX_SAVED} הודעות. אפשר למחוק הודעה שאין בה צורך.`,
  });
}

function shown(row: SavedRow & { changedBy: string }): SavedMessage {
  const { id, name, message, kind, image, createdAt, updatedAt, changedBy, usedCount, usedAt } = row;
  return {
    id,
    name,
    message,
    kind,
    // A new image has a new address, so browsers may keep each one.
    imageUrl: image && `/api/saved-messages/${id}/image?v=${image.slice(0, 16)}`,
    createdAt,
    updatedAt,
    changedBy,
    usedCount,
    usedAt,
  };
}
