import type { z } from "zod";
import type { Reply, ReplyPage, replyQuerySchema } from "shared/replies_api.ts";
import { shownPhone } from "../numbers/mask_phone.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, rowsAs } from "../db/query.ts";
import { campaigns, replies, users } from "../db/schema.ts";
import type { Caller } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import { repliesOf } from "./replies_owner.ts";

const select = (whose: string) =>
  `SELECT r.id, r.phone, r.excerpt, r.at, r.state, r.campaign, c.name, u.username, r.decided_at
  FROM replies r LEFT JOIN campaigns c ON c.id = r.campaign LEFT JOIN users u ON u.id = r.client
  WHERE r.state = :state AND r.id < :cursor ${whose} ORDER BY r.id DESC LIMIT :limit`;
const FIELDS = {
  id: replies.id,
  phone: replies.phone,
  excerpt: replies.excerpt,
  at: replies.at,
  campaignId: replies.campaign,
  campaignName: orNull(campaigns.name),
  client: orNull(users.username),
  decidedAt: replies.decidedAt,
};
const OWN = select("AND r.client = :client");
const ALL = select("");

/** Returns a page of the replies in one state, newest first. */
export async function listReplies(
  ctx: EdgeContext,
  user: Caller,
  { state, cursor = Number.MAX_SAFE_INTEGER, limit }: z.infer<typeof replyQuerySchema>,
): Promise<ReplyPage> {
  const { client, isMasked } = repliesOf(user);
  const args = { client, state, cursor, limit: limit + 1 };
  const rows = rowsAs(await ctx.db.execute(statement(client === null ? ALL : OWN, args)), FIELDS);
  const items = rows.slice(0, limit).map((row): Reply => ({
    ...row,
    phone: shownPhone(row.phone, isMasked ? "middle" : "none"),
    state,
  }));
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}
