import type { Forecast } from "shared/plan_api.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { actorArgs, MAY_ACT } from "../queue/own_campaign.ts";
import { localDate } from "../time/local_day.ts";
import { dayKind, opensAt } from "../time/sending_hours.ts";
import { findPastCampaigns, goodHourOf } from "./good_hour.ts";
import { readShown } from "./read_shown.ts";

/**
 * Returns what the sending hours and the phones make of a campaign that starts at `at`, ms.
 *
 * @throws {HttpError} `not_found` when there is none, or it belongs to another client
 */
export async function forecastPlan(
  ctx: EdgeContext,
  user: SessionUser,
  campaign: number,
  at: number,
): Promise<Forecast> {
  const line = `client = (SELECT client FROM campaigns WHERE id = :campaign AND ${MAY_ACT})`;
  const which = { campaigns: `c.id = :campaign AND ${MAY_ACT}`, line, considered: at };
  const { campaigns: [found], more: [past] } = await readShown(ctx, which, { campaign, ...actorArgs(user) }, [
    findPastCampaigns(campaign, ctx.now()),
  ]);
  if (found === undefined) throw new HttpError("not_found");
  const { hours, estimate } = found;
  return {
    beginsAt: hours === null ? at : opensAt(at, hours),
    endsAt: estimate?.endsAt ?? null,
    goodHour: goodHourOf(past!),
    day: hours === null ? null : dayKind(localDate(at)),
  };
}
