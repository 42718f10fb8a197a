import type { InValue, Row } from "@libsql/client/web";
import type { z } from "zod";
import {
  AUDIT_GROUPS,
  type AuditFilter,
  type AuditPage,
  type auditQuerySchema,
  type AuditRow,
} from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";
import { DEVICE_NAME } from "../devices/device_name.ts";
import { wordAudit } from "../text/audit_words.ts";
import { readChain } from "../audit_log/check_tick.ts";

const NAMED = `SELECT l.*, c.name AS campaign_name, s.name AS site_name, u.username AS user_name,
    ${DEVICE_NAME} AS device_name
  FROM audit_log l LEFT JOIN campaigns c ON c.id = l.campaign LEFT JOIN sites s ON s.id = l.site
    LEFT JOIN devices d ON d.id = l.device LEFT JOIN users u ON u.id = l.user`;

/** Returns a page of the audit log, newest first, and the state of its chain. */
export async function listAudit(
  ctx: EdgeContext,
  { cursor, limit, ...filter }: z.infer<typeof auditQuerySchema>,
): Promise<AuditPage> {
  const [items, chain] = await Promise.all([
    readAudit(ctx, filter, { before: cursor ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 }),
    readChain(ctx),
  ]);
  const shown = items.slice(0, limit);
  return {
    items: shown,
    nextCursor: items.length > limit ? shown.at(-1)!.id : null,
    chain,
  };
}

/** Returns rows that pass the filter with an id less than `before`, newest first. */
export async function readAudit(
  ctx: EdgeContext,
  { group, kind, actor, from, to }: AuditFilter,
  { before, limit }: { before: number; limit: number },
): Promise<AuditRow[]> {
  const kinds = kind ? [kind] : group ? AUDIT_GROUPS[group] : null;
  const conditions: [string, InValue | undefined][] = [
    ["l.id < ?", before],
    ["l.kind IN (SELECT value FROM json_each(?))", kinds === null ? undefined : JSON.stringify(kinds)],
    ["l.actor = ?", actor],
    ["l.at >= ?", from],
    ["l.at < ?", to],
  ];
  const given = conditions.filter(([, value]) => value !== undefined) as [string, InValue][];
  const { rows } = await ctx.db.execute({
    sql: `${NAMED} WHERE ${given.map(([sql]) => sql).join(" AND ")} ORDER BY l.id DESC LIMIT ?`,
    args: [...given.map(([, value]) => value), limit],
  });
  return rows.map(toAuditRow);
}

function toAuditRow(row: Row): AuditRow {
  const names = {
    campaign: textOf(row.campaign_name),
    site: textOf(row.site_name),
    device: textOf(row.device_name),
    user: textOf(row.user_name),
  };
  return {
    id: Number(row.id),
    at: Number(row.at),
    kind: String(row.kind),
    text: wordAudit(String(row.kind), names, String(row.data)),
    actorId: numberOf(row.actor),
    actorName: textOf(row.actor_name),
    campaignId: numberOf(row.campaign),
    deviceId: numberOf(row.device),
    hash: textOf(row.hash),
  };
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value);
}
