import { type EdgeFrame } from "shared/agent_protocol.ts";
import { LEASE_TTL_MS, MAX_LEASE_ITEMS, PREFETCH_PER_DEVICE } from "shared/lease.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import type { EdgeContext } from "../context.ts";
import { FENCE, type SiteConnection, SupersededError, TURN } from "./fence.ts";
import { land } from "./land.ts";
import { localDay } from "./local_day.ts";
import { progressWhere } from "./progress_event.ts";
import { randomHex } from "./random_hex.ts";
import { statement } from "./statement.ts";
import { toWirePhone } from "./wire_phone.ts";

export type LeaseFrame = Extract<EdgeFrame, { type: "lease" }>;

export interface LeaseRequest extends SiteConnection {
  /** Hardware serials of the site's phones, and how many more deliveries each can take. */
  devices: readonly { id: string; room: number }[];
}

/** The one in hand and those besides. */
const MAX_PER_DEVICE = PREFETCH_PER_DEVICE + 1;
/** Suppressed rows looked for at least this many due rows ahead, once a pull has met only suppressed ones. */
const SKIP_WINDOW = 500;
/** A list of suppressed numbers alone cannot hold one pull longer than this many windows. */
const MAX_ROUNDS = 8;

// Least recently served client first, then the oldest campaign. No row = superseded. A site that is stopped or
// draining, or a database whose restored past some site has not yet told, gets no campaign and so no lease.
const CHOOSE = `UPDATE sites SET last_seen_at = :now, turn_campaign = CASE
  WHEN revoked OR stopped OR draining OR EXISTS (
    SELECT 1 FROM sites s WHERE s.revoked = 0 AND s.public_key IS NOT NULL
      AND s.answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation')) THEN NULL
  ELSE (
    SELECT c.id FROM campaigns c JOIN users u ON u.id = c.client
    WHERE c.status IN ('processing', 'active') AND EXISTS (
      SELECT 1 FROM deliveries d WHERE d.campaign = c.id AND d.state = 'queued' AND d.not_before <= :now)
    ORDER BY u.lease_turn, c.send_at, c.id LIMIT 1) END
  WHERE id = :site AND epoch = :epoch AND hello_epoch = :epoch`;

const SUPPRESSED = `EXISTS (SELECT 1 FROM suppressions s
  WHERE s.phone = d.phone AND s.client IN (0, (SELECT client FROM campaigns WHERE id = ${TURN})))`;

function dueRows(limit: string): string {
  return `(SELECT id, phone, not_before FROM deliveries
    WHERE campaign = ${TURN} AND state = 'queued' AND not_before <= :now ORDER BY not_before, id LIMIT ${limit}) d`;
}

// A bare `LIMIT :window` would make SQLite prepare the statement and its triggers anew at every pull.
const SKIP_SUPPRESSED = `UPDATE deliveries SET updated_at = :now,
    ${land({ state: "'skipped'", by: 0, reason: "'opted_out'" })}
  WHERE id IN (SELECT d.id FROM ${
  dueRows(":window + 0")
} WHERE ${SUPPRESSED}) AND state = 'queued' AND ${FENCE}`;

