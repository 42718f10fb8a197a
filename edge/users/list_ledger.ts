import type { InArgs } from "@libsql/client/web";
import type { z } from "zod";
import type { LedgerEntry, ledgerPageSchema } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";

export interface LedgerQuery {
  clientId: number;
  /** Only entries older than this one. */
  cursor?: number;
  limit: number;
  /** Only entries of this campaign. */
  campaign?: number;
}

/** Returns a page of a client's ledger, newest first. */
export async function listLedger(
  ctx: EdgeContext,
  { clientId, cursor, limit, campaign }: LedgerQuery,
): Promise<z.infer<typeof ledgerPageSchema>> {
  const args: InArgs = [clientId, cursor ?? Number.MAX_SAFE_INTEGER];
  if (campaign !== undefined) args.push(campaign);
  const { rows } = await ctx.db.execute({
    sql: `SELECT l.id, l.at, l.kind, l.delta, l.balance_after, l.campaign, c.name FROM quota_ledger l
      LEFT JOIN campaigns c ON c.id = l.campaign
      WHERE l.client = ? AND l.id < ? ${campaign === undefined ? "" : "AND l.campaign = ?"}
      ORDER BY l.id DESC LIMIT ?`,
    args: [...args, limit + 1],
  });
  const items = rows.slice(0, limit).map((row): LedgerEntry => ({
    id: Number(row.id),
    at: Number(row.at),
    kind: row.kind as LedgerEntry["kind"],
    delta: Number(row.delta),
    balanceAfter: Number(row.balance_after),
    campaignId: row.campaign === null ? null : Number(row.campaign),
    campaignName: row.name === null ? null : String(row.name),
  }));
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}
