import type { InStatement, ResultSet } from "@libsql/client/web";
import type { CampaignCounts } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import type { Advertiser } from "shared/marketing.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { ADVERTISER, toAdvertiser } from "../lawful/advertiser.ts";
import { composedOf } from "../lawful/sent_text.ts";
import { actorArgs, MAY_ACT, OWN_CAMPAIGN } from "../queue/own_campaign.ts";
import { statement } from "../db/statement.ts";
import { countWaiting } from "../opt_out/count_waiting.ts";
import { readShown, type ShownCampaign, type Which } from "./read_shown.ts";
import type { CampaignRow } from "../db/schema.ts";

// Each statement checks the owner, so it reads nothing of another client.
const ONE: Which = {
  campaigns: `c.id = :campaign AND ${MAY_ACT}`,
  countsReached: true,
  line: `client = (SELECT client FROM campaigns WHERE id = :campaign AND ${MAY_ACT})`,
};
const ITS_ADVERTISER = `${ADVERTISER} WHERE ${ONE.line}`;
const ITS_REPLIES = countWaiting(OWN_CAMPAIGN);

/** One campaign with everything that its owner or an administrator sees of it. */
export interface WholeCampaign {
  row: CampaignRow;
  campaign: Campaign;
  username: string;
  /** Results of the further statements. */
  more: ResultSet[];
}

/**
 * Returns a campaign with everything that the screens show of it, and runs the statements `more` in the same batch.
 *
 * @throws {HttpError} `not_found` when there is none, or it belongs to another client
 */
export async function readWholeCampaign(
  ctx: EdgeContext,
  user: SessionUser,
  id: number,
  more: InStatement[] = [],
): Promise<WholeCampaign> {
  const args = { campaign: id, ...actorArgs(user) };
  const { campaigns: [found], more: [advertisers, waiting, ...others] } = await readShown(ctx, ONE, args, [
    statement(ITS_ADVERTISER, args),
    statement(ITS_REPLIES, args),
    ...more,
  ]);
  if (found === undefined) throw new HttpError("not_found");
  const { row, username } = found;
  const campaign = {
    ...viewCampaign(ctx, found, toAdvertiser(advertisers!)),
    waitingReplies: rowsAs(waiting!, { n: wholeNumber })[0]!.n,
  };
  return { row, campaign, username, more: others };
}

/**
 * Returns only the visible part of readWholeCampaign().
 *
 * @throws {HttpError} as readWholeCampaign()
 */
export async function showCampaign(ctx: EdgeContext, user: SessionUser, id: number): Promise<Campaign> {
  return (await readWholeCampaign(ctx, user, id)).campaign;
}

/**
 * Converts a campaign's row for the interface; a draft's contacts count as queued. Without `advertiser`, as in lists,
 * the text to be sent of marketing stays absent.
 */
export function viewCampaign(
  ctx: Pick<EdgeContext, "now" | "linkOrigin">,
  { row, notices, pace, estimate, hours }: Omit<ShownCampaign, "username">,
  advertiser: Advertiser | null = null,
): Campaign {
  const counts = countsOf(row);
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    message: row.message,
    composed: composedOf(ctx, row, advertiser),
    // The hash gives a new image a new address, so browsers may keep each one forever.
    imageUrl: row.image && `/api/campaigns/${row.id}/image?v=${row.image.slice(0, 16)}`,
    status: row.status,
    totalContacts: Object.values(counts).reduce((sum, count) => sum + count, 0),
    sentCount: row.sentCount,
    counts,
    optedOutCount: row.optedOutCount,
    createdAt: row.createdAt,
    startedAt: row.sendAt,
    takeBack: takeBackOf(row, ctx.now()),
    completedAt: row.completedAt,
    lastSentAt: row.lastSentAt,
    pace: pace === null ? null : Math.round(pace * 10) / 10,
    estimate,
    sendingHours: hours && {
      opens: hours.sendingOpensAt,
      closes: hours.sendingClosesAt,
      closesEarly: hours.fridayClosesAt,
    },
    texts: row.variantCount,
    againOf: row.againOf,
    pilot: row.pilotCount === null
      ? null
      : { count: row.pilotCount, waitMinutes: Math.round((row.pilotWaitMs ?? 0) / 60_000) },
    notices,
  };
}

/** Returns the wait in which the send can be taken back, as TAKE_BACK of queue/take_back.ts asks. */
function takeBackOf(row: CampaignRow, now: number): Campaign["takeBack"] {
  const { status, pausedBy, startsAt, firstLeasedAt } = row;
  const isSent = status === "processing" || (status === "paused" && pausedBy === "client");
  const hasBegun = firstLeasedAt !== null || row.sentCount + row.unknownCount > 0;
  if (!isSent || startsAt === null || hasBegun) return null;
  return { until: startsAt, leftMs: Math.max(0, startsAt - now) };
}

/** Returns the number of deliveries in each state. */
export function countsOf(row: CampaignRow): CampaignCounts {
  return {
    queued: row.queuedCount,
    leased: row.leasedCount,
    sent: row.sentCount,
    failed: row.failedCount,
    unknown: row.unknownCount,
    skipped: row.skippedCount,
    cancelled: row.cancelledCount,
  };
}
