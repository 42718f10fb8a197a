import type { InStatement, ResultSet, Row } from "@libsql/client/web";
import { type EdgeFrame } from "shared/agent_protocol.ts";
import { LEASE_TTL_MS, MAX_LEASE_ITEMS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { roomArgs } from "../health/account_room.ts";
import { HOURS_ALLOW, hoursArgs } from "../time/sending_hours.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { NOTE_GIVEN } from "../health/trust.ts";
import { IS_BACKUP_COPY } from "./backup_copy.ts";
import { ERASURES_OWED } from "./erasures_owed.ts";
import { CURRENT, FENCE, type SiteConnection, SupersededError, TURN } from "./fence.ts";
import { land } from "../deliveries/land.ts";
import { LEASED_BY_NEWER } from "./newer_release.ts";
import { IS_OLDER_DATABASE } from "./older_database.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { progressWhere } from "../events/progress_event.ts";
import { randomHex } from "../keys/random_hex.ts";
import { awaitedArgs, SITES_UNHEARD } from "./start_wait.ts";
import { statement } from "../db/statement.ts";
import { CAN_SEND_PICTURES, MAX_PER_DEVICE, usableAccounts } from "./usable_accounts.ts";
import { toWirePhone } from "../numbers/wire_phone.ts";

export type LeaseFrame = Extract<EdgeFrame, { type: "lease" }>;

export interface LeaseRequest extends SiteConnection {
  /** Hardware serials of the site's phones, and how many more deliveries each can take. */
  devices: readonly { id: string; room: number }[];
}

const DAY_MS = 24 * 60 * 60_000;
/** Suppressed rows looked for at least this many due rows ahead, once a pull has met only suppressed ones. */
const SKIP_WINDOW = 500;
/** How long a number waits that the same client's other marketing has in hand: its outcome decides. */
const DEFER_MS = 60_000;
/** A list of suppressed numbers alone cannot hold one pull longer than this many windows. */
const MAX_ROUNDS = 8;

// No row = superseded.
const PRESENT = `SELECT 1 FROM sites WHERE ${CURRENT}`;
// Least recently served client first, then the oldest campaign. No campaign and so no lease: for a site that is stopped
// or draining; from a database whose restored past some site has not yet told, in which erasures are to be done again,
// or that was put back; and while a starting edge waits for its sites. A choice that is as before is not written: most
// pulls find nothing, and a transaction without a change waits for no disk. Liveness comes from heartbeats. A picture
// that none of these phones can send now would keep what they can send from them.
// Advertising without its composed words was sent by a release that composed none, and goes to nobody. After a report,
// changes() are the rows that took its outcomes: one that is taken later may be of a row that is queued again.
const CHOOSE = `WITH choice AS MATERIALIZED (SELECT CASE
  WHEN revoked OR stopped OR draining OR changes() < :changed
    OR ${OUTCOMES_OWED}
    OR ${ERASURES_OWED}
    OR ${IS_BACKUP_COPY}
    OR ${LEASED_BY_NEWER}
    OR ${IS_OLDER_DATABASE}
    OR ${SITES_UNHEARD}
    THEN NULL
  ELSE (
    SELECT c.id FROM campaigns c JOIN users u ON u.id = c.client
    WHERE c.status IN ('processing', 'active') AND ${HOURS_ALLOW}
      AND (c.kind <> 'marketing' OR c.sent_text IS NOT NULL) AND (c.image IS NULL OR ${CAN_SEND_PICTURES})
      AND CASE WHEN c.pilot_last IS NULL THEN EXISTS (
        SELECT 1 FROM deliveries d WHERE d.campaign = c.id AND d.state = 'queued' AND d.not_before <= :now)
      ELSE EXISTS (SELECT 1 FROM deliveries d
        WHERE d.campaign = c.id AND d.state = 'queued' AND d.not_before = 0 AND d.id <= c.pilot_last) END
    ORDER BY u.lease_turn, c.send_at, c.id LIMIT 1) END AS campaign
  FROM sites WHERE ${CURRENT})
  UPDATE sites SET turn_campaign = choice.campaign FROM choice
  WHERE ${CURRENT} AND turn_campaign IS NOT choice.campaign`;

const SUPPRESSED = `EXISTS (SELECT 1 FROM suppressions s
  WHERE s.phone = d.phone AND s.client IN (0, (SELECT client FROM campaigns WHERE id = ${TURN})))`;
// Asked once a statement, so that other campaigns pay nothing for what follows.
// Never null, for that is neither skipped nor leased.
const IS_MARKETING = `(SELECT kind = 'marketing' AND test_of IS NULL FROM campaigns WHERE id = ${TURN})`;
const CLIENT = `(SELECT client FROM campaigns WHERE id = ${TURN})`;
// The same campaign never counts: a person who sends an unknown again means to.
const TOO_SOON = `(${IS_MARKETING} AND EXISTS (SELECT 1 FROM recipients r
  WHERE r.client = ${CLIENT} AND r.phone = d.phone AND r.campaign <> ${TURN}
    AND r.last_marketing_at > :now - ${DAY_MS} * ${settingSql("frequencyCapDays")}))`;
const IN_HAND_ELSEWHERE = `(${IS_MARKETING} AND ${settingSql("frequencyCapDays")} > 0 AND EXISTS (
  SELECT 1 FROM deliveries o WHERE o.phone = d.phone AND o.state = 'leased' AND o.campaign IN (
    SELECT id FROM campaigns
    WHERE client = ${CLIENT} AND kind = 'marketing' AND leased_count > 0 AND id <> ${TURN})))`;
// A pilot wave takes the head of the list; what failed of it for a while goes with the rest.
const IN_PILOT = `(SELECT c.pilot_last IS NULL OR (d.not_before = 0 AND d.id <= c.pilot_last)
  FROM campaigns c WHERE c.id = ${TURN})`;

function dueRows(limit: string): string {
  return `(SELECT id, phone, not_before FROM deliveries
    WHERE campaign = ${TURN} AND state = 'queued' AND not_before <= :now ORDER BY not_before, id LIMIT ${limit}) d`;
}

// A bare `LIMIT :window` would make SQLite prepare the statement and its triggers again at every pull.
const SKIP = `UPDATE deliveries SET updated_at = :now,
    ${
  land({
    state: "'skipped'",
    by: 0,
    reason:
      `(SELECT iif(${SUPPRESSED}, 'opted_out', 'frequency_cap') FROM (SELECT deliveries.phone AS phone) d)`,
  })
}
  WHERE id IN (SELECT d.id FROM ${dueRows("(:window + 0)")} WHERE ${SUPPRESSED} OR ${TOO_SOON})
    AND state = 'queued' AND ${FENCE}`;
// Else the head of one list, in hand at a site that is away, would stand before the rest of another.
const DEFER = `UPDATE deliveries SET not_before = :now + ${DEFER_MS}
  WHERE id IN (SELECT d.id FROM ${dueRows("(:window + 0)")} WHERE ${IN_HAND_ELSEWHERE})
    AND state = 'queued' AND ${FENCE}`;

// One slot a delivery: devices share what is due before one gets a second, accounts of a device take turns.
// Places are numbered through. Those of untrusted accounts beyond their shared room are left out, and later ones move up.
// Both counts share one sorting.
// No row = nothing due, or no device with room in its hands and in its day and account with room in its day and hour.
const CLAIM = `WITH
  ${usableAccounts(`(SELECT image IS NULL FROM campaigns WHERE id = ${TURN})`)},
  slots AS MATERIALIZED (
    SELECT account, place - max(0, untrusted_place - (SELECT room FROM untrusted)) AS no FROM (
      SELECT u.id AS account, u.is_trusted, row_number() OVER turns AS place,
        sum(NOT u.is_trusted) OVER turns AS untrusted_place
      FROM json_each('${JSON.stringify([...Array(MAX_PER_DEVICE).keys()])}') k
      JOIN room ON room.n > k.value
      JOIN usable u ON u.device = room.device AND u.turn = k.value % u.accounts AND u.room > k.value / u.accounts
      WINDOW turns AS (ORDER BY k.value, u.device ROWS UNBOUNDED PRECEDING))
    WHERE is_trusted OR untrusted_place <= (SELECT room FROM untrusted)
    ORDER BY no LIMIT ${MAX_LEASE_ITEMS}),
  due AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY not_before, id) AS no
    FROM ${dueRows("(SELECT count(*) FROM slots)")}
      WHERE NOT ${SUPPRESSED} AND NOT ${TOO_SOON} AND NOT ${IN_HAND_ELSEWHERE} AND ${IN_PILOT})
  UPDATE deliveries SET state = 'leased', by = 0, reason = NULL, token = :token, site = :site,
    is_new_to_site = deliveries.site IS NOT :site,
    account = pick.account, attempt = attempt + 1, leased_at = :now, leased_day = :day, acked_at = NULL,
    lease_until = :now + ${LEASE_TTL_MS}, tapped_at = NULL, updated_at = :now
  FROM (SELECT due.id, slots.account FROM due JOIN slots ON slots.no = due.no) AS pick
  WHERE deliveries.id = pick.id AND deliveries.state = 'queued' AND ${FENCE}
    AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = deliveries.campaign AND c.status IN ('processing', 'active'))
  RETURNING not_before, id, phone, attempt, (SELECT a.key FROM accounts a WHERE a.id = deliveries.account) AS key`;

const ACCOUNTS_TURN = `UPDATE accounts SET last_leased_at = :now
  WHERE id IN (SELECT account FROM deliveries WHERE site = :site AND token = :token AND state = 'leased')`;
const CLIENTS_TURN = `UPDATE users SET lease_turn = (SELECT max(lease_turn) + 1 FROM users)
  WHERE id = (SELECT client FROM campaigns WHERE id = ${TURN})
    AND EXISTS (SELECT 1 FROM deliveries WHERE site = :site AND token = :token AND state = 'leased')`;
// The trigger of the counters stamps the campaign, so an idle pull says nothing.
const PROGRESS = progressWhere(`id = ${TURN} AND updated_at = :now`);
const CAMPAIGN = `SELECT id, coalesce(sent_text, message) AS text, image FROM campaigns WHERE id = ${TURN}`;
const PULL = [
  PRESENT,
  CHOOSE,
  SKIP,
  DEFER,
  CLAIM,
  ACCOUNTS_TURN,
  CLIENTS_TURN,
  NOTE_GIVEN,
  CAMPAIGN,
];

/** A look for work: its first statements, and what comes of their answers. */
export interface Pull {
  statements: InStatement[];
  finish(answers: ResultSet[]): Promise<LeaseFrame | null>;
}

/**
 * Offers a site deliveries of one campaign, as many as its devices have room for, or null when nothing is due for
 * them. Each is the site's until it is acknowledged, given up, or LEASE_TTL_MS pass; send the frame after this.
 *
 * @throws SupersededError
 */
export async function leaseDeliveries(ctx: EdgeContext, request: LeaseRequest): Promise<LeaseFrame | null> {
  const pull = preparePull(ctx, request);
  return await pull.finish(await ctx.db.batch(pull.statements, "write"));
}

/** The report in whose transaction a pull stands. */
interface ReportBefore {
  now: number;
  /** How many rows its outcomes should move; 0 = there is none. */
  reported: number;
}

/**
 * As leaseDeliveries(), for a transaction that the caller runs; `finish()` throws what leaseDeliveries() throws. After a
 * `report`, whose outcomes the statement just before these moves, nothing is leased unless that moved `reported` rows.
 * The report then tells the progress of both, since that has to come last.
 */
export function preparePull(ctx: EdgeContext, request: LeaseRequest, report?: ReportBefore): Pull {
  const token = randomHex(ctx, 16);
  const { site, epoch, devices } = request;
  const look = (window: number, { now, reported }: ReportBefore = { now: ctx.now(), reported: 0 }) => {
    const args = {
      site,
      epoch,
      token,
      now,
      ...roomArgs(now),
      ...hoursArgs(now),
      ...awaitedArgs(ctx),
      window,
      devices: JSON.stringify(devices.map(({ id, room }) => [id, room])),
      changed: reported,
    };
    const shows = reported === 0 ? [PROGRESS] : [];
    return [...PULL, ...shows].map((sql) => statement(sql, args));
  };

  async function finish(answers: ResultSet[], round = 1): Promise<LeaseFrame | null> {
    const [present, , skipped, deferred, claimed, , , , campaign] = answers;
    if (present.rows.length === 0) throw new SupersededError(request);
    if (claimed.rowsAffected + skipped.rowsAffected > 0) ctx.wakeOutbox();
    if (claimed.rowsAffected > 0) {
      return {
        type: "lease",
        token,
        ttlMs: LEASE_TTL_MS,
        campaign: Number(campaign.rows[0].id),
        text: String(campaign.rows[0].text),
        image: campaign.rows[0].image === null ? null : String(campaign.rows[0].image),
        items: claimed.rows.toSorted(byTurn).map(({ phone, attempt, key }) => ({
          phone: toWirePhone(phone),
          attempt: Number(attempt),
          account: String(key),
        })),
      };
    }
    if (skipped.rowsAffected + deferred.rowsAffected === 0 || round === MAX_ROUNDS) return null;
    return await finish(await ctx.db.batch(look(SKIP_WINDOW), "write"), round + 1);
  }

  const room = devices.reduce((sum, device) => sum + Math.min(device.room, MAX_PER_DEVICE), 0);
  return { statements: look(room, report), finish };
}

/** As the queue has them; SQLite returns them in any order. */
function byTurn(a: Row, b: Row): number {
  return Number(a.not_before) - Number(b.not_before) || Number(a.id) - Number(b.id);
}
