/** All clients' campaigns for administrators to read; other routes pause, resume and cancel them. */
import type { InValue } from "@libsql/client/web";
import type { z } from "zod";
import type {
  AdminCampaign,
  AdminCampaignDetail,
  AdminCampaignPage,
  adminCampaignQuerySchema,
} from "shared/admin_api.ts";
import { type CampaignStatus, EDITABLE_STATUSES } from "shared/campaign.ts";
import { findCampaignHours, hoursOf } from "../campaigns/hours_waiver.ts";
import { findNumberView, untilOf } from "../campaigns/number_views.ts";
import { readShown } from "../campaigns/read_shown.ts";
import { readWholeCampaign, viewCampaign } from "../campaigns/view.ts";
import type { EdgeContext } from "../context.ts";
import type { Caller } from "../http/router.ts";
import { containsPattern } from "../db/contains_pattern.ts";

type Query = z.infer<typeof adminCampaignQuerySchema>;

const RUNNING: readonly CampaignStatus[] = ["processing", "active", "paused"];

/** Returns a page of campaigns, newest first. It leaves out tests to oneself, which concern their client alone. */
export async function listAllCampaigns(ctx: EdgeContext, query: Query): Promise<AdminCampaignPage> {
  const { limit } = query;
  const { where, args } = conditions(query);
  // No index has this order with all conditions, so the joined columns are read for the rows of the page alone.
  const page = `SELECT c.id FROM campaigns c WHERE ${where} ORDER BY c.id DESC LIMIT :rows`;
  const which = { campaigns: `c.id IN (${page}) ORDER BY c.id DESC`, line: "1" };
  const { campaigns } = await readShown(ctx, which, { ...args, rows: limit + 1 });
  const items = campaigns.slice(0, limit).map((shown): AdminCampaign => {
    const { message: _, composed: __, ...campaign } = viewCampaign(ctx, shown);
    return { ...campaign, client: { id: shown.row.client, username: shown.username } };
  });
  return { items, nextCursor: campaigns.length > limit ? items.at(-1)!.id : null };
}

/** Returns one campaign with its text. @throws HttpError not_found */
export async function readAnyCampaign(
  ctx: EdgeContext,
  user: Caller,
  id: number,
): Promise<AdminCampaignDetail> {
  const { row, campaign, username, more: [view, hours] } = await readWholeCampaign(ctx, user, id, [
    findNumberView(ctx, user, id),
    findCampaignHours(id),
  ]);
  return {
    ...campaign,
    client: { id: row.client, username },
    numbersShownUntil: untilOf(view!),
    hours: hoursOf(row, hours!),
  };
}

function conditions({ status, q, client, cursor }: Query): { where: string; args: Record<string, InValue> } {
  const given: [sql: string, args: Record<string, InValue | undefined>][] = [
    ["c.test_of IS NULL AND c.carrier_until IS NULL", {}],
    ["c.id < :cursor", { cursor }],
    ["c.client = :client", { client }],
    [
      `(c.name LIKE :pattern ESCAPE '\\' OR c.client IN (
        SELECT id FROM users WHERE username LIKE :pattern ESCAPE '\\'))`,
      { pattern: q ? containsPattern(q) : undefined },
    ],
  ];
  // Literals instead of arguments: for a single state an index then gives the order.
  if (status) given.push([`c.status IN (${statusesOf(status).map((word) => `'${word}'`).join()})`, {}]);
  const asked = given.filter(([, args]) => !Object.values(args).includes(undefined));
  return {
    where: asked.map(([sql]) => sql).join(" AND "),
    args: Object.assign({}, ...asked.map(([, args]) => args)),
  };
}

function statusesOf(filter: NonNullable<Query["status"]>): readonly CampaignStatus[] {
  if (filter === "running") return RUNNING;
  return filter === "editable" ? EDITABLE_STATUSES : [filter];
}
