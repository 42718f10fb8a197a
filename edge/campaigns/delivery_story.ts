/** The history of one delivery, in order, from its kept events and its present row. */
import { MOVED_BY } from "shared/delivery.ts";
import { type DeliveryStep, deliveryStepSchema, type DeliveryStory } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, type RowAs, rowsAs } from "../db/query.ts";
import { accounts, attempts, deliveries, sites } from "../db/schema.ts";
import { readBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { actorArgs, OWN_CAMPAIGN } from "../queue/own_campaign.ts";
import { statement } from "../db/statement.ts";
import { SHOWN_FIELDS, SHOWN_FROM, SHOWN_NAMES, shownSender, viewOf } from "./deliveries.ts";
import { findNumberView, isMasked } from "./number_views.ts";
import { findCampaign, foundCampaign } from "./read.ts";

// Names first: of two columns with equal names the first one counts. The condition reads no row of another client.
const ROW = `SELECT ${SHOWN_NAMES}, d.* FROM ${SHOWN_FROM}
  WHERE d.id = :delivery AND d.campaign = ${OWN_CAMPAIGN}`;
const LINES =
  `SELECT t.at, t.outcome AS what, t.by, t.attempt, t.token, t.reason, t.result, t.tapped_at, t.leased_at,
    t.acked_at, a.key AS account, a.own_number AS sender, s.name AS site
  FROM attempts t LEFT JOIN accounts a ON a.id = t.account LEFT JOIN sites s ON s.id = t.site
  WHERE (t.campaign, t.phone) = (SELECT d.campaign, d.phone FROM deliveries d
    WHERE d.id = :delivery AND d.campaign = ${OWN_CAMPAIGN})
  ORDER BY t.id`;
const ROW_FIELDS = {
  ...SHOWN_FIELDS,
  by: deliveries.by,
  token: deliveries.token,
  leasedAt: deliveries.leasedAt,
  tappedAt: deliveries.tappedAt,
};
const LINE_FIELDS = {
  at: attempts.at,
  what: attempts.outcome,
  by: attempts.by,
  attempt: attempts.attempt,
  token: attempts.token,
  reason: attempts.reason,
  result: attempts.result,
  tappedAt: attempts.tappedAt,
  leasedAt: attempts.leasedAt,
  ackedAt: attempts.ackedAt,
  account: orNull(accounts.key),
  sender: accounts.ownNumber,
  site: orNull(sites.name),
};
type DeliveryFields = RowAs<typeof ROW_FIELDS>;
type Line = RowAs<typeof LINE_FIELDS>;

/**
 * Returns a delivery with its history, oldest step first.
 *
 * @throws {HttpError} `not_found`, also as readCampaign()
 */
export async function readDeliveryStory(
  ctx: EdgeContext,
  user: Caller,
  campaignId: number,
  id: number,
): Promise<DeliveryStory> {
  const args = { campaign: campaignId, delivery: id, ...actorArgs(user) };
  const { campaigns, views, ...found } = await readBatch(ctx.db, {
    campaigns: findCampaign(user, campaignId),
    views: findNumberView(ctx, user, campaignId),
    delivery: statement(ROW, args),
    lines: statement(LINES, args),
  });
  const campaign = foundCampaign(campaigns);
  const [row] = rowsAs(found.delivery, ROW_FIELDS);
  if (row === undefined) throw new HttpError("not_found");
  const lines = rowsAs(found.lines, LINE_FIELDS);
  const steps = [...lines, row].flatMap((line, index, all) => {
    const isFirst = all.findIndex((other) => other.token === line.token) === index;
    const lease = isFirst && line.leasedAt !== null ? stepsOfLease(line) : [];
    return [...lease, ...(line === row ? presentStep(row, lines) : [stepOf(line)])];
  });
  // Steps of the same moment keep their order.
  steps.sort((a, b) => a.at - b.at);
  const history = steps.map((step) => ({ ...step, ...shownSender(user, step) }));
  return { ...viewOf(ctx.now(), user, campaign, isMasked(user, campaign, views))(row), history };
}

/** Returns the final step that only the row holds, such as success at the first try. */
function presentStep(row: DeliveryFields, lines: Line[]): DeliveryStep[] {
  const { state: what, by, updatedAt: at } = row;
  const moves = lines.filter((line) => line.result === null || line.result === "applied");
  // Nothing follows "sent". For any other state only the last change counts.
  const counted = what === "sent" ? moves : moves.slice(-1);
  const isShown = counted.some((line) => line.what === what && line.by === by);
  if (what === "queued" || what === "leased" || isShown) return [];
  return [stepOf({ ...row, what, at, result: by === MOVED_BY.site ? "applied" : null })];
}

function stepsOfLease(
  { attempt, site, account, sender, leasedAt, ackedAt }: DeliveryFields | Line,
): DeliveryStep[] {
  const step = { by: MOVED_BY.edge, attempt, site, account, sender };
  return [
    stepOf({ ...step, what: "leased", at: leasedAt }),
    ...(ackedAt === null ? [] : [stepOf({ ...step, by: MOVED_BY.site, what: "acked", at: ackedAt })]),
  ];
}

function stepOf(line: Record<string, unknown>): DeliveryStep {
  const { at, what, by, attempt, site, account, sender, reason = null, result = null, tappedAt = null } =
    line;
  return deliveryStepSchema.parse({ at, what, by, attempt, site, account, sender, reason, result, tappedAt });
}
