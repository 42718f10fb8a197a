/** Makes the traces of past time: outcomes by hour, the fleet's past, lines of activity, files. */
import { desc, eq, inArray } from "drizzle-orm";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import { BYTE_ORDER_MARK } from "../http/csv.ts";
import { keepRejected } from "../contacts/rejected_rows.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { campaigns, deliveries, imports } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import type { Dice } from "./dice.ts";
import type { World } from "./worlds.ts";

const HOUR_MS = 60 * 60_000;

const OUTCOMES = `INSERT INTO account_hours (hour, account, sent, failed, absent, unknown)
  SELECT updated_at / ${HOUR_MS}, account, sum(state = 'sent'), sum(state = 'failed'),
    sum(reason IS 'not_on_app'), sum(state = 'unknown')
  FROM deliveries WHERE account IS NOT NULL AND state IN ('sent', 'failed', 'unknown') AND updated_at > :from
  GROUP BY 1, 2 ON CONFLICT (hour, account) DO NOTHING`;
const CLIENT_OUTCOMES = `INSERT INTO client_hours (hour, client, sent, failed, unknown)
  SELECT d.updated_at / ${HOUR_MS}, c.client, sum(d.state = 'sent'), sum(d.state = 'failed'), sum(d.state = 'unknown')
  FROM deliveries d JOIN campaigns c ON c.id = d.campaign
  WHERE d.state IN ('sent', 'failed', 'unknown') AND d.updated_at > :from
  GROUP BY 1, 2 ON CONFLICT (hour, client) DO NOTHING`;
const RECENT = `UPDATE accounts SET recent = r.ids || ' ', last_sent_at = r.last FROM (
    SELECT account, substr(group_concat(id, ' '), 1, 298) AS ids, max(at) AS last FROM (
      SELECT account, id, updated_at AS at, row_number() OVER (PARTITION BY account ORDER BY updated_at DESC) AS no
      FROM deliveries WHERE account IS NOT NULL AND state IN ('sent', 'failed', 'unknown'))
    WHERE no <= 40 GROUP BY account) r WHERE accounts.id = r.account`;
// The counts that measureFleet() would have made, hour by hour.
const PAST = `WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 50)
  INSERT INTO fleet_hours (hour, sent, devices, sessions, accounts, banned, measured_at)
  SELECT :hour - v, coalesce((SELECT sum(sent) FROM account_hours WHERE hour = :hour - v), 0),
    d.n - (v > 20) * :fewer, max(0, a.ok - v % 3), a.n, max(0, a.banned - (v > 18)), (:hour - v + 1) * ${HOUR_MS} - 1
  FROM n, (SELECT count(*) AS n FROM devices) d, (SELECT count(*) AS n, coalesce(sum(state = 'ok'), 0) AS ok,
    coalesce(sum(banned_at IS NOT NULL), 0) AS banned FROM accounts) a WHERE true
  ON CONFLICT (hour) DO NOTHING`;
const CAMPAIGN_LINES = `INSERT INTO activity (at, kind, code, data, campaign, user)
  SELECT at, e.kind, code, json_object('campaign', c.name, 'client', u.username, 'by', c.paused_by,
    'waiting', c.reserved, 'sent', c.sent_count, 'failed', c.failed_count, 'unknown', c.unknown_count,
    'cancelled', c.cancelled_count), c.id, c.client
  FROM (SELECT id, send_at AS at, 'info' AS kind, 'campaign_sent' AS code FROM campaigns WHERE send_at > :from
    UNION ALL SELECT id, coalesce(completed_at, updated_at),
      CASE status WHEN 'completed' THEN 'success' WHEN 'failed' THEN 'error' ELSE 'warning' END, 'campaign_' || status
    FROM campaigns WHERE status IN ('completed', 'completed_with_errors', 'failed', 'cancelled', 'paused')
      AND coalesce(completed_at, updated_at) > :from) e
  JOIN campaigns c ON c.id = e.id JOIN users u ON u.id = c.client ORDER BY at`;
