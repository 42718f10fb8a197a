import type { InStatement, ResultSet } from "@libsql/client/web";
import type { GoodHour } from "shared/plan_api.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { localHour } from "../time/local_day.ts";

/** Looks at this many of the client's last campaigns, not older than a year. */
const MOST_CAMPAIGNS = 200;
const YEAR_MS = 365 * 24 * 60 * 60_000;
/** A smaller campaign says nothing about an hour. */
const LEAST_SENT = 20;
/** An hour is suggested only beside another, each with so many campaigns. */
const LEAST_PER_HOUR = 3;
/** The suggested hour has at most this share of what is usual. */
const CLEARLY_LESS = 0.8;

const PAST =
  `SELECT send_at AS "sendAt", sent_count AS sent, opted_out_count AS "optedOut", failed_count AS failed FROM campaigns
  WHERE client = (SELECT client FROM campaigns WHERE id = :campaign) AND test_of IS NULL AND status IN ('completed', 'completed_with_errors')
    AND send_at > :now - ${YEAR_MS} AND sent_count >= ${LEAST_SENT}
  ORDER BY id DESC LIMIT ${MOST_CAMPAIGNS}`;

/** Returns the statement that reads the past campaigns of the client of `campaign`. */
export function findPastCampaigns(campaign: number, now: number): InStatement {
  return statement(PAST, { campaign, now });
}

/** A past campaign of a client. */
export interface PastCampaign {
  /** Start, ms. */
  sendAt: number;
  sent: number;
  optedOut: number;
  failed: number;
}

/** Reads the result of findPastCampaigns(). */
export function goodHourOf(found: ResultSet): GoodHour | null {
  return chooseGoodHour(rowsAs(found, {
    sendAt: wholeNumber,
    sent: wholeNumber,
    optedOut: wholeNumber,
    failed: wholeNumber,
  }));
}

/**
 * Returns the local hour in which the campaigns that started had clearly the fewest removals and failures for each
 * message; null while there are too few campaigns to say, or no hour stands out.
 */
export function chooseGoodHour(past: readonly PastCampaign[]): GoodHour | null {
  const byHour = new Map<number, PastCampaign[]>();
  for (const campaign of past) {
    const hour = localHour(campaign.sendAt);
    byHour.set(hour, [...byHour.get(hour) ?? [], campaign]);
  }
  const known = [...byHour].filter(([, campaigns]) => campaigns.length >= LEAST_PER_HOUR);
  if (known.length < 2) return null;
  const usual = shareOf(known.flatMap(([, campaigns]) => campaigns));
  const [best] = known.map(([hour, campaigns]) => ({
    hour,
    campaigns: campaigns.length,
    share: shareOf(campaigns),
  }))
    .sort((a, b) => a.share - b.share || b.campaigns - a.campaigns || a.hour - b.hour);
  if (best === undefined || usual === 0 || best.share > usual * CLEARLY_LESS) return null;
  return { ...best, usual };
}

/** Returns removals and failures for each message that was tried. */
function shareOf(campaigns: readonly PastCampaign[]): number {
  const sum = (of: (campaign: PastCampaign) => number) =>
    campaigns.reduce((total, one) => total + of(one), 0);
  return sum(({ optedOut, failed }) => optedOut + failed) / sum(({ sent, failed }) => sent + failed);
}
