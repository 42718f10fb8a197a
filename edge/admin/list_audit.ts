import type { InValue } from "@libsql/client/web";
import type { z } from "zod";
import {
  AUDIT_GROUPS,
  type AuditFilter,
  type AuditPage,
  type auditQuerySchema,
  type AuditRow,
} from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, plainText, type RowAs, rowsAs } from "../db/query.ts";
import { auditLog, campaigns, sites, users } from "../db/schema.ts";
import { DEVICE_NAME } from "../devices/device_name.ts";
import { wordAudit } from "../text/audit_words.ts";
import { readChain } from "../audit_log/check_tick.ts";

const NAMED = `SELECT l.*, c.name AS "campaignName", s.name AS "siteName", u.username AS "userName",
    ${DEVICE_NAME} AS "deviceName"
  FROM audit_log l LEFT JOIN campaigns c ON c.id = l.campaign LEFT JOIN sites s ON s.id = l.site
    LEFT JOIN devices d ON d.id = l.device LEFT JOIN users u ON u.id = l.user`;

const FIELDS = {
  id: auditLog.id,
  at: auditLog.at,
  kind: auditLog.kind,
  data: auditLog.data,
  actorId: auditLog.actor,
  actorName: auditLog.actorName,
  campaignId: auditLog.campaign,
  campaignName: orNull(campaigns.name),
  siteName: orNull(sites.name),
  deviceId: auditLog.device,
  deviceName: orNull(plainText),
  userName: orNull(users.username),
  hash: auditLog.hash,
};

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
  const result = await ctx.db.execute({
    sql: `${NAMED} WHERE ${given.map(([sql]) => sql).join(" AND ")} ORDER BY l.id DESC LIMIT ?`,
    args: [...given.map(([, value]) => value), limit],
  });
  return rowsAs(result, FIELDS).map(toAuditRow);
}

function toAuditRow(
  { data, campaignName, siteName, deviceName, userName, ...row }: RowAs<typeof FIELDS>,
): AuditRow {
  const names = { campaign: campaignName, site: siteName, device: deviceName, user: userName };
  return { ...row, text: wordAudit(row.kind, names, data) };
}
