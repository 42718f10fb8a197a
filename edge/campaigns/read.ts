/** One campaign for one person: the owner and administrators find it, to anybody else it does not exist. */
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql/web";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { campaigns } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";

export type CampaignRow = typeof campaigns.$inferSelect;

/**
 * Reads a campaign its owner or an administrator asks for.
 *
 * @throws {HttpError} `not_found` when there is none, or it is another client's
 */
export async function readCampaign(ctx: EdgeContext, user: SessionUser, id: number): Promise<CampaignRow> {
  const [row] = await drizzle(ctx.db).select().from(campaigns).where(eq(campaigns.id, id));
  if (!row || (row.client !== user.id && user.role !== "admin")) throw new HttpError("not_found");
  return row;
}

/**
 * Reads a campaign for what only its owner may do.
 *
 * @throws {HttpError} `not_found` as readCampaign(), `not_allowed` to an administrator who is not its owner
 */
export async function readOwnCampaign(ctx: EdgeContext, user: SessionUser, id: number): Promise<CampaignRow> {
  const row = await readCampaign(ctx, user, id);
  if (row.client !== user.id) throw new HttpError("not_allowed");
  return row;
}

/**
 * Reads a campaign whose text or contacts its owner wants to change. Only a first look: the write repeats the
 * condition, for the campaign may be sent in between. A test to oneself is nobody's to change.
 *
 * @throws {HttpError} as readOwnCampaign(), `not_found` of a test, `campaign_not_editable` once it was sent
 */
export async function readEditableCampaign(
  ctx: EdgeContext,
  user: SessionUser,
  id: number,
): Promise<CampaignRow> {
  const row = await readOwnCampaign(ctx, user, id);
  if (row.testOf !== null) throw new HttpError("not_found");
  if (!EDITABLE_STATUSES.includes(row.status)) throw new HttpError("campaign_not_editable");
  return row;
}
