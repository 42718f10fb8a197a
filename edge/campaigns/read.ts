/** Reads one campaign for one user. Only its owner and administrators find it; for others it does not exist. */
import type { ResultSet } from "@libsql/client/web";
import { getTableColumns } from "drizzle-orm";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { everyColumn, rowsAs } from "../db/query.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { actorArgs, MAY_ACT } from "../queue/own_campaign.ts";
import { statement } from "../db/statement.ts";

const FIELDS = getTableColumns(campaigns);
// Plain SQL: most screens begin with this read, and the builder would write it again for each.
const FIND = `SELECT ${everyColumn(campaigns, "c")} FROM campaigns c
  WHERE id = :campaign AND ${MAY_ACT} AND carrier_until IS NULL`;

/**
 * Returns a campaign for its owner or an administrator; a carrier of messages by call is none.
 *
 * @throws {HttpError} `not_found` when there is none, or it belongs to another client
 */
export async function readCampaign(ctx: EdgeContext, user: Caller, id: number): Promise<CampaignRow> {
  return foundCampaign(await ctx.db.execute(findCampaign(user, id)));
}

/** Returns the statement of readCampaign(), for callers that batch it with others; foundCampaign() reads its result. */
export function findCampaign(user: Caller, id: number) {
  return statement(FIND, { campaign: id, ...actorArgs(user) });
}

/** @throws {HttpError} `not_found` when findCampaign() found none */
export function foundCampaign(result: ResultSet): CampaignRow {
  const [row] = rowsAs(result, FIELDS);
  if (row === undefined) throw new HttpError("not_found");
  return row;
}

/**
 * Returns a campaign for an action that only its owner may do.
 *
 * @throws {HttpError} `not_found` as readCampaign(), `not_allowed` to an administrator who is not its owner
 */
export async function readOwnCampaign(ctx: EdgeContext, user: Caller, id: number): Promise<CampaignRow> {
  const row = await readCampaign(ctx, user, id);
  if (row.client !== user.client) throw new HttpError("not_allowed");
  return row;
}

/**
 * Returns a campaign whose text or contacts its owner wants to change; a test to oneself cannot change. This is only a
 * first check. The write repeats the condition, because the campaign may be sent in between.
 *
 * @throws {HttpError} as readOwnCampaign(), `not_found` for a test, `campaign_not_editable` after it was sent
 */
export async function readEditableCampaign(
  ctx: EdgeContext,
  user: Caller,
  id: number,
): Promise<CampaignRow> {
  const row = await readOwnCampaign(ctx, user, id);
  if (row.testOf !== null) throw new HttpError("not_found");
  if (!EDITABLE_STATUSES.includes(row.status)) throw new HttpError("campaign_not_editable");
  return row;
}
