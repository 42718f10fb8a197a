/** One campaign for one person: the owner and administrators find it, to anybody else it does not exist. */
import type { Row, Value } from "@libsql/client/web";
import { getTableColumns } from "drizzle-orm";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { actorArgs, MAY_ACT } from "../queue/own_campaign.ts";
import { statement } from "../db/statement.ts";

const COLUMNS = Object.entries(getTableColumns(campaigns)).map(([key, { name }]) => [key, name] as const);
/** SQL: what toCampaignRow() reads of campaign `c`. */
export const CAMPAIGN_COLUMNS = COLUMNS.map(([, name]) => `c.${name}`).join();
const FIND = `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns c WHERE id = :campaign AND ${MAY_ACT}`;

/**
 * Reads a campaign its owner or an administrator asks for.
 *
 * @throws {HttpError} `not_found` when there is none, or it is another client's
 */
export async function readCampaign(ctx: EdgeContext, user: SessionUser, id: number): Promise<CampaignRow> {
  const { rows: [row] } = await ctx.db.execute(findCampaign(user, id));
  return foundCampaign(row);
}

/** The statement behind readCampaign(), for whoever asks more in one go; foundCampaign() reads its row. */
export function findCampaign(user: SessionUser, id: number) {
  return statement(FIND, { campaign: id, ...actorArgs(user) });
}

/** @throws {HttpError} `not_found` when findCampaign() found none */
export function foundCampaign(row: Row | undefined): CampaignRow {
  if (row === undefined) throw new HttpError("not_found");
  return toCampaignRow(row);
}

/** A row of the table, whatever else was selected with it. */
export function toCampaignRow(row: Row): CampaignRow {
  const campaign: Record<string, Value> = {};
  for (const [key, name] of COLUMNS) campaign[key] = row[name];
  return campaign as CampaignRow;
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
