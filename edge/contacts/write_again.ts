/** Writes again to chosen recipients of a campaign: a linked draft with its words, which its client sends as any other. */
import {
  canBeWrittenAgain,
  type RecipientGroup,
  type RecipientGroups,
  type writeAgainRequestSchema,
} from "shared/again_api.ts";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import { type DeliveryReason, deliveryReasonSchema, type DeliveryState } from "shared/delivery.ts";
import type { z } from "zod";
import type { EdgeContext } from "../context.ts";
import { orNull, plainText, rowsAs, wholeNumber, wordOf } from "../db/query.ts";
import type { CampaignRow } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { turnForRead } from "../time/turn_loop.ts";
import { READ_REASON, READ_STATE } from "./copy_contacts.ts";
import { duplicateCampaign } from "./duplicate.ts";

/** Rows of one read: some 10 ms on a local file. */
const SLICE = 2_000;
const COUNT = `SELECT ${READ_STATE} AS state, ${READ_REASON} AS reason, count(*) AS n, max(phone) AS last
  FROM (SELECT phone, state, reason, resent FROM deliveries
    WHERE campaign = :campaign AND phone > :after ORDER BY phone LIMIT ${SLICE}) GROUP BY 1, 2`;
const FIELDS = {
  state: wordOf<DeliveryState>(),
  reason: orNull(plainText),
  n: wholeNumber,
  last: wholeNumber,
};

/**
 * Counts the recipients who can be written to again, by state and reason. Forgotten numbers are not among them.
 *
 * @throws {HttpError} `invalid_input` after the caller `left`
 */
export async function countGroups(
  ctx: EdgeContext,
  { id, status }: Pick<CampaignRow, "id" | "status">,
  left?: AbortSignal,
): Promise<RecipientGroups> {
  const counts = new Map<string, { state: DeliveryState; reason: DeliveryReason | null; count: number }>();
  if (EDITABLE_STATUSES.includes(status)) return { groups: [] };
  for (let after = 0;;) {
    await turnForRead();
    endIfCallerLeft(left);
    const args = { campaign: id, isCancelled: status === "cancelled", after };
    let looked = 0;
    for (const { state, reason, n, last } of rowsAs(await ctx.db.execute(statement(COUNT, args)), FIELDS)) {
      const key = `${state} ${reason ?? ""}`;
      const known = deliveryReasonSchema.nullable().catch(null).parse(reason);
      const group = counts.get(key) ?? { state, reason: known, count: 0 };
      group.count += n;
      counts.set(key, group);
      looked += n;
      after = Math.max(after, last);
    }
    if (looked < SLICE) break;
  }
  const groups = [...counts.values()].filter(canBeWrittenAgain).sort((a, b) => b.count - a.count);
  return { groups: groups as RecipientGroups["groups"] };
}

/**
 * Makes a draft for the chosen recipients and returns its id. Removed numbers stay out now and at the lease, and so do
 * people whom the message has reached meanwhile (edge/queue/family.ts).
 *
 * @throws {HttpError} `campaign_state` before the campaign was sent; `unknown_unconfirmed`; `contacts_full`;
 * `invalid_input` for people who must not be written to, and after the caller `left`
 */
export async function writeAgain(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id">,
  campaign: CampaignRow,
  { groups, confirmsUnknown }: z.infer<typeof writeAgainRequestSchema>,
  left?: AbortSignal,
): Promise<number> {
  if (EDITABLE_STATUSES.includes(campaign.status) || campaign.testOf !== null) {
    throw new HttpError("campaign_state");
  }
  if (!groups.every(canBeWrittenAgain)) throw new HttpError("invalid_input");
  if (groups.some(({ state }) => state === "unknown") && !confirmsUnknown) {
    throw new HttpError("unknown_unconfirmed");
  }
  return await duplicateCampaign(ctx, campaign, { groups: unique(groups), actor: user.id }, left);
}

function unique(groups: readonly RecipientGroup[]): RecipientGroup[] {
  return [...new Map(groups.map((group) => [`${group.state} ${group.reason}`, group])).values()];
}
