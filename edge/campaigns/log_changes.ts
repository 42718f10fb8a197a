import type { EdgeContext } from "../context.ts";
import { statement } from "../queue/statement.ts";

const CURSOR = "campaign_changes_logged";
const SLICE = 200;

// A first look begins at the end: what was before is no news.
const READ = `SELECT id, at, code, campaign, user, data ->> 'by' AS pausedBy, data ->> 'waiting' AS waiting,
    data ->> 'sent' AS sent, data ->> 'failed' AS failed, data ->> 'unknown' AS unknown,
    data ->> 'cancelled' AS cancelled
  FROM activity WHERE id > coalesce((SELECT CAST(value AS INTEGER) FROM system WHERE key = '${CURSOR}'),
      (SELECT max(id) FROM activity), 0)
    AND (code GLOB 'campaign_*' OR code = 'queues_cleared')
  ORDER BY id LIMIT ${SLICE}`;
const KEEP =
  `INSERT INTO system (key, value) VALUES ('${CURSOR}', coalesce(:last, (SELECT max(id) FROM activity), 0))
  ON CONFLICT (key) DO UPDATE SET value = excluded.value
  WHERE :last IS NOT NULL AND CAST(system.value AS INTEGER) < :last`;
const IS_KEPT = `SELECT 1 FROM system WHERE key = '${CURSOR}'`;

/**
 * Logs `campaign_changed` for what happened to campaigns since the last call, at whichever edge; returns how many. The
 * lines of the activity list are the one place that every change passes, and one edge at a time has this duty. A crash
 * may log a line twice. Numbers of campaigns and people, counts and no names.
 */
export async function logCampaignChanges(ctx: EdgeContext): Promise<number> {
  const [{ rows: [kept] }, { rows }] = await ctx.db.batch([IS_KEPT, READ], "read");
  if (kept === undefined) await ctx.db.execute(statement(KEEP, { last: null }));
  if (rows.length === 0) return 0;
  for (const { id: _, code, user: client, at: changedAt, ...rest } of rows) {
    const told = Object.entries({ client, changedAt, ...rest }).filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === "string" ? value : Number(value)]);
    ctx.log.info("campaign_changed", {
      change: String(code).replace("campaign_", ""),
      ...Object.fromEntries(told),
    });
  }
  await ctx.db.execute(statement(KEEP, { last: rows.at(-1)!.id }));
  return rows.length;
}
