import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql/web";
import type { Campaign } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { campaigns } from "../db/schema.ts";
import type { SessionUser } from "../http/router.ts";
import { type Fleet, readFleet } from "./fleet.ts";
import { readNoticesOf } from "./notices.ts";
import { viewCampaign } from "./view.ts";

export const LIST_LENGTH = 200;
/** Goes into every tag: raise it when the shape of the answer changes, or browsers would keep the old one. */
const SHAPE = 2;

export interface ListOptions {
  /** Only campaigns older than this id. */
  before?: number | undefined;
  /** The tag the caller has, from If-None-Match. */
  knownTag?: string | undefined;
}

export interface CampaignList {
  tag: string;
  /** Null when the caller's tag is still right. */
  campaigns: Campaign[] | null;
}

/**
 * The newest campaigns of one person, newest first. The tag holds the id of their last event and what their
 * notices tell of the fleet, so an unchanged list costs two small reads.
 */
export async function listCampaigns(
  ctx: EdgeContext,
  user: SessionUser,
  { before, knownTag }: ListOptions,
): Promise<CampaignList> {
  const [owner, fleet] = await Promise.all([
    ctx.db.execute({ sql: "SELECT change_no FROM users WHERE id = ?", args: [user.id] }),
    readFleet(ctx),
  ]);
  const tag = `"${SHAPE}-${user.id}-${user.role}-${owner.rows[0].change_no}-${fleetTag(fleet)}"`;
  if (knownTag !== undefined && listsTag(knownTag, tag)) return { tag, campaigns: null };
  const rows = await drizzle(ctx.db).select().from(campaigns)
    .where(and(
      eq(campaigns.client, user.id),
      isNull(campaigns.testOf),
      before === undefined ? undefined : lt(campaigns.id, before),
    ))
    .orderBy(desc(campaigns.id)).limit(LIST_LENGTH);
  const notices = await readNoticesOf(ctx, rows, fleet);
  return { tag, campaigns: rows.map((row, index) => viewCampaign(row, notices[index])) };
}

/** Only what a notice would say differently. */
function fleetTag({ devices, pictureDevices, awaySites, hours }: Fleet): string {
  const away = awaySites.map((site) => `${site.id}@${site.lastSeenAt}`).join(".");
  const ready = [devices, pictureDevices].flatMap((
    { all, withRoom },
  ) => [all > 0 ? 1 : 0, withRoom > 0 ? 1 : 0]);
  const opens = hours.isOpen
    ? ""
    : `!${hours.opensAt}${Number(hours.marketingKeeps)}${Number(hours.serviceKeeps)}`;
  return `${ready.join("")}${away}${opens}`;
}

/** If-None-Match is `*` or a list of tags, each perhaps weak (RFC 9110 section 13.1.2). */
function listsTag(header: string, tag: string): boolean {
  return header.split(",").some((known) => known.trim() === "*" || known.trim().replace(/^W\//, "") === tag);
}
