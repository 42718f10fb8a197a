/**
 * Stores recipients' replies that a site has read: a keyword removes the sender; an unclear reply waits for a person.
 */
import type { Transaction } from "@libsql/client/web";
import type { ReplyItem } from "shared/agent_protocol.ts";
import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { checkCampaigns } from "../health/check_campaigns.ts";
import { OUTCOMES_RECEIVED } from "../deliveries/outcomes_owed.ts";
import { alertEvents } from "../events/alert.ts";
import { FENCE, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { condition, rowsAs } from "../db/query.ts";
import { campaigns, deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { toDigits } from "../numbers/wire_phone.ts";
import { takeRequest, takeUnclear } from "./take_request.ts";

/** The clocks of phones and sites differ by this much at most. */
const CLOCKS_APART_MS = 2 * 60_000;

const LOOK = `SELECT ${FENCE} AS fenced, ${OUTCOMES_RECEIVED} AS "mayReply"`;
const WROTE = "d.state IN ('sent', 'unknown')";
// A tap needs an acknowledged lease first. A resent message was in doubt once, and so was one that a person marked as
// failed.
const MAY_HAVE_WRITTEN = `(${WROTE} OR (d.state = 'leased' AND d.acked_at IS NOT NULL) OR d.resent > 0
  OR (d.state = 'failed' AND d.by = ${MOVED_BY.person}))`;
/**
 * Returns SQL for the campaign of this site that last wrote to the number, also if a restore lost it. With several
 * accounts, the reply is for the account that received it; of what a restored database was told, the account may be
 * unknown. A message sent after the reply cannot be the one answered.
 */
const lastThat = (wrote: string, lostWrote: string) =>
  `SELECT campaign, client, wrote, "isLost" FROM (
    SELECT d.campaign, c.client, ${WROTE} AS wrote, 0 AS "isLost", d.account, d.id,
      coalesce(d.tapped_at, d.leased_at) AS written
    FROM campaigns c CROSS JOIN deliveries d ON d.campaign = c.id
    WHERE d.phone = :phone AND ${wrote} AND (d.site = :site OR EXISTS (
      SELECT 1 FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone AND r.site = :site))
    UNION ALL
    SELECT m.campaign, m.client, m.is_sent, 1, m.account, 0, m.tapped_at
    FROM lost_messages m WHERE m.phone = :phone AND m.site = :site AND ${lostWrote})
  ORDER BY coalesce(account = (SELECT id FROM accounts WHERE site = :site AND key = :account), 1) DESC,
    written <= :at + ${CLOCKS_APART_MS} DESC, written DESC, id DESC LIMIT 1`;
const ANSWERED = lastThat(MAY_HAVE_WRITTEN, "1");
const ANSWERED_FOR_SURE = lastThat(WROTE, "m.is_sent");
/** The client of a lost campaign that nobody knows: its recipient asks all clients. */
const UNKNOWN_CLIENT = 0;
const REMOVED_FOR_ALL =
  "נמען ביקש הסרה בתשובה להודעה של קמפיין שאבד בשחזור. לא ידוע איזה לקוח שלח אותה, ולכן המספר נוסף לרשימת ההסרה של כל הלקוחות.";
/** Replies per transaction: on a remote database each costs three round trips, and all other writers wait. */
const SLICE = 10;

/**
 * Stores each reply once, however often a site reports it. It stores nothing for numbers that no campaign of the site
 * wrote to. Returns false if the site has to report them again, because it still owes a restored database its outcomes:
 * without them the answered message is unknown.
 *
 * @throws {SupersededError}
 */
export async function takeReplies(
  ctx: EdgeContext,
  connection: SiteConnection,
  items: readonly ReplyItem[],
): Promise<boolean> {
  const optedOut = new Set<number>();
  for (let at = 0; at < items.length; at += SLICE) {
    const campaigns = await takeSlice(ctx, connection, items.slice(at, at + SLICE));
    if (campaigns === null) return false;
    for (const campaign of campaigns) optedOut.add(campaign);
  }
  // Bad news from a site: too many removal requests stop the campaign at once.
  if (optedOut.size > 0) await checkCampaigns(ctx, [...optedOut]);
  return true;
}

/**
 * Returns the campaigns from which it removed a recipient; null while the site owes its outcomes.
 *
 * @throws {SupersededError}
 */
async function takeSlice(
  ctx: EdgeContext,
  connection: SiteConnection,
  items: readonly ReplyItem[],
): Promise<number[] | null> {
  const now = ctx.now();
  const optedOut = await inTransaction(ctx.db, async (tx) => {
    const [present] = rowsAs(await tx.execute(statement(LOOK, { ...connection })), {
      fenced: condition,
      mayReply: condition,
    });
    if (!present?.fenced) throw new SupersededError(connection);
    if (!present.mayReply) return null;
    const removed: Answered[] = [];
    for (const item of items) {
      for (const answered of await answeredBy(tx, connection.site, item)) {
        if (await takeReply(ctx, tx, connection.site, item, answered, now)) removed.push(answered);
      }
    }
    if (removed.some(({ client }) => client === UNKNOWN_CLIENT)) {
      const alert = { code: "lost_request", message: REMOVED_FOR_ALL, site: connection.site };
      await tx.batch(alertEvents(alert, now));
    }
    return removed.filter(({ isLost }) => !isLost).map(({ campaign }) => campaign);
  });
  ctx.wakeOutbox();
  return optedOut;
}

interface Answered {
  campaign: number;
  /** UNKNOWN_CLIENT is possible for a lost campaign. */
  client: number;
  /** No campaign here has this number, or not this recipient. */
  isLost: boolean;
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
    return rowsAs(found, {
      campaign: deliveries.campaign,
      client: campaigns.client,
      wrote: condition,
      isLost: condition,
    })[0];
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
