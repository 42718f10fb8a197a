/** Makes campaigns in every status with their recipients, ledger and marks, consistent with a real history. */
import type { CampaignStatus } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { localDay } from "../time/local_day.ts";
import { rowsAs } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import type { Dice } from "./dice.ts";
import type { MadeAccount } from "./make_fleet.ts";
import type { Person } from "./make_people.ts";
import { CAMPAIGN_NAMES, MESSAGES } from "./words.ts";
import type { World } from "./worlds.ts";

interface Counts {
  queued: number;
  leased: number;
  sent: number;
  failed: number;
  unknown: number;
  skipped: number;
  cancelled: number;
}

/** One campaign to make. */
export interface Plan extends Counts {
  no: number;
  client: number;
  name: string;
  message: string;
  status: CampaignStatus;
  total: number;
  reserved: number;
  /** The first phone, in digits; the others follow it. */
  phone: number;
  pausedBy: string | null;
  createdAt: number;
  sendAt: number | null;
  /** Time of the first delivery; the others follow every `stepMs`. */
  firstAt: number;
  stepMs: number;
  lastAt: number;
  completedAt: number | null;
  day: number;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 3_000;
/** A campaign whose size is not a multiple of it gets its recipients in an order that mixes their states. */
const STRIDE = 37;
const ENDED: readonly CampaignStatus[] = ["completed", "completed_with_errors", "failed", "cancelled"];

/** Plans the campaigns, oldest first. */
export function planCampaigns(
  world: World,
  clients: readonly Person[],
  { now, dice }: { now: number; dice: Dice },
): Plan[] {
  const weighted = Object.entries(world.statuses).flatMap(([status, weight]) =>
    Array<CampaignStatus>(weight).fill(status as CampaignStatus)
  );
  let phone = 972_500_000_000;
  return Array.from({ length: world.campaigns }, (_, no) => {
    const status = dice.oneOf(weighted);
    const isCrowd = no % 500 === 499 || no === world.campaigns - 2;
    const total = offStride(
      isCrowd ? dice.whole(world.crowd / 2, world.crowd) : dice.whole(3, world.contacts),
    );
    const counts = countsFor(status, total, world, dice);
    const isOver = ENDED.includes(status);
    const ageMs = isOver
      ? Math.floor(((world.campaigns - no) / world.campaigns) * 60 * DAY_MS) + dice.whole(1, 180) * 60_000
      : dice.whole(10, 20 * 60) * 60_000;
    const startedAt = now - ageMs;
    const wasSent = status !== "draft" && status !== "ready";
    const firstAt = Math.min(startedAt + 60_000, now - total * STEP_MS - 1_000);
    const lastAt = firstAt + total * STEP_MS;
    const plan: Plan = {
      ...counts,
      no,
      client: clients[dice.percent(50) ? 0 : no % clients.length]!.id,
      name: `${dice.oneOf(CAMPAIGN_NAMES)}${no < CAMPAIGN_NAMES.length ? "" : ` ${no}`}`,
      message: dice.oneOf(MESSAGES),
      status,
      total,
      reserved: wasSent ? total : 0,
      phone,
      pausedBy: status === "paused"
        ? dice.oneOf(
          world.troubles ? ["client", "admin", "opt_outs", "failures"] : ["client", "client", "admin"],
        )
        : status === "cancelled"
        ? dice.oneOf(["client", "admin"])
        : null,
      createdAt: firstAt - 10 * 60_000,
      sendAt: wasSent ? firstAt - 30_000 : null,
      firstAt,
      stepMs: STEP_MS,
      lastAt,
      completedAt: isOver ? lastAt : null,
      day: localDay(lastAt),
    };
    phone = 972_500_000_000 + ((phone + total - 972_500_000_000) % 9_000_000);
    return plan;
  });
}

function offStride(total: number): number {
  return total % STRIDE === 0 ? total + 1 : total;
}

function countsFor(status: CampaignStatus, total: number, world: World, dice: Dice): Counts {
  const none: Counts = { queued: 0, leased: 0, sent: 0, failed: 0, unknown: 0, skipped: 0, cancelled: 0 };
  const some = (percent: number) => Math.min(total - 1, Math.max(1, Math.round((total * percent) / 100)));
  const failed = some(dice.whole(1, world.failedPercent));
  const unknown = dice.percent(world.unknownPercent * 8)
    ? Math.min(total - failed, some(world.unknownPercent))
    : 0;
  switch (status) {
    case "draft":
      return none;
    case "ready":
    case "scheduled":
      return { ...none, queued: total };
    case "completed":
      return { ...none, sent: total };
    case "failed":
      return { ...none, failed: total };
    case "completed_with_errors": {
      const skipped = total - failed - unknown > 3 && dice.percent(30) ? 1 : 0;
      return { ...none, failed, unknown, skipped, sent: total - failed - unknown - skipped };
    }
    case "cancelled": {
      const sent = Math.floor(total / 3);
      return { ...none, sent, cancelled: total - sent };
    }
    case "processing":
      return { ...none, queued: total };
    case "active":
    case "paused": {
      const sent = Math.floor((total * dice.whole(5, 80)) / 100);
      const leased = status === "active" && total - sent > 4 ? 2 : 0;
      const lost = world.troubles ? Math.min(failed, Math.floor(sent / 4)) : Math.floor(sent / 50);
      return { ...none, leased, failed: lost, sent: sent - lost, queued: total - sent - leased };
    }
  }
}

/** One campaign in this many has no declared kind. */
const UNDECLARED_STRIDE = 20;
const ADD_CAMPAIGNS = `INSERT INTO campaigns (client, name, message, kind, status, queued_count, leased_count,
    sent_count, failed_count, unknown_count, skipped_count, cancelled_count, reserved, paused_by, created_at,
    updated_at, send_at, first_acked_at, last_sent_at, completed_at)
  SELECT value->>'client', value->>'name', value->>'message',
    iif(value->>'no' % ${UNDECLARED_STRIDE} = 3, 'undeclared', 'service'), value->>'status', value->>'queued',
    value->>'leased', value->>'sent', value->>'failed', value->>'unknown', value->>'skipped', value->>'cancelled',
    value->>'reserved', value->>'pausedBy', value->>'createdAt', value->>'lastAt', value->>'sendAt',
    iif(value->>'sent' + value->>'leased' > 0, value->>'firstAt', NULL),
    iif(value->>'sent' > 0, value->>'lastAt', NULL), value->>'completedAt'
  FROM json_each(:plans) WHERE true ORDER BY key RETURNING id`;
const PLANS = `plans AS MATERIALIZED (
  SELECT value->>'id' AS id, value->>'no' AS no, value->>'client' AS client, value->>'status' AS status,
    value->>'total' AS total, value->>'phone' AS phone, value->>'firstAt' AS first_at, value->>'stepMs' AS step_ms,
    value->>'createdAt' AS created_at, value->>'day' AS day, value->>'sent' AS sent, value->>'failed' AS failed,
    value->>'unknown' AS unknown, value->>'skipped' AS skipped, value->>'cancelled' AS cancelled,
    value->>'leased' AS leased, value->>'reserved' AS reserved, value->>'sendAt' AS send_at,
    value->>'lastAt' AS last_at, value->>'pausedBy' AS paused_by
  FROM json_each(:plans))`;
// Each campaign ranks its recipients in its own order, and assigns the ranks to the states.
const ADD_DELIVERIES = `WITH RECURSIVE ${PLANS},
  n(no, total, v) AS (SELECT no, total, 0 FROM plans WHERE status <> 'draft'
    UNION ALL SELECT no, total, v + 1 FROM n WHERE v + 1 < total),
  acc AS MATERIALIZED (SELECT value->>'id' AS id, value->>'site' AS site, key AS no FROM json_each(:accounts)),
  r AS (SELECT p.*, v, (v * ${STRIDE}) % p.total AS rank, p.first_at + v * p.step_ms AS at,
      (p.no * 31 + v) % max(:accountCount, 1) AS turn
    FROM n CROSS JOIN plans p ON p.no = n.no),
  s AS (SELECT r.*, CASE
      WHEN rank < sent THEN 'sent' WHEN rank < sent + failed THEN 'failed'
      WHEN rank < sent + failed + unknown THEN 'unknown'
      WHEN rank < sent + failed + unknown + skipped THEN 'skipped'
      WHEN rank < sent + failed + unknown + skipped + cancelled THEN 'cancelled'
      WHEN rank < sent + failed + unknown + skipped + cancelled + leased THEN 'leased' ELSE 'queued' END AS state
    FROM r)
  INSERT INTO deliveries (campaign, phone, state, reason, by, token, site, account, attempt, leased_at, leased_day,
    acked_at, tapped_at, updated_at)
  SELECT s.id, s.phone + v, state,
    CASE state WHEN 'failed' THEN CASE v % 3 WHEN 0 THEN 'chat_not_opened' ELSE 'not_on_app' END
      WHEN 'unknown' THEN 'send_not_verified' WHEN 'skipped' THEN 'opted_out'
      WHEN 'cancelled' THEN 'cancelled_by_' || s.paused_by END,
    state IN ('sent', 'failed', 'unknown'),
    iif(was, printf('%032x', s.id * 100000 + v), NULL), iif(was, acc.site, NULL), iif(was, acc.id, NULL), was,
    iif(was, at - 9000, NULL), iif(was, s.day, NULL), iif(was, at - 8000, NULL),
    iif(state IN ('sent', 'unknown'), at, NULL), iif(state = 'queued', s.created_at, at)
  FROM (SELECT *, state IN ('sent', 'failed', 'unknown', 'leased') AS was FROM s) s
  LEFT JOIN acc ON acc.no = s.turn ORDER BY s.id, v`;
const EVIDENCE =
  `INSERT INTO attempts (campaign, phone, attempt, token, site, account, outcome, reason, tapped_at, at,
    by, result, leased_at, acked_at)
  SELECT campaign, phone, attempt, token, site, account, state, reason, tapped_at, updated_at, 1, 'applied',
    leased_at, acked_at
  FROM deliveries WHERE state IN ('failed', 'unknown') AND token IS NOT NULL AND campaign >= :first`;
const CAP_TAKEN = `INSERT INTO account_days (account, day, used)
  SELECT account, leased_day, count(*) FROM deliveries WHERE account IS NOT NULL AND campaign >= :first
  GROUP BY account, leased_day ON CONFLICT (account, day) DO UPDATE SET used = used + excluded.used`;
const LEDGER = `WITH ${PLANS},
  entries AS (
    SELECT send_at AS at, client, 'reserve' AS kind, -reserved AS delta, id FROM plans WHERE reserved > 0
    UNION ALL SELECT last_at, client, 'refund', failed + skipped + cancelled, id FROM plans
    WHERE reserved > 0 AND failed + skipped + cancelled > 0)
  INSERT INTO quota_ledger (client, at, kind, delta, campaign)
  SELECT client, at, kind, delta, id FROM entries ORDER BY at, id`;

/** Writes the campaigns and all rows that depend on them. The clients' quotas must hold the reserved amounts. */
export async function makeCampaigns(
  ctx: EdgeContext,
  plans: readonly Plan[],
  accounts: readonly MadeAccount[],
): Promise<void> {
  if (plans.length === 0) return;
  const added = await ctx.db.execute(statement(ADD_CAMPAIGNS, { plans: JSON.stringify(plans) }));
  const ids = rowsAs(added, { id: campaigns.id });
  const made = plans.map((plan, index) => ({ ...plan, ...ids[index]! }));
  const args = {
    plans: JSON.stringify(made),
    accounts: JSON.stringify(accounts),
    accountCount: accounts.length,
    first: made[0]!.id,
  };
  await ctx.db.batch(
    [ADD_DELIVERIES, EVIDENCE, CAP_TAKEN, LEDGER].map((sql) => statement(sql, args)),
    "write",
  );
}
