/** The personal link of a message: one press of its page removes the recipient from that sender's list. */
import type { RemovalPage } from "shared/removal_link.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { condition, orNull, rowsAs } from "../db/query.ts";
import { advertisers, campaigns, deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import type { EdgeContext } from "../context.ts";
import { checkCampaigns } from "../health/check_campaigns.ts";
import { HttpError } from "../http/http_error.ts";
import { randomHex } from "../keys/random_hex.ts";
import { isSameText } from "../keys/same_text.ts";
import { shownPhone } from "../numbers/mask_phone.ts";
import { removalToken, rowOfToken } from "../personal/removal_token.ts";
import { NO_SITE, takeRequest } from "./take_request.ts";

// Only the claim makes seals: a right one was in a message. A restored database learns its site later, or never.
const FIND = `SELECT d.id, d.campaign, d.phone, d.site, c.client, a.name,
    EXISTS (SELECT 1 FROM suppressions s WHERE s.phone = d.phone AND s.client IN (0, c.client)) AS "isRemoved"
  FROM deliveries d JOIN campaigns c ON c.id = d.campaign JOIN advertisers a ON a.client = c.client
  WHERE d.id = :id AND d.phone > 0`;
const FIELDS = {
  id: deliveries.id,
  campaign: deliveries.campaign,
  phone: deliveries.phone,
  site: orNull(deliveries.site),
  client: campaigns.client,
  name: advertisers.name,
  isRemoved: condition,
};

/**
 * Returns what the page of a link shows; changes nothing, because programs open links too.
 *
 * @throws {HttpError} `removal_link_over`: no such link, or its number is forgotten
 */
export async function showRemoval(ctx: EdgeContext, token: string): Promise<RemovalPage> {
  return pageOf(await find(ctx, token));
}

/**
 * Removes the link's recipient from its sender's list, as a reply of one word does; again changes nothing.
 *
 * @throws {HttpError} as showRemoval()
 */
export async function removeByLink(ctx: EdgeContext, token: string): Promise<RemovalPage> {
  const row = await find(ctx, token);
  const now = ctx.now();
  const { campaign, client, phone } = row;
  const request = {
    id: randomHex(ctx, 16),
    campaign,
    client,
    phone,
    site: row.site ?? NO_SITE,
    excerpt: "",
    at: now,
  };
  const isNew = await inTransaction(ctx.db, (tx) => takeRequest(ctx, tx, now, { ...request, by: "link" }));
  ctx.wakeOutbox();
  if (isNew) await checkCampaigns(ctx, [campaign]);
  return { ...pageOf(row), isRemoved: true };
}

async function find(ctx: EdgeContext, token: string) {
  const id = rowOfToken(token);
  const [row] = id === null ? [] : rowsAs(await ctx.db.execute(statement(FIND, { id })), FIELDS);
  if (row === undefined || !isSameText(token, removalToken(ctx, row))) {
    throw new HttpError("removal_link_over");
  }
  return row;
}

function pageOf(
  { name, phone, isRemoved }: { name: string; phone: number; isRemoved: boolean },
): RemovalPage {
  return { sender: name, phone: shownPhone(phone, "middle"), isRemoved };
}
