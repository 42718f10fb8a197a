/**
 * Stores recipients' replies that a site has read: a keyword removes the sender; an unclear reply waits for a person.
 */
import type { Transaction } from "@libsql/client/web";
import type { ReplyItem } from "shared/agent_protocol.ts";
import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { checkCampaigns } from "../health/check_campaigns.ts";
import { FENCE, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { condition, rowsAs } from "../db/query.ts";
import { campaigns, deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { toDigits } from "../numbers/wire_phone.ts";
import { takeRequest, takeUnclear } from "./take_request.ts";

/** The clocks of phones and sites differ by this much at most. */
const CLOCKS_APART_MS = 2 * 60_000;

const IS_CURRENT = `SELECT ${FENCE} AS current`;
const WROTE = "d.state IN ('sent', 'unknown')";
// A tap needs an acknowledged lease first. A resent message was in doubt once, and so was one that a person marked as
// failed.
const MAY_HAVE_WRITTEN = `(${WROTE} OR (d.state = 'leased' AND d.acked_at IS NOT NULL) OR d.resent > 0
  OR (d.state = 'failed' AND d.by = ${MOVED_BY.person}))`;
/**
 * Returns SQL for the campaign of this site that last wrote to the number. With several accounts, the reply is for the
 * account that received it. A message sent after the reply cannot be the one answered.
 */
const lastThat = (wrote: string) =>
  `SELECT d.campaign, c.client, ${WROTE} AS wrote FROM campaigns c CROSS JOIN deliveries d ON d.campaign = c.id
  WHERE d.phone = :phone AND ${wrote} AND (d.site = :site OR EXISTS (
    SELECT 1 FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone AND r.site = :site))
  ORDER BY d.account IS (SELECT id FROM accounts WHERE site = :site AND key = :account) DESC,
    coalesce(d.tapped_at, d.leased_at) <= :at + ${CLOCKS_APART_MS} DESC,
    coalesce(d.tapped_at, d.leased_at) DESC, d.id DESC LIMIT 1`;
const ANSWERED = lastThat(MAY_HAVE_WRITTEN);
const ANSWERED_FOR_SURE = lastThat(WROTE);
/** Replies per transaction: on a remote database each costs three round trips, and all other writers wait. */
const SLICE = 10;

/**
 * Stores each reply once, however often a site reports it. It stores nothing for numbers that no campaign of the site
 * wrote to.
 *
 * @throws {SupersededError}
 */
export async function takeReplies(
  ctx: EdgeContext,
  connection: SiteConnection,
  items: readonly ReplyItem[],
): Promise<void> {
  const optedOut = new Set<number>();
  for (let at = 0; at < items.length; at += SLICE) {
    for (const campaign of await takeSlice(ctx, connection, items.slice(at, at + SLICE))) {
      optedOut.add(campaign);
    }
  }
  // Bad news from a site: too many removal requests stop the campaign at once.
  if (optedOut.size > 0) await checkCampaigns(ctx, [...optedOut]);
}

/** Returns the campaigns from which it removed a recipient. @throws {SupersededError} */
async function takeSlice(
  ctx: EdgeContext,
  connection: SiteConnection,
  items: readonly ReplyItem[],
): Promise<number[]> {
  const now = ctx.now();
  const optedOut = await inTransaction(ctx.db, async (tx) => {
    const [fence] = rowsAs(await tx.execute(statement(IS_CURRENT, { ...connection })), {
      current: condition,
    });
    if (!fence?.current) throw new SupersededError(connection);
    const campaigns: number[] = [];
    for (const item of items) {
      for (const answered of await answeredBy(tx, connection.site, item)) {
        if (await takeReply(ctx, tx, connection.site, item, answered, now)) campaigns.push(answered.campaign);
      }
    }
    return campaigns;
  });
  ctx.wakeOutbox();
  return optedOut;
}

interface Answered {
  campaign: number;
  client: number;
  /**
   * The reply may answer another client's message: that client certainly wrote to the number, this one only possibly.
   */
  isNotItsOwn?: boolean;
}

/**
 * Returns the campaigns that a reply answers. If the last one only possibly wrote, the result adds another client's
 * that certainly did, so the right client hears of it. Only that client sees the words.
 */
async function answeredBy(
  tx: Transaction,
  site: number,
  { phone, account, at }: ReplyItem,
): Promise<Answered[]> {
  const find = async (sql: string) => {
    const found = await tx.execute(statement(sql, { phone: toDigits(phone), site, account, at }));
    return rowsAs(found, { campaign: deliveries.campaign, client: campaigns.client, wrote: condition })[0];
  };
  const last = await find(ANSWERED);
  if (last === undefined || last.wrote) return last ? [last] : [];
  const other = await find(ANSWERED_FOR_SURE);
  return other && other.client !== last.client ? [{ ...last, isNotItsOwn: true }, other] : [last];
}

/** Returns whether the reply removed its sender from the campaign. */
async function takeReply(
  ctx: EdgeContext,
  tx: Transaction,
  site: number,
  { id, phone: text, decision, excerpt: words, at }: ReplyItem,
  { campaign, client, isNotItsOwn = false }: Answered,
  now: number,
): Promise<boolean> {
  const excerpt = isNotItsOwn ? "" : words;
  const request = { id, campaign, client, phone: toDigits(text), site, excerpt, at };
  if (decision === "remove") return await takeRequest(ctx, tx, now, { ...request, by: "keyword" });
  await takeUnclear(tx, now, request);
  return false;
}