// One slot a delivery: devices share what is due before one gets a second, accounts of a device take turns.
// No row = nothing due, or no device with room in its hands and in its day.
const CLAIM = `WITH
  pulled AS MATERIALIZED (
    SELECT value->>'id' AS key, max(value->>'room') AS room FROM json_each(:devices) GROUP BY 1),
  in_hand AS MATERIALIZED (
    SELECT a.device, count(*) AS n FROM deliveries l JOIN accounts a ON a.id = l.account
    WHERE l.site = :site AND l.state = 'leased' GROUP BY a.device),
  room AS MATERIALIZED (
    SELECT d.id AS device, min(p.room, ${MAX_PER_DEVICE} - coalesce(h.n, 0),
      coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'maxMessagesPerDay'),
        ${DEFAULT_SETTINGS.maxMessagesPerDay})
      - coalesce((SELECT sum(t.used) FROM accounts a JOIN account_days t ON t.account = a.id AND t.day = :day
          WHERE a.device = d.id), 0)) AS n
    FROM pulled p JOIN devices d ON d.site = :site AND d.key = p.key LEFT JOIN in_hand h ON h.device = d.id
    WHERE d.stopped = 0),
  usable AS MATERIALIZED (
    SELECT a.id, a.device, row_number() OVER (PARTITION BY a.device ORDER BY a.last_leased_at, a.id) - 1 AS turn,
      count(*) OVER (PARTITION BY a.device) AS accounts
    FROM room CROSS JOIN accounts a ON a.device = room.device WHERE room.n > 0 AND a.state = 'ok'),
  slots AS MATERIALIZED (
    SELECT u.id AS account, row_number() OVER (ORDER BY k.value, u.device) AS no
    FROM json_each('${JSON.stringify([...Array(MAX_PER_DEVICE).keys()])}') k
    JOIN room ON room.n > k.value
    JOIN usable u ON u.device = room.device AND u.turn = k.value % u.accounts
    ORDER BY no LIMIT ${MAX_LEASE_ITEMS}),
  due AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY not_before, id) AS no
    FROM ${dueRows("(SELECT count(*) FROM slots)")} WHERE NOT ${SUPPRESSED})
  UPDATE deliveries SET state = 'leased', by = 0, reason = NULL, token = :token, site = :site,
    account = pick.account, attempt = attempt + 1, leased_at = :now, leased_day = :day, acked_at = NULL,
    lease_until = :now + ${LEASE_TTL_MS}, tapped_at = NULL, updated_at = :now
  FROM (SELECT due.id, slots.account FROM due JOIN slots ON slots.no = due.no) AS pick
  WHERE deliveries.id = pick.id AND deliveries.state = 'queued' AND ${FENCE}
    AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = deliveries.campaign AND c.status IN ('processing', 'active'))`;

const ACCOUNTS_TURN = `UPDATE accounts SET last_leased_at = :now
  WHERE id IN (SELECT account FROM deliveries WHERE token = :token AND state = 'leased')`;
const CLIENTS_TURN = `UPDATE users SET lease_turn = (SELECT max(lease_turn) + 1 FROM users)
  WHERE id = (SELECT client FROM campaigns WHERE id = ${TURN})
    AND EXISTS (SELECT 1 FROM deliveries WHERE token = :token AND state = 'leased')`;
// The trigger of the counters stamps the campaign, so an idle pull says nothing.
const PROGRESS = progressWhere(`id = ${TURN} AND updated_at = :now`);
const CAMPAIGN = `SELECT id, message, image FROM campaigns WHERE id = ${TURN}`;
const ITEMS = `SELECT d.phone, d.attempt, a.key FROM deliveries d JOIN accounts a ON a.id = d.account
  WHERE d.token = :token AND d.state = 'leased' ORDER BY d.not_before, d.id`;
const PULL = [CHOOSE, SKIP_SUPPRESSED, CLAIM, ACCOUNTS_TURN, CLIENTS_TURN, PROGRESS, CAMPAIGN, ITEMS];

/**
 * Offers a site deliveries of one campaign, as many as its devices have room for, or null when nothing is due for
 * them. Each is the site's until it is acknowledged, given up, or LEASE_TTL_MS pass; send the frame after this.
 *
 * @throws SupersededError
 */
export async function leaseDeliveries(ctx: EdgeContext, request: LeaseRequest): Promise<LeaseFrame | null> {
  const token = randomHex(ctx, 16);
  const { site, epoch, devices } = request;
  let window = devices.reduce((sum, device) => sum + Math.min(device.room, MAX_PER_DEVICE), 0);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = ctx.now();
    const args = { site, epoch, token, now, day: localDay(now), window, devices: JSON.stringify(devices) };
    const [chosen, skipped, claimed, , , , campaign, items] = await ctx.db.batch(
      PULL.map((sql) => statement(sql, args)),
      "write",
    );
    if (chosen.rowsAffected === 0) throw new SupersededError(request);
    if (claimed.rowsAffected + skipped.rowsAffected > 0) ctx.wakeOutbox();
    if (claimed.rowsAffected > 0) {
      return {
        type: "lease",
        token,
        ttlMs: LEASE_TTL_MS,
        campaign: Number(campaign.rows[0].id),
        text: String(campaign.rows[0].message),
        image: campaign.rows[0].image === null ? null : String(campaign.rows[0].image),
        items: items.rows.map(({ phone, attempt, key }) => ({
          phone: toWirePhone(phone),
          attempt: Number(attempt),
          account: String(key),
        })),
      };
    }
    if (skipped.rowsAffected === 0) return null;
    window = SKIP_WINDOW;
  }
  return null;
}
