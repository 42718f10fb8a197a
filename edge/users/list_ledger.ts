import type { InArgs } from "@libsql/client/web";
import type { z } from "zod";
import type { ledgerPageSchema, Role } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { campaigns, quotaLedger, users } from "../db/schema.ts";

export interface LedgerQuery {
  clientId: number;
  /** Only entries older than this one. */
  cursor?: number;
  limit: number;
  /** Only entries of this campaign. */
  campaign?: number;
  /** The reader's; a client reads no names of administrators. */
  role: Role;
}

/** Returns a page of a client's ledger, newest first. */
export async function listLedger(
  ctx: EdgeContext,
  { clientId, cursor, limit, campaign, role }: LedgerQuery,
): Promise<z.infer<typeof ledgerPageSchema>> {
  const args: InArgs = [clientId, cursor ?? Number.MAX_SAFE_INTEGER];
  if (campaign !== undefined) args.push(campaign);
  const result = await ctx.db.execute({
    sql:
      `SELECT l.id, l.at, l.kind, l.delta, l.balance_after, l.campaign, l.reason, c.name, l.actor, u.username, u.role,
        coalesce(u.works_for, u.id) AS "actorClient"
      FROM quota_ledger l LEFT JOIN campaigns c ON c.id = l.campaign LEFT JOIN users u ON u.id = l.actor
      WHERE l.client = ? AND l.id < ? ${campaign === undefined ? "" : "AND l.campaign = ?"}
      ORDER BY l.id DESC LIMIT ?`,
    args: [...args, limit + 1],
  });
  const { id, at, kind, delta, balanceAfter, campaign: campaignId, reason, actor } = quotaLedger;
  const fields = { id, at, kind, delta, balanceAfter, campaignId, reason };
  const entries = rowsAs(result, {
    ...fields,
    campaignName: orNull(campaigns.name),
    actorId: actor,
    username: orNull(users.username),
    actorRole: orNull(users.role),
    actorClient: orNull(wholeNumber),
  });
  const items = entries.slice(0, limit).map(({ actorId, username, actorRole, actorClient, ...entry }) => ({
    ...entry,
    actor: actorId === null
      ? "system" as const
      : actorClient === clientId
      ? "client" as const
      : "admin" as const,
    actorName: role === "admin" || actorRole !== "admin" ? username : null,
  }));
  return { items, nextCursor: entries.length > limit ? items.at(-1)!.id : null };
}
