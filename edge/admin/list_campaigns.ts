/** The campaigns of every client, for administrators: read, and paused, resumed or cancelled by the calls of their own. */
import { and, desc, eq, getTableColumns, inArray, isNull, like, lt, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql/web";
import type { z } from "zod";
import type {
  AdminCampaign,
  AdminCampaignDetail,
  AdminCampaignPage,
  adminCampaignQuerySchema,
} from "shared/admin_api.ts";
import { type CampaignStatus, EDITABLE_STATUSES } from "shared/campaign.ts";
import { readFleet } from "../campaigns/fleet.ts";
import { readNoticesOf } from "../campaigns/notices.ts";
import { readCampaignHours } from "../campaigns/hours_waiver.ts";
import { readNumberView } from "../campaigns/number_views.ts";
import { showCampaign, viewCampaign } from "../campaigns/view.ts";
import type { EdgeContext } from "../context.ts";
import { campaigns, users } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { containsPattern } from "./contains_pattern.ts";

type Query = z.infer<typeof adminCampaignQuerySchema>;

const RUNNING: readonly CampaignStatus[] = ["processing", "active", "paused"];

/** A page of them, the newest first. Tests to oneself are nobody else's. */
export async function listAllCampaigns(ctx: EdgeContext, query: Query): Promise<AdminCampaignPage> {
  const { limit } = query;
  const rows = await select(ctx).where(and(...conditions(query))).orderBy(desc(campaigns.id)).limit(
    limit + 1,
  );
  const shown = rows.slice(0, limit);
  const notices = await readNoticesOf(ctx, shown.map(({ row }) => row), await readFleet(ctx));
  const items = shown.map(({ row, client }, index): AdminCampaign => {
    const { message: _, composed: __, ...campaign } = viewCampaign(row, notices[index]!);
    return { ...campaign, client };
  });
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

/** One of them, with its words. @throws HttpError not_found */
export async function readAnyCampaign(
  ctx: EdgeContext,
  user: SessionUser,
  id: number,
): Promise<AdminCampaignDetail> {
  const [found] = await select(ctx).where(eq(campaigns.id, id));
  if (found === undefined) throw new HttpError("not_found");
  const campaign = await showCampaign(ctx, found.row);
  const [numbersShownUntil, hours] = await Promise.all([
    readNumberView(ctx, user, id),
    readCampaignHours(ctx, found.row),
  ]);
  return { ...campaign, client: found.client, numbersShownUntil, hours };
}

function select(ctx: EdgeContext) {
  return drizzle(ctx.db)
    .select({ row: getTableColumns(campaigns), client: { id: users.id, username: users.username } })
    .from(campaigns).innerJoin(users, eq(users.id, campaigns.client)).$dynamic();
}

function conditions({ status, q, client, cursor }: Query): (SQL | undefined)[] {
  return [
    isNull(campaigns.testOf),
    cursor === undefined ? undefined : lt(campaigns.id, cursor),
    client === undefined ? undefined : eq(campaigns.client, client),
    status === undefined ? undefined : inArray(campaigns.status, [...statusesOf(status)]),
    q ? or(contains(campaigns.name, q), contains(users.username, q)) : undefined,
  ];
}

function statusesOf(filter: NonNullable<Query["status"]>): readonly CampaignStatus[] {
  if (filter === "running") return RUNNING;
  return filter === "editable" ? EDITABLE_STATUSES : [filter];
}

function contains(column: typeof campaigns.name | typeof users.username, text: string): SQL {
  return sql`${like(column, containsPattern(text))} ESCAPE '\\'`;
}