const WAITING_REPLIES =
  `INSERT INTO replies (campaign, client, phone, site, reply, state, excerpt, at, received_at)
  SELECT d.campaign, c.client, d.phone, coalesce(d.site, 1), printf('%032d', d.id), 'waiting', :excerpt, :at, :at
  FROM campaigns c JOIN deliveries d ON d.id = (
    SELECT min(id) FROM deliveries WHERE campaign = c.id AND state = 'sent')
  WHERE c.sent_count > 0 ORDER BY c.id DESC LIMIT 3`;

/** Writes the history, after campaigns and fleet exist. */
export async function makeHistory(ctx: EdgeContext, world: World, dice: Dice): Promise<void> {
  const now = ctx.now();
  const hour = Math.floor(now / HOUR_MS);
  await ctx.db.batch([
    ...[OUTCOMES, CLIENT_OUTCOMES].map((sql) => statement(sql, { from: now - 34 * 24 * HOUR_MS })),
    ...(world.devices === 0
      ? []
      : [RECENT, PAST].map((sql) => statement(sql, { hour, fewer: Math.min(3, world.devices) }))),
    statement(CAMPAIGN_LINES, { from: now - 5 * 24 * HOUR_MS }),
    ...(world.troubles
      ? [statement(WAITING_REPLIES, { excerpt: "אולי תסירו אותי בפעם הבאה", at: now - 30 * HOUR_MS })]
      : []),
  ], "write");
  await makeFiles(ctx, world, dice);
}

async function makeFiles(ctx: EdgeContext, world: World, dice: Dice): Promise<void> {
  const { rows: drafts } = await execute(
    ctx.db,
    query.select({
      id: campaigns.id,
      contacts: query.$count(deliveries, eq(deliveries.campaign, campaigns.id)).as("contacts"),
    }).from(campaigns).where(inArray(campaigns.status, EDITABLE_STATUSES))
      .orderBy(desc(campaigns.id)).limit(30),
  );
  for (const [index, draft] of drafts.entries()) {
    const hasFailed = world.troubles && index % 2 === 0;
    const isOfCampaign = index % 7 !== 6 && (hasFailed || draft.contacts > 0);
    const invalid = hasFailed ? 0 : dice.whole(0, 9);
    const rows = isOfCampaign && !hasFailed ? draft.contacts + invalid : dice.whole(40, 4_000);
    const at = ctx.now() - (drafts.length - index) * 17 * 60_000;
    const file = query.insert(imports).values({
      campaign: isOfCampaign ? draft.id : null,
      fileName: dice.oneOf([
        "לקוחות.csv",
        "export_crm_final(2).csv",
        "members-2026-09.csv",
        'רשימה "חדשה".csv',
      ]),
      status: hasFailed ? "error" : "completed",
      totalRows: rows,
      processedRows: hasFailed ? 0 : rows,
      added: hasFailed ? 0 : rows - invalid,
      invalid,
      error: hasFailed ? "לא נמצאה עמודה עם מספרי טלפון. בשורה הראשונה יש: שם, עיר, סכום." : null,
      background: true,
      startedAt: at,
      createdAt: at,
      updatedAt: at + 2000,
    }).returning({ id: imports.id });
    const { id } = (await execute(ctx.db, file)).rows[0]!;
    const raw = new TextEncoder().encode(`${BYTE_ORDER_MARK}שם,עיר,סכום\nדנה,חיפה,12\n`);
    const rejected = Array.from({ length: invalid }, (_, row) => ({
      row: row * 3 + 2,
      text: `050-12${row}`,
      problem: "too_short" as const,
    }));
    await ctx.db.batch([
      keepRejected(id, rejected),
      ...(hasFailed
        ? [{
          sql: "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (?, 'raw', 0, ?)",
          args: [id, raw],
        }]
        : []),
    ], "write");
  }
}
